#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "base/json_read.h"
#include "support/ask.h"

namespace podwright::search_answer_test {
namespace {

const std::string kSearch =
    R"({"kind":"search","model":"llama-3-8b","gpu":"h100-sxm5-80gb","gpu_count":16,"sequence_length":4096,
        "global_batch_size":64,"tokens":1e10,"top":1,
        "limits":{"tensor_max":2,"pipeline_max":1,"schedules":["1f1b"]}})";

/// Sentences of `assumptions` that begin like this.
std::vector<std::string> sentences(const JsonNode& answer, std::string_view begin) {
  std::vector<std::string> found;
  for (const JsonNode& assumption : answer.find("assumptions")->items)
    if (const JsonNode* message = assumption.find("message"))
      if (message->text.rfind(begin, 0) == 0) found.push_back(message->text);
  return found;
}

TEST(SearchAnswer, TellsEachLimitThatIsUsual) {
  const auto tried = [](const std::string& limits) {
    return sentences(ask(kSearch, R"({"limits":)" + limits + "}").answer, "Tried");
  };
  using Sentences = std::vector<std::string>;
  EXPECT_EQ(tried("{}"), Sentences{"Tried: at most 16 context ranks and 8 sequences a micro-batch; set limits."});
  EXPECT_EQ(tried(R"({"context_max":2})"), Sentences{"Tried: at most 8 sequences a micro-batch; set limits."});
  EXPECT_EQ(tried(R"({"micro_batch_size_max":2})"), Sentences{"Tried: at most 16 context ranks; set limits."});
  EXPECT_EQ(tried(R"({"context_max":2,"micro_batch_size_max":2})"), Sentences{});
}

TEST(SearchAnswer, HoldsTheFilesThatAreAskedFor) {
  const std::string serving =
      R"({"kind":"search","type":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","engines":["vllm"],
          "gpu_count":1,"input_tokens":512,"output_tokens":128,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05,"top":1})";
  EXPECT_EQ(ask(serving, "{}").answer.find("exports"), nullptr);
  const auto asked = ask(serving, R"({"exports":["all"],"deploy":{"model":"me/mine","engine_version":"0.12.0"}})");
  const JsonNode* files = asked.answer.find("exports");
  ASSERT_NE(files, nullptr);
  std::set<std::string> names;
  for (const JsonNode& file : files->items) names.insert(file.find("name")->text);
  EXPECT_EQ(names,
            (std::set<std::string>{"vllm/config.yml", "vllm/environment.sh", "vllm/start.sh", "compose/compose.yaml",
                                   "kubernetes.yaml", "llm-d/patch-decode.yaml", "llm-d/kustomization.yaml"}));
  EXPECT_EQ(asked.answer.find("not_exported")->items[0].text, "No release of Dynamo is listed here with vLLM 0.12.0.");
}

/// Energy over GPU time is the power of a GPU.
double kw_of(const JsonNode& answer, const std::string& run) {
  return number_at(answer, run + "/energy_kwh") / number_at(answer, run + "/gpu_hours");
}

TEST(SearchAnswer, TakesThePowerThatATrainingRequestTakes) {
  // The last GPU is one without a machine whose power is known.
  for (const char* patch : {"{}", R"({"system":"dgx-h100"})", R"({"load":0.5,"pue":1.1})", R"({"gpu":"l40s"})"}) {
    const JsonNode found =
        ask(kSearch, json_text(merged(*parse_json(R"({"gpu_count":8})"), *parse_json(patch)))).answer;
    const std::string eight = R"({"system":null,"tokens":1e10,"gpu_count":8,"parallelism":{"data":4,"zero_stage":3}})";
    const JsonNode training = ask(kTrainingRun, json_text(merged(*parse_json(eight), *parse_json(patch)))).answer;
    if (training.find("calendar") == nullptr || found.find("layouts")->items.empty()) {
      ADD_FAILURE() << patch << json_text(training).substr(0, 500) << json_text(found).substr(0, 500);
      continue;
    }
    const double power = number_at(training, "/calendar/power_kw_per_gpu");
    EXPECT_NEAR(kw_of(found, "/layouts/0/run"), power, 1e-9 * power) << patch;
    EXPECT_EQ(sentences(found, "Each GPU draws"), sentences(training, "Each GPU draws")) << patch;
    EXPECT_EQ(sentences(found, "No power of"), sentences(training, "No power of")) << patch;
  }
}

