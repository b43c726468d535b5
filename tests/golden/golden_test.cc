#include <gtest/gtest.h>

#include <string>

#include "golden/golden.h"
#include "golden/pretty.h"

namespace golden_test {

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, AnswerIsUnchanged) {
  const std::string answer = "tests/golden/answers/" + GetParam().substr(golden::kRequests.size());
  EXPECT_EQ(golden::pretty(podwright::answer(podwright_test_data(GetParam()))), podwright_test_data(answer));
}

TEST_P(Golden, AnswerIsOneLine) {
  EXPECT_EQ(podwright::answer(podwright_test_data(GetParam())).find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Requests, Golden, testing::ValuesIn(golden::request_paths()), golden::test_name);

}  // namespace golden_test
