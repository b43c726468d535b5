#include "base/patch.h"

#include <gtest/gtest.h>

namespace podwright {
namespace {

TEST(Patch, NestsByItsPointers) {
  EXPECT_EQ(Patch("/weight_precision", "fp8").text(), R"({"weight_precision":"fp8"})");
  EXPECT_EQ(Patch("/parallelism/tensor", 4).set("/gpu_count", 8).set("/parallelism/data", 2).text(),
            R"({"parallelism":{"tensor":4,"data":2},"gpu_count":8})");
  EXPECT_EQ(Patch("/gpus", std::vector<std::string>{"a", "b"}).clear("/gpu").set("/spot", false).text(),
            R"({"gpus":["a","b"],"gpu":null,"spot":false})");
}

TEST(Patch, TheLastWordCounts) {
  EXPECT_EQ(Patch("/nodes", 4).and_also({"/nodes", 8}).text(), R"({"nodes":8})");
  EXPECT_EQ(Patch("/nodes", 4).below("/constraints").text(), R"({"constraints":{"nodes":4}})");
}

TEST(Patch, KnowsWhatItChanges) {
  const Patch patch("/parallelism/tensor", 4);
  EXPECT_TRUE(patch.changes("/parallelism"));
  EXPECT_TRUE(patch.changes("/parallelism/tensor"));
  EXPECT_FALSE(patch.changes("/parallel"));
  EXPECT_FALSE(patch.changes("/gpu"));
  EXPECT_EQ(patch.first(), "/parallelism/tensor");
}

TEST(Patch, RepeatsTheOtherItemsOfAList) {
  const auto document = parse_json(R"({"workloads":[{"name":"a","tokens":1},{"name":"b","tokens":2,"spot":true}]})");
  ASSERT_TRUE(document.has_value());
  const Patch patch = Patch("/workloads/1/tokens", 3).clear("/workloads/1/spot");
  EXPECT_EQ(json_text(patch.merge_patch(*document)),
            R"({"workloads":[{"name":"a","tokens":1},{"name":"b","tokens":3}]})");
  EXPECT_EQ(patch.of(*document).text(), json_text(patch.merge_patch(*document)));
}

}  // namespace
}  // namespace podwright
