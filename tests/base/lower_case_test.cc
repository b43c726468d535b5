#include "base/lower_case.h"

#include <gtest/gtest.h>

namespace podwright::lower_case_test {
namespace {

TEST(LowerCase, ChangesAsciiLettersOnly) {
  EXPECT_EQ(lower_case(""), "");
  EXPECT_EQ(lower_case("H100-SXM5 [@`{"), "h100-sxm5 [@`{");
  EXPECT_EQ(lower_case("\xC3\x84Z"), "\xC3\x84z");
}

}  // namespace
}  // namespace podwright::lower_case_test
