#include "measure/node_names.h"

#include <gtest/gtest.h>

namespace podwright::node_names_test {
namespace {

std::vector<std::string> names(std::string_view text) {
  const auto read = node_names(text);
  EXPECT_TRUE(read) << text;
  return read.value_or(std::vector<std::string>{});
}

TEST(NodeNames, RangesAreWrittenAsSlurmWritesThem) {
  EXPECT_EQ(names("gpu[01-03,7],login"), (std::vector<std::string>{"gpu01", "gpu02", "gpu03", "gpu7", "login"}));
  EXPECT_EQ(names("rack[1-2]n[9-10]"), (std::vector<std::string>{"rack1n9", "rack1n10", "rack2n9", "rack2n10"}));
  EXPECT_EQ(names("a\nb\r\nc d,,a"), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(names("n[099-101].site"), (std::vector<std::string>{"n099.site", "n100.site", "n101.site"}));
  EXPECT_TRUE(names("").empty());
}

TEST(NodeNames, WhatIsNoListIsRefused) {
  for (const char* text : {"n[1-", "n[]", "n[a-b]", "n[3-1]", "n[1-99999]", "n[1-300]m[1-300]", "n[1-2-3]",
                           "n[99999999999]", "n[[1]]x["}) {
    const auto read = node_names(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().front().code, "out-of-range");
  }
}

}  // namespace
}  // namespace podwright::node_names_test
