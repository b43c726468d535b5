// What would make it faster: each change does what is said of it when it is asked for.
#include <gtest/gtest.h>

#include "support/ask.h"
#include "support/test_data.h"

namespace podwright::faster_test {
namespace {

const std::string kServing =
    R"({"kind":"serving","model":"llama-3.1-70b","gpu":"h100-sxm5-80gb","gpu_count":8,"weight_precision":"bf16",
        "engine":"vllm","input_tokens":1024,"output_tokens":256,"load":{"concurrency":32},
        "parallelism":{"tensor":4,"data":2}})";
const std::string kMoe =
    R"({"kind":"serving","model":"deepseek-v3","gpu":"b200-sxm","gpu_count":8,"weight_precision":"fp8-block",
        "engine":"sglang","input_tokens":1024,"output_tokens":256,"load":{"request_rate_per_s":2},
        "parallelism":{"tensor":8}})";
const std::string kSuggest = R"({"suggest":true})";

double speed(const std::string& request, const JsonNode& answer) {
  if (request.find(R"("kind":"training")") != std::string::npos) return number_at(answer, "/throughput/tokens_per_s");
  if (request.find("request_rate") != std::string::npos) return 1 / number_at(answer, "/latency/request_s");
  return number_at(answer, "/throughput/total_tokens_per_s");
}

class Faster : public ::testing::TestWithParam<std::string> {};

TEST_P(Faster, ByAsMuchAsIsSaid) {
  const std::string request = GetParam();
  const Reply plain = ask(request);
  ASSERT_EQ(plain.outcome, Outcome::answer) << json_text(plain.answer);
  EXPECT_EQ(plain.answer.find("faster"), nullptr);
  const Reply reply = ask(request, kSuggest);
  const JsonNode* faster = reply.answer.find("faster");
  ASSERT_NE(faster, nullptr);
  EXPECT_EQ(faster->find("tuning")->text, "typical");
  const auto& changes = faster->find("changes")->items;
  EXPECT_GE(changes.size(), 2u);
  EXPECT_LE(changes.size(), 5u);
  double last = 1e9;
  for (const JsonNode& change : changes) {
    const std::string set = json_text(*change.find("set"));
    SCOPED_TRACE(set);
    const double gain = change.find("gain")->number;
    EXPECT_GE(gain, 0.01);
    EXPECT_LE(gain, last);
    last = gain;
    const Reply changed = ask(request, set);
    ASSERT_EQ(changed.outcome, Outcome::answer) << json_text(changed.answer);
    EXPECT_NEAR(speed(request, changed.answer) / speed(request, plain.answer), 1 + gain, 1e-9);
    EXPECT_NE(change.find("message")->text.find("% faster"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(OfRun, Faster, ::testing::Values(kServing, kMoe, kTrainingRun));

TEST(Faster, IsNotSaidOfWhatDoesNotFit) {
  const Reply reply = ask(kServing, R"({"suggest":true,"gpu_count":1,"parallelism":{"tensor":1,"data":1}})");
  EXPECT_EQ(reply.outcome, Outcome::infeasible);
  EXPECT_TRUE(reply.answer.find("faster")->find("changes")->items.empty());
}

TEST(Faster, WithATrace) {
  const Reply reply = ask(kServing, R"({"suggest":true,"explain":true})");
  EXPECT_EQ(json_text(*reply.answer.find("faster")), json_text(*ask(kServing, kSuggest).answer.find("faster")));
  EXPECT_NE(reply.answer.find("trace"), nullptr);
}

TEST(Plan, ShowsBothEndsOfTuningForItsFirst) {
  const std::string request =
      R"({"kind":"plan","workloads":[{"type":"serving","name":"chat","model":"llama-3.1-70b",
          "input_tokens":1024,"output_tokens":256,"peak_requests_per_s":10,"tpot_s_p95_max":0.05}],
          "constraints":{"gpus":["h100-sxm5-80gb","h200-sxm5-141gb"]}})";
  const auto end = [](const Reply& reply, std::size_t plan, const char* value) {
    for (const JsonNode& reason : reply.answer.find("plans")->items.at(plan).find("reasons")->items)
      if (reason.find("code")->text == "tuning-ends/serving") return number_at(*reason.find("values"), value);
    return 0.0;
  };
  const Reply typical = ask(request);
  ASSERT_EQ(typical.outcome, Outcome::answer) << json_text(typical.answer);
  ASSERT_GE(typical.answer.find("plans")->items.size(), 2u);
  EXPECT_EQ(end(typical, 1, "/tuned"), 0);
  EXPECT_LT(end(typical, 0, "/tuned"), end(typical, 0, "/time"));
  EXPECT_NE(end(typical, 0, "/installed"), end(typical, 0, "/time"));
  EXPECT_NEAR(end(typical, 0, "/time"), number_at(typical.answer, "/plans/0/estimates/0/latency/tpot_s"), 1e-9);
}

}  // namespace
}  // namespace podwright::faster_test
