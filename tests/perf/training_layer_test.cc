#include "perf/training_layer.h"

#include <gtest/gtest.h>

#include "perf/training_step.h"

namespace podwright::training_layer_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }
double constant(Efficiency id) { return facts().training_efficiency[id].value; }

TrainingRun run_of(double sequence, const TrainingParallelism& parallelism = {},
                   const std::string& framework = "megatron-core") {
  TrainingRun run;
  run.sequence_length = sequence;
  run.parallelism = parallelism;
  run.framework = framework;
  return run;
}

/// A mean layer, and the head of the same layout.
struct Times {
  LayerTimes<NoTrace> layer;
  Seconds head;
};
Times times_of(const Model& of, const TrainingRun& run, std::string_view gpu_id = "h100-sxm5-80gb") {
  NoTrace none;
  TrainingRates<NoTrace> rates(none, facts(), gpu(gpu_id), nullptr, run.precision);
  EXPECT_EQ(rates.refused(), "");
  const LayerStack stack = layer_stack(of);
  TrainingLayers<NoTrace> layers(none, rates, facts().training_efficiency,
                                 software_traits(facts(), facts().training_efficiency, of, run), of, stack, run,
                                 training_recipe(facts().training_recipes, run));
  Times times;
  EXPECT_TRUE(layers.mean_layer(run, times.layer));
  times.head = layers.head();
  return times;
}
Times times_of(std::string_view of, const TrainingRun& run, std::string_view gpu_id = "h100-sxm5-80gb") {
  return times_of(model(of), run, gpu_id);
}

/// A layer of Llama-3-8B, put together by hand: four products, what streams, the factor of the software.
TEST(TrainingLayer, OfLlama8bOnOneH100) {
  TrainingRun run = run_of(8192);
  run.tuning = Tuning::tuned;
  const SoftwareTraits traits = software_traits(facts(), facts().training_efficiency, model("llama-3-8b"), run);
  NoTrace none;
  const double software = TrainingConstants<NoTrace>(none, facts().training_efficiency).compute_factor(traits);
  const FlopsPerSecond rate = tflops(775) * constant(Efficiency::gemm_16_bit);  // measured on H100
  const BytesPerSecond memory = *gpu("h100-sxm5-80gb").memory_bandwidth * constant(Efficiency::memory_rate);
  Seconds products(0);
  struct Shape {
    double columns, depth;
  };
  // Queries and 2 x 8 heads of keys and values; output; gate and up; down.
  for (const Shape& shape : {Shape{6144, 4096}, Shape{4096, 4096}, Shape{28672, 4096}, Shape{4096, 14336}})
    products +=
        matrix_product_time(8192.0, shape.columns, shape.depth, rate, 132.0, constant(Efficiency::quantisation_share),
                            constant(Efficiency::half_depth), constant(Efficiency::misaligned_width),
                            Seconds(constant(Efficiency::kernel_start_s)));
  const Seconds stream =
      bytes(2.0 * 8192 * (12 * 4096 + 4 * 6144 + 4 * 14336)) * constant(Efficiency::elementwise_fused) / memory;
  const double parameters = 6144.0 * 4096 + 4096.0 * 4096 + 28672.0 * 4096 + 4096.0 * 14336;
  const Seconds accumulate = bytes(parameters * constant(Efficiency::accumulate_fused_bytes)) / memory;
  const auto times = times_of("llama-3-8b", run);
  EXPECT_NEAR(times.layer.compute_forward / ((products + stream) * software), 1, 1e-12);
  EXPECT_NEAR(times.layer.compute_backward / ((2.0 * products + 2.0 * stream + accumulate) * software), 1, 1e-12);
  // 2 x 8,192 x 8,192 x 4,096 FLOP with the mask, five products backward for two.
  const FlopsPerSecond attention = tflops(566) * constant(Efficiency::attention_forward);
  const Seconds start(constant(Efficiency::kernel_start_s));
  const Flops work(2.0 * 8192 * 8192 * 4096);
  EXPECT_NEAR(times.layer.attention_forward / ((work / attention + start) * software), 1, 1e-12);
  EXPECT_NEAR(times.layer.attention_backward /
                  ((2.5 * work / (attention * constant(Efficiency::attention_backward)) + start) * software),
              1, 1e-12);
  for (const Seconds nothing : {times.layer.repeated, times.layer.tensor, times.layer.context_forward,
                                times.layer.context_backward, times.layer.expert})
    EXPECT_EQ(nothing, Seconds(0));
}