TEST(SearchAnswer, TakesThePowerOfItsRows) {
  const JsonNode answer = ask(kSearch, R"({"prices":[{"kw_per_gpu":1.5,"usd_per_gpu_hour":2}]})").answer;
  EXPECT_NEAR(kw_of(answer, "/layouts/0/run"), 1.5, 1e-9);
  EXPECT_TRUE(sentences(answer, "Each GPU draws").empty());
  for (const JsonNode& assumption : answer.find("assumptions")->items)
    if (const JsonNode* path = assumption.find("path")) {
      EXPECT_NE(path->text, "/load");
      EXPECT_NE(path->text, "/pue");
    }
}

TEST(SearchAnswer, NamesACountOutsideItsRange) {
  const JsonNode answer = ask(kSearch, R"({"gpu_count":null,"gpu_counts":[8,0]})").answer;
  EXPECT_EQ(first_error(answer, "path"), "/gpu_counts/1");
  EXPECT_EQ(first_error(answer, "message"), "\"gpu_counts/1\" is 0, outside the legal range.");
}

const std::string kServing =
    R"({"kind":"search","type":"serving","model":"llama-3.1-8b","gpus":["h100-sxm5-80gb","l40s"],"peak_requests_per_s":5,
        "input_tokens":1024,"output_tokens":256,"ttft_s_p95_max":0.8,"tpot_s_max":0.03,"top":3})";

TEST(ServingSearchAnswer, TellsHowSureEachLimitIsKept) {
  const JsonNode answer = ask(kServing, "{}").answer;
  const JsonNode& best = answer.find("deployments")->items.at(0);
  const std::vector<JsonNode>& limits = best.find("limits")->items;
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_EQ(limits[0].find("limit")->text, "ttft_s_p95_max");
  EXPECT_EQ(limits[1].find("limit")->text, "tpot_s_max");
  EXPECT_EQ(number_at(limits[0], "/reached_s"), number_at(best, "/latency/ttft_s_p95"));
  EXPECT_EQ(number_at(limits[1], "/reached_s"), number_at(best, "/latency/tpot_s"));
  EXPECT_NEAR(number_at(limits[1], "/reached_s_high"), number_at(best, "/latency/tpot_s_high"), 1e-9);
  EXPECT_LE(number_at(best, "/max_requests_per_s_low"), number_at(best, "/max_requests_per_s"));
  const JsonNode& front = *answer.find("pareto");
  for (const char* column :
       {"tpot_s_low", "tpot_s_high", "ttft_without_wait_s_low", "output_tokens_per_s_per_gpu_high"})
    EXPECT_EQ(front.find(column)->items.size(), front.find("tpot_s")->items.size()) << column;
}

TEST(ServingSearchAnswer, TellsThePoolsOfADeployment) {
  const JsonNode answer = ask(kServing, R"({"arrangements":["disaggregated"],"peak_requests_per_s":60})").answer;
  const JsonNode& best = answer.find("deployments")->items.at(0);
  EXPECT_EQ(best.find("arrangement")->text, "disaggregated");
  EXPECT_EQ(best.find("parallelism"), nullptr);
  EXPECT_EQ(number_at(best, "/pools/prefill/gpu_count") + number_at(best, "/pools/decode/gpu_count"),
            number_at(best, "/gpu_count"));
  EXPECT_GE(answer.find("launch")->items.size(), 2u);
}

TEST(ServingSearchAnswer, APriceOfOneGpuGoesBeforeThatOfEveryGpu) {
  const JsonNode answer =
      ask(kServing, R"({"prices":[{"usd_per_gpu_hour":9},{"gpu":"l40s","usd_per_gpu_hour":0.5}],"top":20})").answer;
  bool l40s = false;
  for (const JsonNode& deployment : answer.find("deployments")->items) {
    const bool is_l40s = deployment.find("gpu")->text == "l40s";
    l40s = l40s || is_l40s;
    EXPECT_NEAR(number_at(deployment, "/cost/usd_per_gpu_hour"), is_l40s ? 0.5 : 9, 1e-9);
  }
  EXPECT_TRUE(l40s);
}

