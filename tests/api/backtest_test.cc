// What people write of their own runs: few columns, and mistakes that are named.
#include "api/backtest.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/json_write.h"
#include "support/ask.h"

namespace podwright::backtest_api_test {
namespace {

Reply asked(const std::string& csv) {
  JsonWriter out;
  out.begin_object();
  out.text("kind", "backtest");
  out.text("csv", csv);
  out.boolean("mine", true);
  out.end_object();
  return ask(out.take());
}

const std::string kHead = "model,gpu,num_gpus,tp,concurrency,input_len,output_len,tpot_ms\n";
const std::string kRow = "llama-3.1-8b,H100 SXM,1,1,16,1024,256,9.5\n";

TEST(OwnTable, NeedsEightColumns) {
  const Reply reply = asked(kHead + kRow + kRow);
  ASSERT_EQ(reply.outcome, Outcome::answer);
  EXPECT_EQ(reply.answer.find("rows")->items.size(), 2u);
  EXPECT_EQ(reply.answer.find("rows")->items[1].find("id")->text, "line 3");
  EXPECT_EQ(reply.answer.find("rows")->items[0].find("metric")->text, "tpot_or_itl_ms");
  const JsonNode& mine = reply.answer.find("mine")->items.front();
  EXPECT_EQ(mine.find("rows")->number, 2);
  EXPECT_NE(mine.find("message")->text.find("2 runs are"), std::string::npos);
  EXPECT_FALSE(mine.find("advice")->find("message")->text.empty());
  EXPECT_EQ(reply.answer.find("unknown_columns"), nullptr);
}

TEST(OwnTable, WithoutAColumnIsRefusedWithItsNameAndLine) {
  for (const std::string column : {"output_len", "input_len", "gpu", "model", "tpot_ms"}) {
    std::string head = kHead;
    head.replace(head.find(column), column.size(), "x");
    const Reply reply = asked(head + kRow);
    ASSERT_EQ(reply.outcome, Outcome::wrong_input) << column;
    const std::string message = first_error(reply.answer, "message");
    const std::string named = column == "tpot_ms" ? "ttft_ms" : column;
    EXPECT_NE((message + first_error(reply.answer, "hint")).find(named), std::string::npos) << column << message;
    EXPECT_NE(message.find(":1: "), std::string::npos) << message;
  }
  const Reply word = asked(kHead + kRow + "llama-3.1-8b,H100 SXM,1,1,16,1024,256,fast\n");
  EXPECT_NE(first_error(word.answer, "message").find(":3: "), std::string::npos);
}

TEST(OwnTable, IsSeparatedByCommas) {
  for (const char other : {';', '\t'}) {
    std::string csv = kHead + kRow;
    std::replace(csv.begin(), csv.end(), ',', other);
    EXPECT_NE(first_error(asked(csv).answer, "message").find("not by commas"), std::string::npos) << csv;
  }
}

TEST(OwnTable, HasAtMostTenThousandLines) {
  std::string csv = kHead;
  for (int i = 0; i < 10'000; ++i) csv += kRow;
  const Reply reply = asked(csv);
  ASSERT_EQ(reply.outcome, Outcome::wrong_input);
  EXPECT_EQ(first_error(reply.answer, "code"), "too-large");
  EXPECT_EQ(first_error(reply.answer, "path"), "/csv");
}

TEST(OwnTable, SkipsARowWithItsLineAndCode) {
  const Reply reply = asked(kHead + kRow + "llama-3.1-8b,Abacus,1,1,16,1024,256,9\n" +
                            "llama-3.1-8b,H100 SXM,1,1,16,1024,,9\n" + "llama-3.1-8b,H100 SXM,1,1,16,1024,256,\n");
  const auto& skipped = reply.answer.find("skipped")->items;
  ASSERT_EQ(skipped.size(), 3u);
  const char* codes[] = {"unknown-id", "missing", "missing"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(skipped[i].find("code")->text, codes[i]);
    EXPECT_EQ(skipped[i].find("line")->number, static_cast<double>(3 + i));
  }
  EXPECT_NE(skipped[1].find("reason")->text.find("output_len"), std::string::npos);
}

TEST(OwnTable, NamesColumnsThatItDoesNotKnow) {
  std::string head = kHead;
  head.replace(head.find("concurrency"), 11, "concurency");
  const Reply reply = asked(head + kRow);
  const auto& unknown = reply.answer.find("unknown_columns")->items;
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(unknown[0].find("column")->text, "concurency");
  EXPECT_EQ(unknown[0].find("nearest_column")->text, "concurrency");
}

TEST(OwnTable, MaySayHowItsRunsAreTuned) {
  const auto predicted = [](const std::string& tuning) {
    const Reply reply = asked("tuning," + kHead + tuning + "," + kRow);
    return number_at(reply.answer, "/rows/0/predicted");
  };
  EXPECT_EQ(predicted("typical"), predicted(""));
  EXPECT_LT(predicted("tuned"), predicted("typical"));
}

}  // namespace
}  // namespace podwright::backtest_api_test
