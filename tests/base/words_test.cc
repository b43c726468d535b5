#include "base/words.h"

#include <gtest/gtest.h>

namespace podwright::words_test {
namespace {

enum class Colour { red, green, blue };
constexpr std::array<std::string_view, 3> kColourWords{"red", "green", "deep-blue"};

static_assert(word_of(Colour::blue, kColourWords) == "deep-blue");
static_assert(of_word<Colour>("green", kColourWords) == Colour::green);

TEST(Words, NameEachValueAndLeadBackToIt) {
  for (const Colour colour : {Colour::red, Colour::green, Colour::blue})
    EXPECT_EQ(of_word<Colour>(word_of(colour, kColourWords), kColourWords), colour);
}

TEST(Words, StrangersHaveNoValue) {
  for (const std::string_view word : {"", "Red", "blue", "deep-blue "})
    EXPECT_FALSE(of_word<Colour>(word, kColourWords)) << word;
}

}  // namespace
}  // namespace podwright::words_test