TEST(TrainingLayer, FrozenWeightsNeedNoGradients) {
  TrainingRun run = run_of(8192);
  const auto full = times_of("llama-3-8b", run);
  run.method = TrainingMethod::lora;
  const auto lora = times_of("llama-3-8b", run);
  EXPECT_EQ(lora.layer.compute_forward, full.layer.compute_forward);
  EXPECT_EQ(lora.layer.attention_backward, full.layer.attention_backward);
  EXPECT_LT(lora.layer.compute_backward, 0.7 * full.layer.compute_backward);
  EXPECT_LT(lora.head, 0.75 * full.head);
  run.method = TrainingMethod::qlora;
  const auto qlora = times_of("llama-3-8b", run);
  EXPECT_GT(qlora.layer.compute_forward, lora.layer.compute_forward);  // weights are unpacked
}

TEST(TrainingLayer, AdaptersInAWidthOfTheirOwnCost) {
  TrainingRun run = run_of(8192);
  run.framework = "transformers";
  run.tuning = Tuning::tuned;
  run.method = TrainingMethod::lora;
  run.lora_targets = {LoraTarget::o_proj};
  const auto one = times_of("llama-3-8b", run);
  run.lora_targets = {LoraTarget::o_proj, LoraTarget::v_proj};
  const auto two = times_of("llama-3-8b", run);
  NoTrace none;
  const double software =
      TrainingConstants<NoTrace>(none, facts().training_efficiency)
          .compute_factor(software_traits(facts(), facts().training_efficiency, model("llama-3-8b"), run));
  const BytesPerSecond memory = *gpu("h100-sxm5-80gb").memory_bandwidth * constant(Efficiency::memory_rate);
  const Seconds start(constant(Efficiency::kernel_start_s));
  // 4,096 inputs and 1,024 outputs in 32 bit beside 16-bit weights.
  const Seconds forward = 2.0 * start + bytes(8192.0 * (4096 * 10 + 1024 * 28)) / memory;
  const Seconds backward = 4.0 * start + bytes(8192.0 * (4096 * 20 + 1024 * 28)) / memory;
  EXPECT_NEAR((two.layer.compute_forward - one.layer.compute_forward) / (forward * software), 1, 1e-9);
  EXPECT_NEAR((two.layer.compute_backward - one.layer.compute_backward) / (backward * software), 1, 1e-9);
}

TEST(TrainingLayer, NarrowProductsAreFasterByLessThanTheirRate) {
  TrainingRun run = run_of(8192);
  const auto wide = times_of("llama-3.1-70b", run);
  run.precision = Precision::fp8;
  const auto narrow = times_of("llama-3.1-70b", run);
  EXPECT_LT(narrow.layer.compute_forward, wide.layer.compute_forward);
  const double rates = 1123 * constant(Efficiency::gemm_8_bit) / (775 * constant(Efficiency::gemm_16_bit));
  EXPECT_GT(narrow.layer.compute_forward * rates, wide.layer.compute_forward);
  EXPECT_EQ(narrow.layer.attention_forward, wide.layer.attention_forward);
  EXPECT_EQ(narrow.head, wide.head);  // stays in 16 bit
}

TEST(TrainingLayer, RecomputeRepeatsTheForwardPassOrItsAttention) {
  TrainingRun run = run_of(8192);
  run.activation_recompute = Recompute::full;
  const auto full = times_of("llama-3-8b", run).layer;
  EXPECT_EQ(full.repeated, full.compute_forward + full.attention_forward + full.host_forward);
  run.activation_recompute = Recompute::selective;
  const auto selective = times_of("llama-3-8b", run).layer;
  EXPECT_EQ(selective.repeated, selective.attention_forward);
}

TEST(TrainingLayer, ExpertsSplitByTensorOrByExpertDoTheSameWork) {
  TrainingRun by_expert = run_of(8192, {.tensor = 8, .expert = 8});
  TrainingRun by_tensor = run_of(8192, {.tensor = 8, .expert_tensor = 8});
  const auto one = times_of("mixtral-8x7b-v0.1", by_expert).layer;
  const auto other = times_of("mixtral-8x7b-v0.1", by_tensor).layer;
  EXPECT_GT(one.expert, Seconds(0));
  EXPECT_EQ(other.expert, Seconds(0));
  // The same products, padded and started differently; more tokens pass through each rank that shares experts.
  EXPECT_NEAR(other.compute_forward / one.compute_forward, 1.2, 0.25);
}

TEST(TrainingLayer, UnevenRoutingSlowsTheExperts) {
  TrainingRun run = run_of(4096, {.expert = 8, .data = 8});
  const auto even = times_of("qwen3-30b-a3b", run).layer;
  run.expert_imbalance = 2;
  const auto uneven = times_of("qwen3-30b-a3b", run).layer;
  EXPECT_GT(uneven.compute_forward, 1.3 * even.compute_forward);
  EXPECT_EQ(uneven.attention_forward, even.attention_forward);
}

