#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "api/answer.h"
#include "base/json_read.h"
#include "support/test_data.h"

namespace podwright::bad_requests_test {
namespace {

std::string text_of(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node == nullptr ? "" : node->text;
}

/// "code path, code path" as data/bad_requests.jsonl expects them.
std::string expected_problems(const JsonNode& row) {
  std::string all;
  const std::vector<JsonNode>& codes = row.find("codes")->items;
  for (std::size_t i = 0; i < codes.size(); ++i) all += codes[i].text + " " + row.find("paths")->items[i].text + ", ";
  return all;
}

/// The same of an answer. Every problem must say what is wrong and what to do.
std::string found_problems(const JsonNode& answer) {
  std::string all;
  const JsonNode* errors = answer.find("errors");
  if (errors == nullptr) return "no errors";
  for (const JsonNode& error : errors->items) {
    all += text_of(error, "code") + " " + text_of(error, "path") + ", ";
    EXPECT_FALSE(text_of(error, "message").empty());
    EXPECT_FALSE(text_of(error, "hint").empty());
  }
  const JsonNode* first = answer.find("error");
  EXPECT_TRUE(first != nullptr && !errors->items.empty() && json_text(*first) == json_text(errors->items.front()));
  return all;
}

TEST(BadRequests, AreRefusedByPathInTheOrderOfTheirText) {
  std::string_view lines = podwright_test_data("tests/api/data/bad_requests.jsonl");
  std::set<std::string> names;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const Result<JsonNode> row = parse_json(lines.substr(0, end));
    lines.remove_prefix(end + 1);
    ASSERT_TRUE(row) << row.error().front().message;
    SCOPED_TRACE(text_of(*row, "name"));
    EXPECT_TRUE(names.insert(text_of(*row, "name")).second) << "a name twice";

    const JsonNode* object = row->find("request");
    const std::string request = object == nullptr ? text_of(*row, "text") : json_text(*object);
    const Answer answer = answer_request(embedded_catalog_facts(), request);
    const Result<JsonNode> read = parse_json(answer.text);
    ASSERT_TRUE(read) << answer.text;
    EXPECT_EQ(found_problems(*read), expected_problems(*row)) << answer.text;
    EXPECT_EQ(answer.outcome, Outcome::wrong_input);
    const std::string hint = text_of(*row, "hint");
    if (const JsonNode* first = read->find("error"); first != nullptr) {
      EXPECT_NE(text_of(*first, "hint").find(hint), std::string::npos)
          << text_of(*first, "hint") << " does not say " << hint;
    }
  }
  EXPECT_GE(names.size(), 200u);
}

}  // namespace
}  // namespace podwright::bad_requests_test
