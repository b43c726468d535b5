#include "api/requests.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/answer.h"

namespace podwright::ways_out_test {
namespace {

JsonNode parsed(std::string_view text) {
  const auto node = parse_json(text);
  EXPECT_TRUE(node) << text;
  return node ? *node : JsonNode{};
}
Answer ask(const JsonNode& request) { return answer_request(embedded_catalog_facts(), json_text(request)); }

std::string answered(const JsonNode& request) {
  const Answer answer = ask(request);
  const char* names[] = {"answer", "infeasible", "wrong input"};
  return names[static_cast<int>(answer.outcome)];
}

/// Every way out of every reason of the answer's list `reasons`.
std::vector<JsonNode> ways_out(const JsonNode& answer, std::string_view reasons = "reasons") {
  std::vector<JsonNode> patches;
  const JsonNode* list = answer.find(reasons);
  if (list == nullptr) return patches;
  for (const JsonNode& reason : list->items)
    for (const JsonNode& patch : reason.find("ways_out")->items) patches.push_back(patch);
  return patches;
}

/// The request does not fit; each of its ways out, by itself, makes it fit.
void each_way_leads_out(const std::string& patch_of_request, std::size_t at_least) {
  const JsonNode request = merged(
      parsed(
          R"({"kind":"serving","model":"llama-3.1-70b","gpu":"h100-sxm5-80gb","gpu_count":1,"weight_precision":"bf16","engine":"vllm",
                                             "input_tokens":1024,"output_tokens":256,"load":{"concurrency":4}})"),
      parsed(patch_of_request));
  SCOPED_TRACE(json_text(request));
  const Answer answer = ask(request);
  ASSERT_EQ(answer.outcome, Outcome::infeasible) << answer.text;
  const std::vector<JsonNode> patches = ways_out(parsed(answer.text));
  EXPECT_GE(patches.size(), at_least) << answer.text;
  for (const JsonNode& patch : patches) EXPECT_EQ(answered(merged(request, patch)), "answer") << json_text(patch);
}

TEST(WaysOut, OfWeightsThatDoNotFit) { each_way_leads_out("{}", 3); }
TEST(WaysOut, OfWeightsThatDoNotFitEightOld) {
  each_way_leads_out(R"({"gpu":"a100-sxm4-40gb","gpu_count":2,"parallelism":{"tensor":2}})", 2);
}
TEST(WaysOut, OfALongPrompt) { each_way_leads_out(R"({"model":"llama-3.1-8b","gpu":"l4","input_tokens":100000})", 3); }
TEST(WaysOut, OfALongPromptWithALimit) {
  each_way_leads_out(R"({"model":"llama-3.1-8b","gpu":"l4","input_tokens":90000,"max_model_tokens":100000})", 3);
}
TEST(WaysOut, OfExpertsWithoutRoom) { each_way_leads_out(R"({"model":"mixtral-8x7b-v0.1","engine":"sglang"})", 2); }
TEST(WaysOut, OfLatentAttention) {
  each_way_leads_out(
      R"({"model":"deepseek-v3","engine":"sglang","weight_precision":"fp8-block","gpu_count":8,"parallelism":{"tensor":8,"expert":8}})",
      1);
}
TEST(WaysOut, OfADesktop) {
  each_way_leads_out(R"({"gpu":"rtx-4090","engine":"llama.cpp","weight_precision":"q8-0","load":{"concurrency":1}})",
                     1);
}
TEST(WaysOut, OfTooManyRequests) {
  each_way_leads_out(
      R"({"gpu_count":4,"parallelism":{"tensor":4},"load":{"concurrency":null,"request_rate_per_s":90}})", 1);
}

TEST(WaysOut, OfTrainingLiftTheirLimit) {
  const JsonNode request = parsed(
      R"({"kind":"training","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":8,"sequence_length":8192,"global_batch_size":64,
                                      "parallelism":{"data":8,"zero_stage":0}})");
  const Answer answer = ask(request);
  ASSERT_EQ(answer.outcome, Outcome::infeasible) << answer.text;
  const std::vector<JsonNode> patches = ways_out(parsed(answer.text));
  EXPECT_GE(patches.size(), 2u) << answer.text;
  for (const JsonNode& patch : patches) EXPECT_EQ(answered(merged(request, patch)), "answer") << json_text(patch);
}

