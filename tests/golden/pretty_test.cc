#include "golden/pretty.h"

#include <gtest/gtest.h>

namespace golden::pretty_test {
namespace {

TEST(Pretty, KeepsWhatFitsOnOneLine) { EXPECT_EQ(pretty(R"({"a":[1,2],"b":{}})"), "{\"a\":[1,2],\"b\":{}}\n"); }

TEST(Pretty, BreaksWhatIsTooLongAndLeavesTextsAlone) {
  const std::string text = "\"" + std::string(100, 'x') + R"(\"},{)" + "\"";
  EXPECT_EQ(pretty("{\"long\":[" + text + ",1.50],\"short\":[1,{\"k\":2}]}"),
            "{\n  \"long\":[\n    " + text + ",\n    1.50\n  ],\n  \"short\":[1,{\"k\":2}]\n}\n");
}

}  // namespace
}  // namespace golden::pretty_test
