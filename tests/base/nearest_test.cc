#include "base/nearest.h"

#include <gtest/gtest.h>

namespace podwright::nearest_test {
namespace {

using Words = std::vector<std::string>;

TEST(EditDistance, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("modle", "model"), 1);
  EXPECT_EQ(edit_distance("gpu_cuont", "gpu_count"), 1);
  EXPECT_EQ(edit_distance("abc", "abc"), 0);
}

TEST(Nearest, PutsTheClosestFirstAndLeavesStrangersOut) {
  const Words keys{"model", "mode", "gpu", "gpu_count"};
  EXPECT_EQ(nearest("modle", keys), (Words{"model", "mode"}));
  EXPECT_EQ(nearest("gpus", keys), (Words{"gpu"}));
  EXPECT_EQ(nearest("zzzzz", keys), Words{});
  EXPECT_EQ(nearest("", keys), Words{});
  EXPECT_EQ(nearest("modle", keys, 1), (Words{"model"}));
}

TEST(Nearest, PartOfANameIsNear) {
  EXPECT_EQ(nearest("h100", {"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-nvl"}), (Words{"h100-sxm5-80gb"}));
}

TEST(Nearest, WordsOfANameCountBeforeItsLetters) {
  const Words models{"llama-1-7b", "llama-2-70b", "llama-3.1-70b", "llama-3.1-8b", "qwen2.5-7b"};
  EXPECT_EQ(nearest("llama-70b", models), (Words{"llama-2-70b", "llama-3.1-70b", "llama-1-7b"}));
  EXPECT_EQ(nearest("llama-3.1-7b", models, 2), (Words{"llama-3.1-70b", "llama-3.1-8b"}));
}

TEST(Nearest, ANameWithMoreBehindIt) {
  EXPECT_EQ(nearest("l4-24gb", {"a10", "a10-24gb", "l40s", "l4"}, 2), (Words{"l4", "a10-24gb"}));
  EXPECT_EQ(nearest("gpu_cuont", {"gpu", "gpu_count"}), (Words{"gpu_count", "gpu"}));
}

TEST(Nearest, LongWordsCostLittle) {
  EXPECT_EQ(nearest(std::string(1000000, 'x'), {"model", std::string(70, 'x')}).size(), 1u);
}

TEST(DidYouMean, AsksOrFallsBack) {
  EXPECT_EQ(did_you_mean("modle", {"model"}, "No."), "Did you mean \"model\"?");
  EXPECT_EQ(did_you_mean("ab", {"ac", "ad", "ae"}, "No."), "Did you mean \"ac\", \"ad\" or \"ae\"?");
  EXPECT_EQ(did_you_mean("q", {"model"}, "No."), "No.");
}

TEST(EitherOf, QuotesWords) {
  EXPECT_EQ(either_of({"a"}), "\"a\"");
  EXPECT_EQ(either_of({"a", "b", "c"}), "\"a\", \"b\" or \"c\"");
}

TEST(FirstOf, CountsTheRest) {
  EXPECT_EQ(first_of({"a", "b"}, 2), "a, b");
  EXPECT_EQ(first_of({"a", "b", "c", "d"}, 2), "a, b and 2 more");
  EXPECT_EQ(first_of({}, 2), "");
}

TEST(Joined, SeparatesWords) {
  EXPECT_EQ(joined({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(joined({"a"}, " | "), "a");
  EXPECT_EQ(joined({}), "");
}

}  // namespace
}  // namespace podwright::nearest_test
