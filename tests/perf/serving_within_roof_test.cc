// No estimate is faster than the hardware allows: on every GPU of the catalog, with every engine and format, one
// sequence takes at least what the roof of `explain` says is possible.
#include <gtest/gtest.h>

#include <string>

#include "perf/estimate_serving.h"
#include "perf/serving_claim.h"

namespace podwright::serving_within_roof_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

/// Seconds a token may take at least; absent where the catalog lacks the bandwidth or the weights do not fit.
std::optional<double> least_tpot(const Model& model, const Gpu& gpu, const ServingRun& run) {
  ServingClaim claim;
  claim.model = model;
  claim.gpu = gpu;
  claim.weight_precision = run.weight_precision;
  claim.input_tokens = run.input_tokens;
  claim.output_tokens = run.output_tokens;
  claim.metric = SpeedMetric::tpot_s;
  claim.claimed = 1;
  NoTrace none;
  std::string problem;
  const auto check = check_claim(none, facts(), claim, problem);
  if (!check) return std::nullopt;
  return check->limit.number();
}

class EveryModel : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryModel, OneSequenceIsNoFasterThanTheRoofAnywhere) {
  const Model& model = **find_model(facts(), GetParam());
  int estimates = 0;
  for (const Gpu& gpu : facts().gpus)
    for (const char* engine : {"vllm", "sglang", "tensorrt-llm", "llama.cpp"})
      for (const char* format : {"bf16", "fp8", "int8", "int4-awq", "nvfp4", "mxfp4", "q4-k-m", "q8-0"}) {
        ServingRun run;
        run.engine = engine;
        run.weight_precision = format;
        run.input_tokens = 1024;
        run.output_tokens = 256;
        run.load = {LoadKind::concurrency, 1};
        NoTrace none;
        const auto estimate = estimate_serving(none, facts(), model, gpu, run);
        if (!estimate.performance || !estimate.performance->tpot) continue;
        const auto least = least_tpot(model, gpu, run);
        if (!least) continue;
        ++estimates;
        EXPECT_GE(estimate.performance->tpot->base_units(), *least) << gpu.id << " " << engine << " " << format;
      }
  EXPECT_GT(estimates, 300);
}

INSTANTIATE_TEST_SUITE_P(Roof, EveryModel, ::testing::Values("llama-3.1-8b", "qwen3-30b-a3b"));

}  // namespace
}  // namespace podwright::serving_within_roof_test
