#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "base/json_read.h"
#include "support/ask.h"

namespace podwright {
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

}  // namespace
}  // namespace podwright
