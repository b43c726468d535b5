#pragma once
/// The golden requests, for tests of what holds for every answer.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "base/json_read.h"
#include "support/test_data.h"

namespace golden {

inline constexpr std::string_view kRequests = "tests/golden/requests/";

/// "tests/golden/requests/chat.json" for each golden request of the folder.
inline std::vector<std::string> request_paths() {
  std::vector<std::string> paths;
  for (const TestFile& file : podwright_test_files())
    if (file.path.starts_with(kRequests)) paths.emplace_back(file.path);
  return paths;
}

/// The same for each request of examples/.
inline std::vector<std::string> example_paths() {
  std::vector<std::string> paths;
  for (const TestFile& file : podwright_test_files())
    if (file.path.starts_with("examples/") && file.path.ends_with(".json")) paths.emplace_back(file.path);
  return paths;
}

/// "chat"
inline std::string name_of(const std::string& path) {
  const std::size_t begin = path.rfind('/') + 1;
  return path.substr(begin, path.rfind('.') - begin);
}

inline std::string test_name(const testing::TestParamInfo<std::string>& test) { return name_of(test.param); }

inline podwright::JsonNode parsed(std::string_view text) {
  auto node = podwright::parse_json(text);
  return node ? *node : podwright::JsonNode{};
}

inline podwright::JsonNode request(const std::string& path) { return parsed(podwright_test_data(path)); }

inline podwright::Answer answer_to(const podwright::JsonNode& request) {
  return podwright::answer_request(podwright::embedded_catalog_facts(), podwright::json_text(request));
}

/// True for the kinds whose answers are computed.
inline bool has_numbers(const podwright::JsonNode& request) {
  const podwright::JsonNode* kind = request.find("kind");
  return kind != nullptr &&
         (request.find("claim") != nullptr || kind->text == "training" || kind->text == "serving" ||
          kind->text == "plan" || kind->text == "rule_of_thumb" || kind->text == "cost" || kind->text == "mig");
}

/// The request with its explanation switched on or off.
inline podwright::JsonNode explained(const podwright::JsonNode& request, bool on = true) {
  const std::string explain = on ? R"({"explain":true})" : R"({"explain":false})";
  const podwright::JsonNode* kind = request.find("kind");
  const bool mig = kind != nullptr && kind->text == "mig";
  const bool plan = !mig && request.find("workloads") != nullptr;
  return podwright::merged(request, parsed(plan ? R"({"options":)" + explain + "}" : explain));
}

}  // namespace golden