TEST(TrainingLayer, NarrowDispatchSendsThreeQuarters) {
  TrainingRun run = run_of(4096, {.expert = 64, .data = 64});
  const auto wide = times_of("deepseek-v3", run).layer;
  run.narrow_dispatch = true;
  const auto narrow = times_of("deepseek-v3", run).layer;
  EXPECT_LT(narrow.expert, 0.85 * wide.expert);
  EXPECT_GT(narrow.expert, 0.74 * wide.expert);
}

TEST(TrainingLayer, AttentionIsTheWorkOfThePackedDocuments) {
  TrainingRun run = run_of(8192);
  const auto whole = times_of("llama-3-8b", run).layer;
  run.attention_tokens = 1024;
  const auto packed = times_of("llama-3-8b", run).layer;
  EXPECT_EQ(packed.compute_forward, whole.compute_forward);
  EXPECT_LT(packed.attention_forward, 0.2 * whole.attention_forward);
}

TEST(TrainingLayer, HeadDimensionsOffEightAreSlowWithoutFusedAttention) {
  // The tune-up of BLOOM: 128 heads of 108 (hidden 13,824) and of 112 (14,336) over four ranks.
  const auto attention = [](double hidden, double heads) {
    Model wide = model("bloom-176b");
    wide.hidden_size = hidden;
    wide.attention_heads = heads;
    wide.kv_heads = heads;
    wide.head_dim = hidden / heads;
    wide.v_head_dim = hidden / heads;
    wide.ffn_hidden_size = 4 * hidden;
    return times_of(wide, run_of(2048, {.tensor = 4}, "megatron-deepspeed"), "a100-sxm4-80gb").layer.attention_forward;
  };
  EXPECT_GT(attention(13824, 128), 1.5 * attention(14336, 128));
  EXPECT_GT(attention(13824, 128), 1.5 * attention(13824, 108));  // 108 heads of 128
}

TEST(TrainingLayer, ScoresInMemoryCostMoreThanFusedAttention) {
  const auto scores = times_of("gpt-3-175b", run_of(8192, {.tensor = 8}, "megatron-lm"), "a100-sxm4-80gb").layer;
  const auto fused = times_of("gpt-3-175b", run_of(8192, {.tensor = 8}, "pytorch-fsdp"), "a100-sxm4-80gb").layer;
  EXPECT_GT(scores.attention_forward, 2.0 * fused.attention_forward);
}

TEST(TrainingLayer, OfASmallModelWaitsForItsHost) {
  TrainingRun run = run_of(128, {}, "megatron-deepspeed");
  const auto small = times_of("llama-3.2-1b", run, "a100-sxm4-80gb").layer;
  const Seconds host(constant(Efficiency::host_unfused_s));
  EXPECT_NEAR((small.compute_forward + small.attention_forward + small.host_forward) / host, 1, 1e-12);
  EXPECT_NEAR((small.compute_backward + small.attention_backward + small.host_backward) / (1.5 * host), 1, 1e-12);
  const auto large = times_of("llama-3.1-70b", run_of(4096, {}, "megatron-deepspeed"), "a100-sxm4-80gb").layer;
  EXPECT_EQ(large.host_forward, Seconds(0));
}

TEST(TrainingLayer, ExchangesOfContextRanksHideBehindAttention) {
  TrainingRun run = run_of(131072, {.tensor = 8, .context = 4});
  const auto ring = times_of("llama-3.1-70b", run).layer;
  EXPECT_GT(ring.context_forward, Seconds(0));
  EXPECT_LT(ring.context_forward, ring.attention_forward);
  run.sequence_length = 4096;  // little attention to hide behind
  const auto few = times_of("llama-3.1-70b", run).layer;
  EXPECT_GT(few.context_forward / few.attention_forward, ring.context_forward / ring.attention_forward);
}

TEST(TrainingLayer, IsTheMeanOfItsKinds) {
  const TrainingRun run = run_of(4096, {.expert = 64, .data = 64});
  const auto with_dense_layers = [&](double count) {
    Model mixed = model("deepseek-v3");
    mixed.first_dense_layers = count;
    return times_of(mixed, run).layer;
  };
  const auto dense = with_dense_layers(61);
  const auto experts = with_dense_layers(0);
  const auto mean = with_dense_layers(3);
  const auto mixed = [](Seconds one, Seconds other) { return (3.0 * one + 58.0 * other) / 61.0; };
  EXPECT_EQ(dense.expert, Seconds(0));
  EXPECT_NEAR(mean.expert / mixed(dense.expert, experts.expert), 1, 1e-12);
  EXPECT_NEAR(mean.compute_backward / mixed(dense.compute_backward, experts.compute_backward), 1, 1e-12);
  EXPECT_NEAR(mean.attention_forward / experts.attention_forward, 1, 1e-12);
}

}  // namespace
}  // namespace podwright::training_layer_test
