/// Published numbers of training memory, and the memory of real runs. Tolerances: equality or the digits printed for
/// formulas, 2 % for measured peaks of a modern stack, 10 % for old stacks.
#include "memory/training_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "catalog/catalog.h"

namespace podwright::training_memory_test {
namespace {

double in_gib(Bytes amount) { return amount / gib(1); }

// arXiv 1910.02054: 7.5e9 parameters, 64 ranks, 12 bytes of optimizer per parameter.
TEST(WorkedMemory, ZeroStages) {
  const auto states = [](int stage) {
    const StateShards shards = state_shards(stage, 64);
    return raw(sharded_bytes(7.5e9, bytes(2), shards.weights) + sharded_bytes(7.5e9, bytes(2), shards.gradients) +
               sharded_bytes(7.5e9, bytes(12), shards.optimizer)) /
           1e9;
  };
  EXPECT_EQ(states(0), 120);
  EXPECT_EQ(states(1), 31.40625);
  EXPECT_EQ(states(2), 16.640625);
  EXPECT_EQ(states(3), 1.875);
}

// BigScience: fullest GPU of a 104B run, t = 4, p = 32.
TEST(WorkedMemory, EighteenBytesPerParameter) {
  EXPECT_NEAR(raw(sharded_bytes(953180700.0, bytes(18), 1.0)) / 1e9, 17.157, 0.0005);
}

Model gpt(double layers, double heads, double hidden) {
  Model model;
  model.id = "gpt";
  model.layers = layers;
  model.hidden_size = hidden;
  model.attention_heads = model.kv_heads = heads;
  model.head_dim = hidden / heads;
  model.ffn_hidden_size = 4 * hidden;
  model.mlp_matrices = 2;
  model.vocab_size = 50304;
  return model;
}

Gpu any_gpu() {
  Gpu gpu;
  gpu.id = "any";
  gpu.memory = gb(80);
  return gpu;
}

TrainingMemory<NoTrace> memory_of(const Model& model, const TrainingRun& run) {
  NoTrace trace;
  const auto memory =
      training_memory(trace, model, any_gpu(), run, training_recipe(embedded_catalog_facts().training_recipes, run));
  EXPECT_TRUE(memory) << (memory ? "" : memory.error().front().message);
  return memory ? *memory : TrainingMemory<NoTrace>{};
}

/// Bytes of one layer and micro-batch: what one more layer adds.
double layer_bytes(double heads, double hidden, double batch, double tensor, bool sequence_parallel,
                   Recompute recompute) {
  TrainingRun run;
  run.framework = "megatron-lm";
  run.sequence_length = 2048;
  run.micro_batch_size = run.global_batch_size = batch;
  run.parallelism.tensor = tensor;
  run.parallelism.sequence_parallel = sequence_parallel;
  run.activation_recompute = recompute;
  return raw(memory_of(gpt(3, heads, hidden), run).activations - memory_of(gpt(2, heads, hidden), run).activations);
}

struct LayerRow {
  double heads, hidden, batch, none, tensor, sequence, selective, both, full;
};

// arXiv 2205.05198 table 2, s = 2,048, t = 8.
TEST(WorkedMemory, ActivationsOfOneLayer) {
  for (const LayerRow& row :
       {LayerRow{64, 6144, 4, 7079985152, 1325400064, 884998144, 654311424, 213909504, 100663296},
        LayerRow{96, 12288, 1, 2868903936, 578813952, 358612992, 327155712, 106954752, 50331648},
        LayerRow{128, 20480, 1, 4110417920, 880803840, 513802240, 545259520, 178257920, 83886080},
        LayerRow{160, 25600, 1, 5138022400, 1101004800, 642252800, 681574400, 222822400, 104857600}}) {
    EXPECT_EQ(layer_bytes(row.heads, row.hidden, row.batch, 1, false, Recompute::none), row.none);
    EXPECT_EQ(layer_bytes(row.heads, row.hidden, row.batch, 8, false, Recompute::none), row.tensor);
    EXPECT_EQ(layer_bytes(row.heads, row.hidden, row.batch, 8, true, Recompute::none), row.sequence);
    EXPECT_EQ(layer_bytes(row.heads, row.hidden, row.batch, 8, false, Recompute::selective), row.selective);
    EXPECT_EQ(layer_bytes(row.heads, row.hidden, row.batch, 8, true, Recompute::selective), row.both);
    EXPECT_EQ(layer_bytes(row.heads, row.hidden, row.batch, 8, false, Recompute::full), row.full);
  }
}

// arXiv 2205.05198 section 5: selective recompute removes 70 % (GPT-3) and 65 % (MT-NLG).
TEST(WorkedMemory, WhatSelectiveRecomputeSaves) {
  const auto saved = [](double heads, double hidden) {
    return 100 * (1 - layer_bytes(heads, hidden, 1, 8, true, Recompute::selective) /
                          layer_bytes(heads, hidden, 1, 8, true, Recompute::none));
  };
  EXPECT_NEAR(saved(96, 12288), 70, 0.5);
  EXPECT_NEAR(saved(128, 20480), 65, 0.5);
}

// arXiv 2305.14314: 4-bit weights with doubly quantised scales take 4.127 bits.
TEST(WorkedMemory, DoublyQuantisedWeights) {
  EXPECT_NEAR(raw(double_quantised_bytes(4.0, 64.0, 256.0)) * 8, 4.127, 0.0005);
}

Model cut(const char* id, double layers, double kv_heads) {
  const auto found = find_model(embedded_catalog_facts(), id);
  EXPECT_TRUE(found) << id;
  Model model = **found;
  model.layers = layers;
  if (kv_heads > 0) model.kv_heads = kv_heads;
  if (model.experts > 0) model.first_dense_layers = 1;
  return model;
}

/// Eight B200, Megatron-LM with Transformer Engine, no recompute.
TrainingRun eight_gpus(double sequence, double tensor, double pipeline, double context, double expert) {
  TrainingRun run;
  run.sequence_length = sequence;
  TrainingParallelism& p = run.parallelism;
  p.tensor = tensor;
  p.pipeline = pipeline;
  p.context = context;
  p.expert = expert;
  p.data = 8 / (tensor * pipeline * context);
  run.global_batch_size = 8 * p.data;
  return run;
}

// 12 layers of Llama-3-70B, t = 8: every part by hand.
TEST(WorkedMemory, TwelveLayersOfLlama70b) {
  const TrainingMemory<NoTrace> memory = memory_of(cut("llama-3-70b", 12, 0), eight_gpus(4096, 8, 1, 1, 1));
  const double linear = (12 * 855638016.0 + 2 * 1050673152.0) / 8;
  const double norms = 12 * 16384.0 + 8192;
  EXPECT_NEAR(raw(memory.weights + memory.gradients + memory.optimizer), 18 * (linear + norms), 1);
  EXPECT_NEAR(in_gib(memory.weights + memory.gradients + memory.optimizer), 25.92, 0.02);
  EXPECT_EQ(raw(memory.activations), 12 * 140640256.0 + 4.0 * 512 * 128256 + 4.0 * 512 * 8192);
  EXPECT_EQ(raw(memory.buffers), 2 * (855638016.0 + 1050673152.0) / 8);
  EXPECT_NEAR(in_gib(memory.allocated), 28.20, 0.005);
}

// One dense and three MoE layers of DeepSeek-V3, e = 8. The router's correction bias is not trained and not among the
// parameters here.
TEST(WorkedMemory, FourLayersOfDeepseekV3) {
  Model model = cut("deepseek-v3", 4, 0);
  model.router_bias = false;
  const TrainingMemory<NoTrace> memory = memory_of(model, eight_gpus(4096, 1, 1, 1, 8));
  EXPECT_NEAR(raw(memory.weights + memory.gradients + memory.optimizer), 4227858432.0 * 18 + 3135839232.0 * 7.5, 1);
  EXPECT_EQ(raw(memory.activations), 4096.0 * (340480 + 3 * 455168) + 4.0 * 4096 * 129280 + 4.0 * 4096 * 7168);
  EXPECT_EQ(raw(memory.buffers), 2 * 1554186240.0);
  EXPECT_NEAR(in_gib(memory.allocated), 104.26, 0.005);
}

struct PeakRow {
  const char* model;
  double layers, kv_heads, sequence, tensor, pipeline, context, expert, predicted_gib, measured_gib;
};

const std::vector<PeakRow>& peaks() {
  static const std::vector<PeakRow> rows = {{"llama-3-70b", 12, 0, 4096, 1, 2, 1, 1, 66.01, 66.55},
                                            {"llama-3-70b", 12, 0, 4096, 2, 1, 1, 1, 60.94, 60.68},
                                            {"llama-3-70b", 12, 0, 4096, 4, 1, 1, 1, 39.11, 39.07},
                                            {"llama-3-70b", 12, 0, 4096, 8, 1, 1, 1, 28.20, 28.29},
                                            {"llama-3.1-405b", 4, 16, 4096, 1, 2, 1, 1, 87.74, 87.08},
                                            {"llama-3.1-405b", 4, 16, 4096, 2, 1, 1, 1, 81.68, 81.59},
                                            {"llama-3.1-405b", 4, 16, 4096, 4, 1, 1, 1, 52.77, 52.89},
                                            {"llama-3.1-405b", 4, 16, 4096, 8, 1, 1, 1, 38.32, 38.57},
                                            {"llama-3-70b", 12, 0, 32768, 2, 1, 4, 1, 68.27, 68.43},
                                            {"llama-3-70b", 12, 0, 32768, 1, 1, 8, 1, 104.60, 104.51},
                                            {"llama-3.1-405b", 4, 16, 32768, 2, 1, 4, 1, 86.79, 87.03},
                                            {"llama-3.1-405b", 4, 16, 32768, 1, 1, 8, 1, 139.49, 139.22},
                                            {"llama-3-70b", 12, 0, 131072, 2, 1, 4, 1, 112.24, 112.67},
                                            {"llama-3-70b", 12, 0, 131072, 1, 1, 8, 1, 148.57, 147.99},
                                            {"llama-3.1-405b", 4, 16, 131072, 2, 1, 4, 1, 117.43, 118.13},
                                            {"deepseek-v2", 4, 0, 4096, 1, 1, 1, 8, 45.97, 45.63},
                                            {"deepseek-v2", 4, 0, 4096, 1, 2, 1, 4, 44.98, 44.70},
                                            {"deepseek-v3", 4, 0, 4096, 1, 1, 1, 8, 104.26, 104.30},
                                            {"deepseek-v3", 4, 0, 4096, 1, 2, 1, 4, 113.88, 114.00}};
  return rows;
}

// SimuMax v1.2: peak allocated memory on eight B200.
TEST(WorkedMemory, PeaksOfMegatronOnEightB200) {
  double error = 0;
  for (const PeakRow& row : peaks()) {
    const TrainingMemory<NoTrace> memory =
        memory_of(cut(row.model, row.layers, row.kv_heads),
                  eight_gpus(row.sequence, row.tensor, row.pipeline, row.context, row.expert));
    const double predicted = in_gib(memory.allocated);
    EXPECT_NEAR(predicted, row.predicted_gib, 0.0101)
        << row.model << " t " << row.tensor << " p " << row.pipeline << " c " << row.context;
    EXPECT_NEAR(predicted / row.measured_gib, 1.0, 0.02);
    error += std::fabs(predicted / row.measured_gib - 1);
  }
  EXPECT_LT(error / static_cast<double>(peaks().size()), 0.004);
}

struct ZeroBubbleRow {
  double layers, heads, hidden, pipeline, batch;
  double predicted_gib[4];
  double measured_gib[4];
};

// arXiv 2401.10241 table 4: A100, unfused attention, embedding and loss as layers; schedules ZB-2p, ZB-1p, 1F1B,
// interleaved.
TEST(WorkedMemory, ZeroBubbleSchedules) {
  constexpr Schedule kSchedules[4] = {Schedule::zb_2p, Schedule::zb_1p, Schedule::one_f_one_b, Schedule::interleaved};
  double error = 0;
  for (const ZeroBubbleRow& row :
       {ZeroBubbleRow{22, 24, 2304, 8, 6, {58.47, 30.84, 27.38, 36.59}, {59, 32, 30, 40}},
        ZeroBubbleRow{30, 32, 4096, 8, 3, {69.00, 41.25, 37.78, 45.59}, {70, 42, 39, 48}},
        ZeroBubbleRow{46, 40, 5120, 16, 1, {50.51, 33.16, 32.08, 37.86}, {51, 33, 32, 39}},
        ZeroBubbleRow{62, 48, 6144, 32, 1, {70.69, 42.94, 42.07, 55.51}, {74, 44, 43, 58}}}) {
    for (std::size_t i = 0; i < 4; ++i) {
      TrainingRun run;
      run.framework = "megatron-lm";
      run.sequence_length = 1024;
      run.micro_batch_size = row.batch;
      run.global_batch_size = row.batch * 8 * row.pipeline;
      run.parallelism.pipeline = row.pipeline;
      run.parallelism.sequence_parallel = false;
      run.parallelism.zero_stage = 0;
      run.schedule = kSchedules[i];
      run.embedding_and_loss_as_layers = true;
      if (run.schedule == Schedule::interleaved) run.parallelism.virtual_pipeline = (row.layers + 2) / row.pipeline;
      const TrainingMemory<NoTrace> memory = memory_of(gpt(row.layers, row.heads, row.hidden), run);
      EXPECT_NEAR(in_gib(memory.allocated), row.predicted_gib[i], 0.0101) << row.hidden << " schedule " << i;
      EXPECT_EQ(memory.stage, 1);
      EXPECT_NEAR(in_gib(memory.allocated) / row.measured_gib[i], 1.0, 0.10);
      error += std::fabs(in_gib(memory.allocated) / row.measured_gib[i] - 1) / 16;
    }
  }
  EXPECT_NEAR(100 * error, 3.2, 0.05);
}

struct TorchtitanRow {
  const char* model;
  const char* version;
  double sequence, batch, tensor, context, data;
  Precision precision;
  Recompute recompute;
  double measured_gib;
};

// torchtitan: reserved memory, largest of all GPUs. Benchmarks of December 2024 (H100 with 96 GB, compiled, tensor
// parallelism without overlap) and of June 2025 (H200).
TEST(WorkedMemory, TorchtitanReserves) {
  const char* const k8b = "llama-3-8b";
  double error = 0;
  const std::vector<TorchtitanRow> rows = {
      {k8b, "2024-12", 8192, 2, 1, 1, 8, Precision::bf16, Recompute::selective, 77.0},
      {k8b, "2024-12", 8192, 2, 1, 1, 8, Precision::fp8, Recompute::selective, 76.8},
      {k8b, "2024-12", 8192, 2, 1, 1, 128, Precision::bf16, Recompute::selective, 62.0},
      {k8b, "2024-12", 32768, 1, 1, 1, 8, Precision::fp8, Recompute::full, 83.9},
      {k8b, "2024-12", 65536, 1, 1, 2, 4, Precision::fp8, Recompute::full, 84.2},
      {k8b, "2024-12", 131072, 1, 1, 4, 2, Precision::fp8, Recompute::full, 84.0},
      {k8b, "2024-12", 262144, 1, 1, 8, 1, Precision::fp8, Recompute::full, 84.5},
      {"llama-3-70b", "2024-12", 8192, 16, 8, 1, 32, Precision::fp8, Recompute::full, 71.9},
      {k8b, "2025-06", 8192, 2, 1, 1, 32, Precision::fp8, Recompute::selective, 47.96},
      {k8b, "2025-06", 8192, 2, 1, 1, 64, Precision::fp8, Recompute::selective, 46.97}};
  for (const TorchtitanRow& row : rows) {
    TrainingRun run;
    run.framework = "torchtitan";
    run.framework_version = row.version;
    run.sequence_length = row.sequence;
    run.micro_batch_size = row.batch;
    run.global_batch_size = row.batch * row.data;
    run.precision = row.precision;
    run.activation_recompute = row.recompute;
    run.parallelism.tensor = row.tensor;
    run.parallelism.context = row.context;
    run.parallelism.data = row.data;
    run.parallelism.zero_stage = 3;
    const auto model = find_model(embedded_catalog_facts(), row.model);
    ASSERT_TRUE(model);
    const double ratio = in_gib(memory_of(**model, run).reserved) / row.measured_gib;
    EXPECT_NEAR(ratio, 1.0, 0.05) << row.sequence << " over " << row.data << " of " << row.version;
    error += std::fabs(ratio - 1) / static_cast<double>(rows.size());
  }
  EXPECT_LT(error, 0.03);
}

// Without a second rank there is nothing to shard and nothing to gather.
TEST(WorkedMemory, ZeroStagesAgreeOnOneRank) {
  TrainingRun run;
  run.sequence_length = 2048;
  std::vector<double> totals;
  for (int stage = 0; stage <= 3; ++stage) {
    run.parallelism.zero_stage = stage;
    totals.push_back(raw(memory_of(cut("llama-3-8b", 4, 0), run).total));
  }
  EXPECT_EQ(totals[0], totals[1]);
  EXPECT_EQ(totals[0], totals[2]);
  EXPECT_EQ(totals[0], totals[3]);
}

}  // namespace
}  // namespace podwright::training_memory_test
