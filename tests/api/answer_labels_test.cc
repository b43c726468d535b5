#include <gtest/gtest.h>

#include "api/schema.h"
#include "base/json_read.h"

namespace podwright::answer_labels_test {
namespace {

/// Every field of a schema with the label that its table gives it.
template <class See>
void see_fields(const JsonNode& schema, const See& see) {
  const JsonNode* items = schema.find("items");
  const JsonNode* fields = (items == nullptr ? schema : *items).find("properties");
  for (std::size_t i = 0; fields != nullptr && i < fields->items.size(); ++i) {
    const JsonNode* title = fields->items[i].find("title");
    see(fields->keys[i], title == nullptr ? "" : title->text);
    see_fields(fields->items[i], see);
  }
}

std::string label_of(std::string_view key) {
  const auto known = answer_labels().find(key);
  if (known != answer_labels().end()) return known->second.label;
  const std::string_view number = without_bound(key);
  if (number == key) return "not listed";
  const std::string label = label_of(number);
  return label.empty() ? "" : label + ", " + std::string(key.substr(number.size() + 1));
}

TEST(AnswerLabels, AKeyHasOneLabelWhereverItIs) {
  std::size_t seen = 0;
  for (const std::string_view kind : kinds_with_answer_schema())
    see_fields(*parse_json(answer_schema(kind)), [&](const std::string& key, const std::string& label) {
      ++seen;
      EXPECT_EQ(label, label_of(key)) << kind << " " << key;
    });
  EXPECT_GT(seen, 1000u);
}

TEST(AnswerLabels, HaveTheUnitWhereItIsTheSameEverywhere) {
  EXPECT_EQ(answer_labels().at("ttft_s").unit, "s");
  EXPECT_EQ(answer_labels().at("p5").unit, "");
  EXPECT_EQ(answer_labels().count("ttft_s_p95"), 0u);
}

TEST(AnswerLabels, OfMoneyTypicalIsNotTheBaseOfLow) {
  EXPECT_EQ(answer_labels().at("servers_usd").label, "Servers, typical");
  EXPECT_EQ(answer_labels().at("servers_usd_low").label, "Servers, low");
}

}  // namespace
}  // namespace podwright::answer_labels_test
