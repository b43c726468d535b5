#include "base/message.h"

#include <gtest/gtest.h>

#include "base/json_read.h"
#include "base/json_write.h"
#include "support/test_data.h"

namespace podwright {
namespace {

TEST(Message, FillsPlacesAsTheSharedCasesSay) {
  const auto cases = parse_json(podwright_test_data("tests/base/data/message_cases.json"));
  ASSERT_TRUE(cases.has_value());
  for (const JsonNode& one : cases->items) {
    const JsonNode& given = *one.find("values");
    std::vector<std::pair<std::string_view, MessageValue>> values;
    for (std::size_t i = 0; i < given.items.size(); ++i)
      values.emplace_back(given.keys[i], given.items[i].is_number() ? MessageValue(given.items[i].number)
                                                                    : MessageValue(given.items[i].text));
    EXPECT_EQ(filled(one.find("template")->text, values), one.find("text")->text);
  }
}

TEST(Message, HoldsItsCodeAndValues) {
  const Message message = say("costs-more", "usd_per_year"_v = 1.5e6, "times"_v = 1.25);
  EXPECT_EQ(message.code, "costs-more");
  EXPECT_EQ(std::get<double>(message.values[1].second), 1.25);
  EXPECT_EQ(message.text(), "It costs $1.5 million a year, which is 1.25 times as much as the first plan.");
}

TEST(Message, SaysSentencesInsideOneAnother) {
  const Message close = say("close-call");
  const Message own = say("chosen", "way"_v = say_word<"way">("own"));
  const Message both = say("sentences", "sentences"_v = std::vector<Message>{own, close});
  EXPECT_EQ(both.text(), "Own; its cost is not known. It is a close call.");
  EXPECT_NE(own, close);
}

TEST(Message, IsWrittenWithCodeTextAndValues) {
  JsonWriter out;
  out.begin_object();
  out.message("decision", say("chosen/priced", "way"_v = say_word<"way">("own"), "usd_per_year"_v = 0.1 + 0.2));
  out.messages("notes", {as_written("As the source says.")});
  out.end_object();
  EXPECT_EQ(out.take(), R"({"decision":{"code":"chosen/priced","message":"Own: $0.30 a year.",)"
                        R"("values":{"way":[{"code":"way/own","message":"Own"}],"usd_per_year":0.3}},)"
                        R"("notes":[{"code":"as-written","message":"As the source says.",)"
                        R"("values":{"text":"As the source says."}}]})");
}

}  // namespace
}  // namespace podwright
