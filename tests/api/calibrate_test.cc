#include "api/calibrate.h"

#include <gtest/gtest.h>

#include "base/json_read.h"

namespace podwright {
namespace {

const std::string kHead =
    "id,source,gpu_id,model_id,seq_len,num_gpus,tp,micro_batch,global_batch,framework,step_time_s\n";

std::string rows(const std::string& source, int from, int count) {
  std::string csv;
  for (int i = from; i < from + count; ++i)
    csv += std::to_string(i) + "," + source + ",h100-sxm5-80gb,llama-3-8b," + std::to_string(2048 << (i % 3)) + ",8," +
           std::to_string(1 << (i % 2)) + ",1,64,Megatron-Core,5\n";
  return csv;
}

void silent(const std::string&) {}

TEST(CalibrateTraining, RefusesTooFewRows) {
  const auto made = calibrate_training(embedded_catalog_facts(), {{"few.csv", kHead + rows("a", 0, 3)}}, silent);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->fitted_rows, 3);
  EXPECT_NE(made->refused, "");
  EXPECT_TRUE(made->tables.empty());
}

TEST(CalibrateTraining, RefusesOneSourceAlone) {
  const auto made = calibrate_training(embedded_catalog_facts(), {{"one.csv", kHead + rows("a", 0, 14)}}, silent);
  ASSERT_TRUE(made);
  EXPECT_NE(made->refused.find("one source"), std::string::npos) << made->refused;
}

TEST(CalibrateTraining, NamesTheProblemsOfATable) {
  const auto made = calibrate_training(embedded_catalog_facts(), {{"bad.csv", "a,b\n1,2\n"}}, silent);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().front().code, "missing");
}

TEST(BacktestLeavingOut, PredictsEachGroupByTheOthers) {
  const std::string request = R"({"kind":"backtest","files":[{"name":"two.csv","csv":")" +
                              [](std::string text) {
                                for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
                                  text.replace(at, 1, "\\n");
                                return text;
                              }(kHead + rows("a", 0, 8) + rows("b", 8, 8)) +
                              R"("}]})";
  std::vector<std::string> groups;
  const Answer answer = answer_backtest_leaving_out(embedded_catalog_facts(), request, "source", {},
                                                    [&](const std::string& group) { groups.push_back(group); });
  EXPECT_EQ(groups, (std::vector<std::string>{"a", "b"}));
  const auto node = parse_json(answer.text);
  ASSERT_TRUE(node) << answer.text;
  EXPECT_EQ(node->find("rows")->items.size(), 16u);
  EXPECT_EQ(node->find("rows")->items.front().find("id")->text, "0");
  EXPECT_NE(node->find("constants")->text.find("without each source"), std::string::npos);
}

TEST(BacktestLeavingOut, KnowsItsKeys) {
  const Answer answer = answer_backtest_leaving_out(embedded_catalog_facts(), "{}", "colour", {}, silent);
  EXPECT_EQ(answer.outcome, Outcome::wrong_input);
  EXPECT_NE(answer.text.find("/leave_out"), std::string::npos);
}

}  // namespace
}  // namespace podwright
