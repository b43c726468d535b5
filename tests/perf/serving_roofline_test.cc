#include "perf/serving_roofline.h"

#include <gtest/gtest.h>

#include <string>

#include "perf/estimate_serving.h"

namespace podwright::serving_roofline_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

std::optional<ServingRoofline<NoTrace>> roofline_of(const ServingRun& run, const Model& served, const Gpu& on) {
  NoTrace none;
  const auto estimate = estimate_serving(none, facts(), served, on, run);
  if (!estimate.performance || !estimate.costs) return std::nullopt;
  return serving_roofline(none, on, run, *estimate.costs, estimate.performance->lane, estimate.widths);
}

ServingRun alone(double sequences) {
  return {.weight_precision = "bf16",
          .kv_precision = "",
          .engine = "vllm",
          .engine_version = "",
          .parallelism = {},
          .input_tokens = 128,
          .output_tokens = 128,
          .load = {LoadKind::concurrency, sequences}};
}

static_assert(ridge_point(tflops(1000), gb_per_s(2000)) == FlopsPerByte(500));
static_assert(attainable_rate(FlopsPerByte(250), gb_per_s(2000), tflops(1000)) == tflops(500));
static_assert(attainable_rate(FlopsPerByte(800), gb_per_s(2000), tflops(1000)) == tflops(1000));
static_assert(roof_share(attained_rate(Flops(6e14), Seconds(2)), tflops(500)) == 0.6);

TEST(StepWork, CountsWorkAndTrafficByHand) {
  // 80 products of 1000 x 500 with 8-bit weights, 10 sequences and one prompt of 90 tokens:
  //   work    80 x 100 x 1e6 + 11 rows x 4e6 + 10 x 3e5 + 1 x 7e6              = 8.054e9 FLOP
  //   traffic 80 x (5e5 + 100 x 3000) + the head's 2e6 + 10 sequences x 1e5    = 6.7e7 byte
  EngineCosts<NoTrace> costs;
  costs.products.push_back({.count = 80,
                            .row_work = product_row_work(1000.0, 500.0),
                            .weights = product_weight_bytes(1000.0, 500.0, 8.0),
                            .row_traffic = activation_row_bytes(1.0, 1000.0, 500.0)});
  costs.head_work_per_row = Flops(4e6);
  costs.head_bytes = Bytes(2e6);
  costs.decode_attention_work = Flops(3e5);
  costs.prefill_attention_work = Flops(7e6);
  costs.cache_traffic = Bytes(1e5);
  costs.attention_ranks = 1;
  NoTrace none;
  const auto done = step_work(none, costs, {.decoding = 10, .prompt_tokens = 90, .prompts = 1});
  EXPECT_EQ(done.work, Flops(8.054e9));
  EXPECT_EQ(done.traffic, Bytes(6.7e7));
}

TEST(StepWork, ExpertsAreReadAsFarAsTheyAreTouched) {
  // 2 layers of 4 experts, each token to 4 of them: all are read. 3 rows of each layer do 5 FLOP and move 7 byte.
  EngineCosts<NoTrace> costs;
  costs.experts = {.count = 2, .experts = 4, .experts_per_token = 4, .ranks = 1, .rows_per_token = 3};
  costs.experts.routing_spread = 1;
  costs.experts.row_work = Flops(5);
  costs.experts.weights = Bytes(100);
  costs.experts.row_traffic = Bytes(7);
  costs.attention_ranks = 1;
  NoTrace none;
  const auto done = step_work(none, costs, {.decoding = 1, .prompt_tokens = 0, .prompts = 0});
  EXPECT_EQ(done.work, Flops(2 * 3 * 5));
  EXPECT_EQ(done.traffic, Bytes(2 * (4 * 100 + 3 * 7)));
}