TEST(WaysOut, CarryTheGpuCountThatTheirLayoutAsksFor) {
  const JsonNode request = parsed(R"({"gpu_count":4,"parallelism":{"tensor":4,"data":1}})");
  EXPECT_EQ(with_gpu_count(request, Patch("/parallelism/data", 6)).text(),
            R"({"parallelism":{"data":6},"gpu_count":24})");
  EXPECT_EQ(with_gpu_count(request, Patch("/parallelism/expert", 1)).text(), R"({"parallelism":{"expert":1}})");
  EXPECT_EQ(with_gpu_count(request, Patch("/gpu", "b200-sxm")).text(), R"({"gpu":"b200-sxm"})");
}

/// Plans reject the one GPU for one reason, whose ways out are patches of the whole request.
void each_way_leads_out_of_plan(const std::string& patch_of_request, const std::string& code) {
  const JsonNode request = merged(parsed(R"({"kind":"plan","constraints":{"gpus":["h100-sxm5-80gb"]},
      "workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":2,"input_tokens":1024,"output_tokens":256},
                   {"name":"adapt","type":"training","method":"lora","model":"llama-3.1-8b","tokens":1e9,"deadline_days":10}]})"),
                                  parsed(patch_of_request));
  SCOPED_TRACE(json_text(request));
  const Answer answer = ask(request);
  ASSERT_EQ(answer.outcome, Outcome::infeasible) << answer.text;
  const JsonNode node = parsed(answer.text);
  EXPECT_EQ(node.find("rejected")->items.front().find("code")->text, code);
  const std::vector<JsonNode> patches = ways_out(node, "rejected");
  EXPECT_GE(patches.size(), 1u) << answer.text;
  for (const JsonNode& patch : patches) EXPECT_EQ(answered(merged(request, patch)), "answer") << json_text(patch);
  EXPECT_EQ(ways_out(node).size(), patches.size());
}

TEST(WaysOut, OfAPlanTooSlowForItsTokens) {
  each_way_leads_out_of_plan(
      R"({"workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":1,"input_tokens":1024,"output_tokens":256,"tpot_s_p95_max":0.001},
                                 {"name":"other","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":1,"input_tokens":1024,"output_tokens":256}]})",
      "tpot");
}
TEST(WaysOut, OfAPlanTooSlowForItsFirstToken) {
  each_way_leads_out_of_plan(
      R"({"workloads":[{"type":"serving","model":"llama-3.1-70b","peak_requests_per_s":0.1,"input_tokens":32768,"output_tokens":256,"ttft_s_p95_max":0.01}]})",
      "ttft");
}
TEST(WaysOut, OfAPlanPastItsDeadline) {
  each_way_leads_out_of_plan(
      R"({"workloads":[{"name":"small","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":1,"input_tokens":1024,"output_tokens":256},
                                 {"name":"pretrain","type":"training","model":"llama-3.1-70b","tokens":15e12,"deadline_days":1,"global_batch_size":2048}]})",
      "deadline");
}
TEST(WaysOut, OfAPlanAboveItsBudget) {
  each_way_leads_out_of_plan(R"({"constraints":{"sovereignty":"on-premises","budget_usd":1000}})", "budget");
}
TEST(WaysOut, OfAPlanAboveItsPower) {
  each_way_leads_out_of_plan(R"({"constraints":{"sovereignty":"on-premises","site_power_kw":1}})", "site-power");
}

}  // namespace
}  // namespace podwright::ways_out_test
