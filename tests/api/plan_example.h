#pragma once
/// A `plan` of one served model, as text, and ways into its answer.
#include <gtest/gtest.h>

#include <string>

#include "api/answer.h"
#include "base/json_read.h"

namespace podwright::plan_example {

inline JsonNode parsed(const std::string& text) {
  auto node = parse_json(text);
  EXPECT_TRUE(node.has_value()) << text;
  return node ? *node : JsonNode{};
}

inline JsonNode answer_of(const Catalog& catalog, const std::string& request) {
  return parsed(answer_request(catalog, request).text);
}
inline JsonNode answer_of(const std::string& request) { return answer_of(embedded_catalog_facts(), request); }

inline const JsonNode* find(const JsonNode& node, std::initializer_list<std::string_view> path) {
  const JsonNode* at = &node;
  for (const std::string_view step : path) {
    if (at->is_list()) {
      const auto index = static_cast<std::size_t>(std::stoul(std::string(step)));
      at = index < at->items.size() ? &at->items[index] : nullptr;
    } else {
      at = at->find(step);
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

inline double number(const JsonNode& node, std::initializer_list<std::string_view> path) {
  const JsonNode* value = find(node, path);
  EXPECT_NE(value, nullptr) << *path.begin();
  return value == nullptr ? 0 : value->number;
}

/// Yearly cost of the first plan as its decision names it, USD; -1 without a plan or a sum.
inline double yearly_cost(const JsonNode& answer) {
  const JsonNode* decision = find(answer, {"plans", "0", "decision"});
  if (decision == nullptr) return -1;
  const JsonNode* parts = find(*decision, {"values", "sentences"});
  const JsonNode* amount = find(parts == nullptr ? *decision : parts->items.front(), {"values", "usd_per_year"});
  return amount == nullptr ? -1 : amount->number;
}

inline std::string chat(const std::string& constraints, const std::string& economics = "{}",
                        const std::string& options = R"({"top":3,"draws":2000})") {
  return R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":60,
  "mean_requests_per_s":25,"input_tokens":1500,"output_tokens":400,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05}],
  "constraints":)" +
         constraints + R"(,"economics":)" + economics + R"(,"options":)" + options + "}";
}

inline const std::string kH100 = R"({"gpus":["h100-sxm5-80gb"]})";

}  // namespace podwright::plan_example
