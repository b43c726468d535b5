/// What must hold for every legal layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "perf/ceilings.h"
#include "perf/estimate_training.h"
#include "perf/training_layouts.h"

namespace podwright::training_properties_test {
namespace {

using layouts::Layout;
using layouts::Layouts;
using layouts::text_of;

constexpr int kRounds = 300;

const Catalog& facts() { return embedded_catalog_facts(); }

template <class Tracer>
TrainingStep<Tracer> step_of(Tracer& trace, const Catalog& catalog, const Model& model, const Gpu& gpu,
                             const TrainingRun& run) {
  std::vector<std::string> assumptions;
  std::vector<Infeasible> reasons;
  const LayerStack stack = layer_stack(model);
  const auto step = training_step(trace, catalog, gpu, model, stack, run, nullptr, assumptions, reasons);
  EXPECT_TRUE(step) << (reasons.empty() ? "" : reasons[0].message.text());
  return step.value_or(TrainingStep<Tracer>{});
}
TrainingStep<NoTrace> step_of(const Layout& layout) {
  NoTrace none;
  return step_of(none, facts(), *layout.model, *layout.gpu, layout.run);
}

template <class Tracer>
std::array<Seconds, 11> parts_of(const TrainingStep<Tracer>& s) {
  return {
      value_of(s.compute),           value_of(s.attention),   value_of(s.recompute),     value_of(s.tensor_comm),
      value_of(s.context_comm),      value_of(s.expert_comm), value_of(s.pipeline_comm), value_of(s.pipeline_bubble),
      value_of(s.data_comm_exposed), value_of(s.optimizer),   value_of(s.other)};
}

TEST(TrainingProperties, PartsSumToTheWholeAndTokensToTheBatch) {
  Layouts layouts(facts());
  for (int round = 0; round < kRounds; ++round) {
    const Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    const auto s = step_of(layout);
    Seconds sum(0);
    for (const Seconds part : parts_of(s)) {
      EXPECT_GE(part, Seconds(0));
      sum += part;
    }
    ASSERT_GT(s.total, Seconds(0));
    EXPECT_NEAR(sum / s.total, 1, 1e-12);
    const double tokens = layout.run.global_batch_size * layout.run.sequence_length;
    EXPECT_NEAR(s.total * s.tokens_per_s / tokens, 1, 1e-12);
    EXPECT_NEAR(s.tokens_per_s / s.tokens_per_s_per_gpu / gpus_of(layout.run.parallelism), 1, 1e-12);
  }
}

/// The best matrix product that anybody measured on a GPU; where nobody did, the estimate.
FlopsPerSecond measured_products(const Gpu& gpu, Precision precision) {
  NoTrace none;
  std::vector<std::string> assumptions;
  const std::string word(training_gemm_precision(precision));
  const auto best = best_products(none, facts(), gpu, word);
  return best ? *best : *gemm_ceiling(none, facts(), gpu, word, assumptions);
}

TEST(TrainingProperties, NoRateIsAboveTheMeasuredMatrixProducts) {
  Layouts layouts(facts(), 2);
  for (int round = 0; round < 10 * kRounds; ++round) {
    const Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    const auto s = step_of(layout);
    EXPECT_LE(s.model_flops_per_gpu / measured_products(*layout.gpu, layout.run.precision), 1 + 1e-12);
    EXPECT_LT(s.hfu, 1);
  }
}

TEST(TrainingProperties, HardwareWorkIsModelWorkAndWhatIsRepeated) {
  Layouts layouts(facts(), 3);
  for (int round = 0; round < kRounds; ++round) {
    const Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    const auto s = step_of(layout);
    EXPECT_GE(s.hfu, s.mfu);
    if (layout.run.activation_recompute == Recompute::none) {
      EXPECT_EQ(s.hfu, s.mfu);
      EXPECT_EQ(s.recompute, Seconds(0));
    }
    Layout without = layout;
    without.run.activation_recompute = Recompute::none;
    EXPECT_LE(step_of(without).total, s.total * (1 + 1e-12));
  }
}

TEST(TrainingProperties, TheBubbleFallsWithMicroBatches) {
  Layouts layouts(facts(), 4);
  for (int round = 0; round < kRounds; ++round) {
    const Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    Layout more = layout;
    more.run.global_batch_size *= 2;
    const auto few = step_of(layout);
    const auto many = step_of(more);
    EXPECT_GE(few.pipeline_bubble, many.pipeline_bubble);
    if (few.pipeline_bubble > Seconds(0)) {
      EXPECT_LT(many.pipeline_bubble / many.total, few.pipeline_bubble / few.total);
    }
    if (layout.run.parallelism.pipeline == 1) {
      EXPECT_EQ(few.pipeline_bubble, Seconds(0));
    }
  }
}

TEST(TrainingProperties, TheBubbleFallsWithChunks) {
  Layouts layouts(facts(), 5);
  int compared = 0;
  for (int round = 0; round < kRounds; ++round) {
    Layout plain = layouts.next();
    if (plain.run.parallelism.pipeline == 1) continue;
    plain.run.schedule = Schedule::interleaved;
    Layout interleaved = plain;
    interleaved.run.parallelism.virtual_pipeline *= 2;
    if (!legal_layout(*plain.model, plain.run) || !legal_layout(*plain.model, interleaved.run)) continue;
    SCOPED_TRACE(text_of(plain));
    ++compared;
    EXPECT_LT(step_of(interleaved).pipeline_bubble, step_of(plain).pipeline_bubble);
  }
  EXPECT_GT(compared, 50);
}

TEST(TrainingProperties, SchedulesThatSplitTheBackwardPassWaitLess) {
  Layouts layouts(facts(), 6);
  for (int round = 0; round < kRounds; ++round) {
    Layout layout = layouts.next();
    layout.run.parallelism.virtual_pipeline = 1;
    SCOPED_TRACE(text_of(layout));
    const auto bubble = [&](Schedule schedule) {
      layout.run.schedule = schedule;
      return step_of(layout).pipeline_bubble;
    };
    const Seconds plain = bubble(Schedule::one_f_one_b);
    EXPECT_EQ(bubble(Schedule::gpipe), plain);
    // With too few micro-batches there is nothing to fill the wait with.
    const TrainingRun& run = layout.run;
    const double micro_batches = run.global_batch_size / (run.micro_batch_size * run.parallelism.data);
    const double split = micro_batches >= run.parallelism.pipeline ? plain.base_units() / 3 : plain.base_units();
    EXPECT_NEAR(bubble(Schedule::zb_h1).base_units(), split, 1e-12 * plain.base_units());
    EXPECT_EQ(bubble(Schedule::zb_2p), micro_batches >= 2 * run.parallelism.pipeline ? Seconds(0) : plain);
  }
}

TEST(TrainingProperties, OneGpuExchangesNothingAndShardingChangesNothing) {
  Layouts layouts(facts(), 7);
  for (int round = 0; round < 100; ++round) {
    Layout layout = layouts.next();
    layout.run.parallelism = {};
    layout.run.context_exchange = ContextExchange::ring;
    layout.run.global_batch_size = 4 * layout.run.micro_batch_size;
    SCOPED_TRACE(text_of(layout));
    layout.run.parallelism.zero_stage = 0;
    const auto whole = step_of(layout);
    for (const Seconds exchange : {whole.tensor_comm, whole.context_comm, whole.expert_comm, whole.pipeline_comm,
                                   whole.pipeline_bubble, whole.data_comm_exposed})
      EXPECT_EQ(exchange, Seconds(0));
    for (const int zero_stage : {1, 2, 3}) {
      layout.run.parallelism.zero_stage = zero_stage;
      const auto sharded = step_of(layout);
      EXPECT_EQ(parts_of(sharded), parts_of(whole));
      EXPECT_EQ(sharded.total, whole.total);
    }
  }
}

TEST(TrainingProperties, SwitchesThatAddUpNeverSlowAStep) {
  Layouts layouts(facts(), 12);
  int faster = 0;
  for (int round = 0; round < kRounds; ++round) {
    Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    const Seconds ring = step_of(layout).total;
    layout.run.in_network_reduction = true;
    EXPECT_LE(step_of(layout).total, ring * (1 + 1e-12));
    if (step_of(layout).total < ring) ++faster;
  }
  EXPECT_GT(faster, 0);
}

/// Twice the bandwidth and half the start-up time of every link and network.
Catalog with_faster_links() {
  Catalog faster = facts();
  for (KernelRate& rate : faster.kernel_rates) {
    const bool bandwidth = rate.operation.find("bus-bandwidth") != std::string::npos;
    const bool latency = rate.operation == "all-reduce-latency";
    if (bandwidth || latency) rate.typical *= bandwidth ? 2.0 : 0.5;
  }
  for (Gpu& gpu : faster.gpus)
    if (gpu.link_bandwidth_one_way) gpu.link_bandwidth_one_way = *gpu.link_bandwidth_one_way * 2.0;
  for (System& system : faster.systems)
    if (system.compute_nic_bandwidth) system.compute_nic_bandwidth = *system.compute_nic_bandwidth * 2.0;
  return faster;
}

TEST(TrainingProperties, FasterLinksNeverSlowAStep) {
  const Catalog faster = with_faster_links();
  Layouts layouts(facts(), 8);
  for (int round = 0; round < kRounds; ++round) {
    const Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    NoTrace none;
    const auto slow = step_of(layout);
    const auto fast = step_of(none, faster, *layout.model, **find_gpu(faster, layout.gpu->id), layout.run);
    EXPECT_LE(fast.total, slow.total * (1 + 1e-12));
    EXPECT_LE(fast.tensor_comm, slow.tensor_comm);
    EXPECT_LE(fast.expert_comm, slow.expert_comm);
    EXPECT_LE(fast.pipeline_comm, slow.pipeline_comm);
    const TrainingParallelism& p = layout.run.parallelism;
    if (p.tensor > 1) {
      EXPECT_LT(fast.tensor_comm, slow.tensor_comm);
    }
    if (p.tensor * p.context * p.data * p.pipeline == 1) {
      EXPECT_EQ(fast.total, slow.total);
    }
  }
}

TEST(TrainingProperties, ALargerModelIsNeverFaster) {
  Layouts layouts(facts(), 9);
  for (int round = 0; round < kRounds; ++round) {
    const Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    NoTrace none;
    const Seconds time = step_of(layout).total;
    const auto grown = [&](auto&& change) {
      Model larger = *layout.model;
      change(larger);
      return step_of(none, facts(), larger, *layout.gpu, layout.run).total;
    };
    EXPECT_GE(grown([](Model& m) { m.vocab_size *= 2; }), time * (1 - 1e-12));
    if (layout.model->ffn_hidden_size > 0 && layout.model->experts <= 0) {
      EXPECT_GT(grown([](Model& m) { m.ffn_hidden_size *= 2; }), time);
    }
    if (layout.model->experts > 0) {
      EXPECT_GT(grown([](Model& m) { m.moe_ffn_hidden_size *= 2; }), time);
    }
  }
}

TEST(TrainingProperties, MoreWorkForTheSameGpusTakesLonger) {
  Layouts layouts(facts(), 10);
  for (int round = 0; round < kRounds; ++round) {
    const Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    const auto s = step_of(layout);
    const Seconds least = s.total * (1 - 1e-12);  // but for rounding
    Layout more = layout;
    more.run.global_batch_size *= 2;
    EXPECT_GT(step_of(more).total, s.total);
    more = layout;
    more.run.expert_imbalance = 3;
    EXPECT_GE(step_of(more).total, least);
    more = layout;
    more.run.attention_tokens = 0;  // one document that fills the sequence
    EXPECT_GE(step_of(more).total, least);
    more = layout;
    more.run.narrow_dispatch = false;
    EXPECT_GE(step_of(more).total, least);
    more = layout;
    more.run.multi_token_depths = 1;
    EXPECT_GE(step_of(more).total, least);
  }
}

TEST(TrainingProperties, TracingChangesNoBit) {
  Layouts layouts(facts(), 11);
  for (int round = 0; round < 60; ++round) {
    const Layout layout = layouts.next();
    SCOPED_TRACE(text_of(layout));
    Trace trace;
    const auto plain = step_of(layout);
    const auto traced = step_of(trace, facts(), *layout.model, *layout.gpu, layout.run);
    EXPECT_EQ(parts_of(traced), parts_of(plain));
    EXPECT_EQ(value_of(traced.total), plain.total);
    EXPECT_EQ(value_of(traced.tokens_per_s), plain.tokens_per_s);
    EXPECT_EQ(value_of(traced.tokens_per_s_per_gpu), plain.tokens_per_s_per_gpu);
    EXPECT_EQ(value_of(traced.model_flops_per_gpu), plain.model_flops_per_gpu);
    EXPECT_EQ(value_of(traced.mfu), plain.mfu);
    EXPECT_EQ(value_of(traced.hfu), plain.hfu);
  }
}

}  // namespace
}  // namespace podwright::training_properties_test
