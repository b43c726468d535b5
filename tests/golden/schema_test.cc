#include "api/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/answer.h"
#include "api/kinds.h"
#include "api/outcome.h"
#include "golden/golden.h"

namespace podwright::schema_test {
namespace {

bool has_type(const JsonNode& node, std::string_view type) {
  if (type == "null") return node.type == JsonType::null;
  if (type == "object") return node.is_object();
  if (type == "array") return node.is_list();
  if (type == "string") return node.is_text();
  if (type == "boolean") return node.type == JsonType::boolean;
  if (type == "integer")
    return node.is_number() && node.number == static_cast<double>(static_cast<long long>(node.number));
  return type == "number" && node.is_number();
}

/// The words of JSON Schema that the schemas of requests use; "" or the first thing that breaks.
std::string problem(const JsonNode& node, const JsonNode& schema, const std::string& path) {
  if (const JsonNode* forms = schema.find("oneOf")) {
    // One form takes it; of several problems that of the form which the words choose is told.
    std::string first;
    int taking = 0;
    for (const JsonNode& form : forms->items) {
      const std::string one = problem(node, form, path);
      taking += one.empty() ? 1 : 0;
      if (first.empty() || one.find(": enum") == std::string::npos) first = one;
    }
    return taking == 1 ? "" : taking > 1 ? path + ": oneOf" : first;
  }
  if (const JsonNode* type = schema.find("type")) {
    const std::vector<JsonNode> types = type->is_list() ? type->items : std::vector<JsonNode>{*type};
    if (std::none_of(types.begin(), types.end(), [&](const JsonNode& one) { return has_type(node, one.text); }))
      return path + ": type";
  }
  if (const JsonNode* words = schema.find("enum"))
    if (std::none_of(words->items.begin(), words->items.end(),
                     [&](const JsonNode& word) { return word.text == node.text; }))
      return path + ": enum";
  if (const JsonNode* least = schema.find("minimum");
      least != nullptr && node.is_number() && node.number < least->number)
    return path + ": minimum";
  if (const JsonNode* most = schema.find("maximum"); most != nullptr && node.is_number() && node.number > most->number)
    return path + ": maximum";
  if (const JsonNode* required = schema.find("required"))
    for (const JsonNode& key : required->items)
      if (node.find(key.text) == nullptr) return path + "/" + key.text + ": required";
  if (const JsonNode* properties = schema.find("properties"); properties != nullptr && node.is_object())
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      const JsonNode* property = properties->find(node.keys[i]);
      if (property == nullptr) return path + "/" + node.keys[i] + ": unknown";
      if (const std::string inside = problem(node.items[i], *property, path + "/" + node.keys[i]); !inside.empty())
        return inside;
    }
  if (const JsonNode* items = schema.find("items"); items != nullptr && node.is_list())
    for (std::size_t i = 0; i < node.items.size(); ++i)
      if (const std::string inside = problem(node.items[i], *items, path + "/" + std::to_string(i)); !inside.empty())
        return inside;
  return "";
}

std::string problem(const JsonNode& request) {
  const JsonNode* kind = request.find("kind");
  return problem(request, golden::parsed(request_schema(embedded_catalog_facts(), kind == nullptr ? "" : kind->text)),
                 "");
}

/// Every object says which keys it has, and a word about each.
void check_object(const JsonNode& schema) {
  const JsonNode* type = schema.find("type");
  if (const JsonNode* items = schema.find("items")) check_object(*items);
  if (const JsonNode* forms = schema.find("oneOf"))
    for (const JsonNode& form : forms->items) check_object(form);
  if (type == nullptr || type->text != "object") return;
  ASSERT_NE(schema.find("additionalProperties"), nullptr);
  EXPECT_FALSE(schema.find("additionalProperties")->boolean);
  const JsonNode* properties = schema.find("properties");
  ASSERT_NE(properties, nullptr);
  EXPECT_FALSE(properties->items.empty());
  for (std::size_t i = 0; i < properties->items.size(); ++i) {
    SCOPED_TRACE(properties->keys[i]);
    const JsonNode* description = properties->items[i].find("description");
    EXPECT_TRUE(description != nullptr && !description->text.empty());
    check_object(properties->items[i]);
  }
}

TEST(RequestSchema, IsThereForEveryKind) {
  for (const std::string& kind : kind_words(request_kinds())) {
    SCOPED_TRACE(kind);
    const auto schema = parse_json(request_schema(embedded_catalog_facts(), kind));
    ASSERT_TRUE(schema);
    EXPECT_EQ(schema->find("$schema")->text, "https://json-schema.org/draft/2020-12/schema");
    check_object(*schema);
  }
  EXPECT_EQ(request_schema(embedded_catalog_facts(), "no-such-kind"), "");
}

TEST(RequestSchema, TakesEveryGoldenRequestThatIsAnswered) {
  for (const std::string& path : golden::request_paths()) {
    SCOPED_TRACE(path);
    const JsonNode request = golden::request(path);
    const Outcome outcome = golden::answer_to(request).outcome;
    if (outcome == Outcome::wrong_input) continue;
    EXPECT_EQ(problem(request), "");
  }
}

TEST(RequestSchema, RefusesWhatTheReaderRefuses) {
  const JsonNode request = golden::parsed(R"({"kind":"rule_of_thumb","parameters":7e9})");
  EXPECT_EQ(problem(request), "");
  const auto with = [&](const char* patch) { return problem(merged(request, golden::parsed(patch))); };
  EXPECT_EQ(with(R"({"paramters":1})"), "/paramters: unknown");
  EXPECT_EQ(with(R"({"bits_per_weight":65})"), "/bits_per_weight: maximum");
  EXPECT_EQ(with(R"({"tokens":1.5})"), "/tokens: type");
  EXPECT_EQ(with(R"({"kind":"rule"})"), "");  // of no kind there is no schema
  // Fields of another form of the object.
  const std::string plan = R"({"kind":"plan","workloads":[{"model":"llama-3.1-8b","type":"training","tokens":1e9,)";
  EXPECT_EQ(problem(golden::parsed(plan + R"("deadline_days":3}]})")), "");
  EXPECT_EQ(problem(golden::parsed(plan + R"("deadline_days":3,"input_tokens":10}]})")),
            "/workloads/0/input_tokens: unknown");
  EXPECT_EQ(problem(golden::parsed(plan + R"("engine":"vllm"}]})")), "/workloads/0/deadline_days: required");
  EXPECT_EQ(problem(golden::parsed(R"({"kind":"plan"})")), "/workloads: required");
  EXPECT_EQ(problem(golden::parsed(R"({"kind":"catalog","list":"gpu"})")), "/list: enum");
}

/// Kinds whose answers have a table of fields.
TEST(AnswerSchema, HoldsForEveryGoldenAnswer) {
  const std::vector<std::string_view> kinds = kinds_with_answer_schema();
  for (const std::string& path : golden::request_paths()) {
    const JsonNode request = golden::request(path);
    const JsonNode* kind = request.find("kind");
    if (kind == nullptr || std::find(kinds.begin(), kinds.end(), kind->text) == kinds.end()) continue;
    SCOPED_TRACE(path);
    const Answer answer = golden::answer_to(request);
    if (answer.outcome == Outcome::wrong_input) continue;
    EXPECT_EQ(problem(golden::parsed(answer.text), golden::parsed(answer_schema(kind->text)), ""), "");
  }
}

}  // namespace
}  // namespace podwright::schema_test