TEST(ServingSearchAnswer, ALaunchHoldsWhatTheEstimateHolds) {
  const JsonNode answer =
      ask(kServing, R"({"engines":["llama.cpp"],"weight_precisions":["q4-k-m"],"ttft_s_p95_max":10,"tpot_s_max":1})")
          .answer;
  bool parallel = false;
  for (const JsonNode& argument : answer.find("launch")->items.at(0).find("arguments")->items)
    if (argument.text.rfind("--parallel ", 0) == 0) {
      parallel = true;
      EXPECT_GT(argument.text.size(), std::string("--parallel 1").size()) << argument.text;
    }
  EXPECT_TRUE(parallel);
}

TEST(ServingSearchAnswer, AnEngineThatCannotStartHasWaysOut) {
  const std::string format = R"({"engines":["llama.cpp"],"weight_precisions":["fp8"]})";
  const JsonNode answer = ask(kServing, format).answer;
  const JsonNode& reason = answer.find("reasons")->items.at(0);
  EXPECT_EQ(reason.find("code")->text, "engine-cannot-start");
  ASSERT_FALSE(reason.find("ways_out")->items.empty());
  for (const JsonNode& patch : reason.find("ways_out")->items)
    EXPECT_FALSE(
        ask(kServing, json_text(merged(*parse_json(format), patch))).answer.find("deployments")->items.empty());
}

TEST(ServingSearchAnswer, ListsSlicesApart) {
  const JsonNode answer = ask(kServing, R"({"peak_requests_per_s":0.5,"ttft_s_p95_max":4,"tpot_s_max":0.1})").answer;
  const JsonNode& slice = answer.find("slices")->items.at(0);
  EXPECT_LT(number_at(slice, "/slice/share_of_gpu"), 1);
  EXPECT_EQ(slice.find("gpu_count"), nullptr);
  EXPECT_EQ(answer.find("deployments")->items.at(0).find("slice"), nullptr);
}

TEST(ServingSearchAnswer, NeverGuessesAnAcceptance) {
  const JsonNode answer = ask(kServing, R"({"speculative":{"draft_tokens":[3]}})").answer;
  EXPECT_EQ(first_error(answer, "path"), "/speculative/acceptance");
}

TEST(ServingSearchAnswer, WaysOutOfALimitAreTried) {
  const JsonNode answer = ask(kServing, R"({"ttft_s_p95_max":0.001})").answer;
  const JsonNode& reason = answer.find("reasons")->items.at(0);
  EXPECT_EQ(reason.find("code")->text, "ttft");
  const std::vector<JsonNode>& ways = reason.find("ways_out")->items;
  ASSERT_FALSE(ways.empty());
  for (const JsonNode& patch : ways)
    EXPECT_FALSE(ask(kServing, json_text(merged(*parse_json(R"({"ttft_s_p95_max":0.001})"), patch)))
                     .answer.find("deployments")
                     ->items.empty());
}

/// Places that the trace explains.
std::set<std::string> explained_places(const JsonNode& answer) {
  std::set<std::string> places;
  for (const JsonNode& node : answer.find("trace")->items)
    if (const JsonNode* at = node.find("at"))
      for (const JsonNode& place : at->items) places.insert(place.text);
  return places;
}

TEST(SearchAnswer, ExplainsLimitsAndWhatWasDropped) {
  const Reply asked = ask(
      R"({"kind":"search","type":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":4,"input_tokens":1024,"output_tokens":128,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05,"explain":true})");
  ASSERT_EQ(asked.outcome, Outcome::answer);
  const std::set<std::string> places = explained_places(asked.answer);
  EXPECT_EQ(number_at(asked.answer, "/deployments/0/limits/0/limit_s"), 2);
  EXPECT_EQ(places.count("/deployments/0/limits/0/limit_s"), 1U);
  const std::size_t dropped = asked.answer.find("rejected")->items.size();
  ASSERT_GT(dropped, 0U);
  for (std::size_t i = 0; i < dropped; ++i)
    EXPECT_EQ(places.count("/rejected/" + std::to_string(i) + "/count"), 1U) << i;
}

TEST(SearchAnswer, ExplainsTheGpusOfAnEstimate) {
  const Reply asked = ask(
      R"({"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":1,"weight_precision":"bf16","engine":"vllm","input_tokens":512,"output_tokens":128,"load":{"concurrency":8},"explain":true})");
  EXPECT_EQ(explained_places(asked.answer).count("/gpu_count"), 1U);
}

}  // namespace
}  // namespace podwright::search_answer_test