TEST(ServingRoofline, OneSequenceOf16BitWeightsDoesOneFlopPerByte) {
  // 7.50e9 weights without the input table: 2 FLOP and 2 byte each. Attention of 192 tokens adds 4 x 32 x 4096 x 192 =
  // 0.10e9 FLOP and 192 x 131072 byte of keys and values.
  const auto roofline = roofline_of(alone(1), model("llama-3.1-8b"), gpu("h100-sxm5-80gb"));
  ASSERT_TRUE(roofline);
  const double weights = 8030261248.0 - 128256.0 * 4096;
  EXPECT_EQ(roofline->precision, "bf16");
  ASSERT_EQ(roofline->points.size(), 2u);
  const auto& decode = roofline->points[0];
  EXPECT_EQ(decode.phase, "decode");
  EXPECT_EQ(decode.tokens, 1);
  EXPECT_NEAR(decode.work.base_units(), 2 * weights + 1.0e8, 1e-3 * weights);
  EXPECT_NEAR(decode.traffic.base_units(), 2 * weights + 192 * 131072, 1e-3 * weights);
  EXPECT_NEAR(decode.intensity.base_units(), 1.0, 0.01);
  EXPECT_FALSE(decode.compute_binds);
  // As many FLOP a second as byte, then: its memory roof is 3.35 TFLOP/s.
  EXPECT_NEAR(decode.roof.base_units(), 3.35e12, 0.01 * 3.35e12);
}

TEST(ServingRoofline, MoreSequencesDoMoreWithEachByteRead) {
  double last = 0;
  for (const double sequences : {1.0, 8.0, 64.0}) {
    const auto roofline = roofline_of(alone(sequences), model("llama-3.1-8b"), gpu("h100-sxm5-80gb"));
    ASSERT_TRUE(roofline);
    const double intensity = roofline->points[0].intensity.base_units();
    EXPECT_GT(intensity, 2 * last);
    last = intensity;
  }
}

TEST(ServingRoofline, AnAnswerOfOneTokenNeverDecodes) {
  ServingRun run = alone(4);
  run.output_tokens = 1;
  const auto roofline = roofline_of(run, model("llama-3.1-8b"), gpu("h100-sxm5-80gb"));
  ASSERT_TRUE(roofline);
  ASSERT_EQ(roofline->points.size(), 1u);
  EXPECT_EQ(roofline->points[0].phase, "prefill");
}

TEST(ServingRoofline, DraftsAddTheirOwnWork) {
  ServingRun run = alone(4);
  const auto without = roofline_of(run, model("llama-3.1-8b"), gpu("h100-sxm5-80gb"));
  run.speculative = Speculative{.draft_tokens = 3, .acceptance = 0.7, .draft_model = nullptr};
  const auto with = roofline_of(run, model("llama-3.1-8b"), gpu("h100-sxm5-80gb"));
  ASSERT_TRUE(without && with);
  // Four tokens of each sequence instead of one, and what the draft of one layer does.
  EXPECT_GT(with->points[0].work, 4.0 * without->points[0].work);
  EXPECT_LT(with->points[0].work, 6.0 * without->points[0].work);
  EXPECT_GT(with->points[0].traffic, without->points[0].traffic);
}

class RooflineOfModels : public ::testing::TestWithParam<const char*> {};

TEST_P(RooflineOfModels, NoStepIsAboveItsRoofAnywhere) {
  const Model& served = model(GetParam());
  int points = 0;
  for (const Gpu& on : facts().gpus)
    for (const char* engine : {"vllm", "llama.cpp"})
      for (const char* format : {"bf16", "fp8", "int4-awq", "nvfp4", "q4-k-m"})
        for (const double clients : {1.0, 64.0}) {
          ServingRun run = alone(clients);
          run.engine = engine;
          run.weight_precision = format;
          run.input_tokens = 1024;
          const auto roofline = roofline_of(run, served, on);
          if (!roofline) continue;
          for (const auto& point : roofline->points) {
            ++points;
            EXPECT_LE(point.share, 1.0) << on.id << " " << engine << " " << format << " " << point.phase;
            EXPECT_GT(point.share, 0.0);
            if (!point.bounds) continue;
            EXPECT_LE(point.bounds->low, point.attained);
            EXPECT_GE(point.bounds->high, point.attained);
            EXPECT_LE(point.bounds->high, point.roof);
          }
        }
  EXPECT_GT(points, 200);
}

INSTANTIATE_TEST_SUITE_P(Roof, RooflineOfModels, ::testing::Values("llama-3.1-8b", "qwen3-30b-a3b"));

}  // namespace
}  // namespace podwright::serving_roofline_test
