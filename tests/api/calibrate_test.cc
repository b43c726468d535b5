#include "api/backtest.h"

#include <gtest/gtest.h>

#include "base/json_read.h"
#include "base/json_write.h"

namespace podwright::calibrate_test {
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

TEST(CalibrateOnTables, RefusesTooFewRows) {
  const auto made = calibrate_on_tables(embedded_catalog_facts(), {{"few.csv", kHead + rows("a", 0, 3)}}, silent);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->size(), 1u);
  EXPECT_EQ(made->front().fitted_rows, 3);
  EXPECT_NE(made->front().refused, "");
  EXPECT_TRUE(made->front().tables.empty());
}

TEST(CalibrateOnTables, RefusesOneSourceAlone) {
  const auto made = calibrate_on_tables(embedded_catalog_facts(), {{"one.csv", kHead + rows("a", 0, 14)}}, silent);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->size(), 1u);
  EXPECT_NE(made->front().refused.find("one source"), std::string::npos) << made->front().refused;
}

TEST(CalibrateOnTables, FitsTablesOfServingApartFromThoseOfTraining) {
  const std::string serving =
      "id,source,gpu_id,model_id,framework,framework_version,num_gpus,tp,precision,input_len,output_len,load_kind,"
      "concurrency_or_batch,tpot_or_itl_ms\n"
      "a,s,h100-sxm5-80gb,llama-3-8b,vLLM,0.12.0,1,1,bf16,1024,256,concurrency,16,9\n";
  const auto made = calibrate_on_tables(embedded_catalog_facts(),
                                        {{"serving.csv", serving}, {"training.csv", kHead + rows("a", 0, 3)}}, silent);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->size(), 2u);
  EXPECT_EQ((*made)[0].fitted_rows, 3);
  EXPECT_EQ((*made)[1].fitted_rows, 1);
  EXPECT_NE((*made)[1].refused.find("rows of serving"), std::string::npos) << (*made)[1].refused;
}

TEST(CalibrateOnTables, NamesTheProblemsOfATable) {
  const auto made = calibrate_on_tables(embedded_catalog_facts(), {{"bad.csv", "a,b\n1,2\n"}}, silent);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().front().code, "missing");
}

TEST(CalibrateOnTables, RefusesTablesOfMemory) {
  const auto made = calibrate_on_tables(
      embedded_catalog_facts(),
      {{"memory.csv",
        "id,gpu_id,model_id,framework,mem_fraction,max_model_len\na,h100-sxm5-80gb,llama-3-8b,vLLM,0.9,4096\n"}},
      silent);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().front().code, "conflict");
}

std::string backtest_of(const std::string& csv) {
  JsonWriter out;
  out.begin_object();
  out.text("kind", "backtest");
  out.text("csv", csv);
  out.end_object();
  return out.take();
}

TEST(BacktestLeavingOut, PredictsEachGroupByTheOthers) {
  const std::string request = backtest_of(kHead + rows("a", 0, 8) + rows("b", 8, 8));
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

// Predictions by a fit of those very rows are none by a fit without them.
TEST(BacktestLeavingOut, RefusesToLeaveOutAll) {
  const std::string request = backtest_of(kHead + rows("a", 0, 8));
  const Answer alone = answer_backtest_leaving_out(embedded_catalog_facts(), request, "source", {}, silent);
  EXPECT_EQ(alone.outcome, Outcome::wrong_input);
  const auto error = parse_json(alone.text);
  ASSERT_TRUE(error) << alone.text;
  ASSERT_NE(error->find("error"), nullptr) << alone.text;
  EXPECT_EQ(error->find("error")->find("code")->text, "conflict");
  EXPECT_EQ(error->find("error")->find("path")->text, "/leave_out");
  EXPECT_NE(error->find("error")->find("message")->text.find("nothing remains"), std::string::npos) << alone.text;

  const Answer with_another = answer_backtest_leaving_out(embedded_catalog_facts(), request, "source",
                                                          {{"b.csv", kHead + rows("b", 8, 8)}}, silent);
  EXPECT_EQ(with_another.outcome, Outcome::answer) << with_another.text;
}

// No constant stands on them, so the fit of all others is one without them.
TEST(BacktestLeavingOut, PredictsGroupsWithoutATime) {
  const std::string head =
      "id,source,gpu_id,model_id,seq_len,num_gpus,tp,micro_batch,global_batch,framework,step_time_s,memory_gib_per_"
      "gpu\n";
  const std::string untimed = head + "m,memory,h100-sxm5-80gb,llama-3-8b,4096,8,2,1,64,Megatron-Core,,60\n";
  const Answer answer = answer_backtest_leaving_out(embedded_catalog_facts(), backtest_of(untimed), "source",
                                                    {{"b.csv", kHead + rows("b", 8, 8)}}, silent);
  ASSERT_EQ(answer.outcome, Outcome::answer) << answer.text;
  EXPECT_EQ(parse_json(answer.text)->find("rows")->items.size(), 1u) << answer.text;
}

TEST(BacktestLeavingOut, KnowsItsKeys) {
  const Answer answer = answer_backtest_leaving_out(embedded_catalog_facts(), "{}", "colour", {}, silent);
  EXPECT_EQ(answer.outcome, Outcome::wrong_input);
  EXPECT_NE(answer.text.find("/leave_out"), std::string::npos);
  EXPECT_NE(answer.text.find("load_kind"), std::string::npos) << "keys of serving runs are legal too";
}

}  // namespace
}  // namespace podwright::calibrate_test
