#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "support/test_data.h"

namespace {

constexpr std::string_view kRequests = "requests/";

/// "requests/chat.json" for each golden request of the folder.
std::vector<std::string> request_paths() {
  std::vector<std::string> paths;
  for (const TestFile& file : podwright_test_files()) {
    if (file.path.substr(0, kRequests.size()) == kRequests) paths.emplace_back(file.path);
  }
  return paths;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, AnswerIsUnchanged) {
  const std::string& request = GetParam();
  const std::string answer = "answers/" + request.substr(kRequests.size());
  EXPECT_EQ(podwright::answer(podwright_test_data(request)), podwright_test_data(answer));
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(kRequests.size(), info.param.rfind('.') - kRequests.size());
  for (char& letter : name) {
    const bool alphanumeric =
        (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
    if (!alphanumeric) letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Requests, Golden, testing::ValuesIn(request_paths()), test_name);

}  // namespace
