#include "sizing/training_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <set>
#include <string>

#include "base/number_text.h"
#include "catalog/catalog.h"
#include "perf/layout_rules.h"
#include "sizing/best_layouts.h"
#include "sizing/training_evaluator.h"

namespace {

std::size_t allocations = 0;

}  // namespace

// Counts what the program allocates, to see that the inner loop allocates nothing.
void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace podwright::sizing::training_space_test {
namespace {

const Model& model(std::string_view id) { return **find_model(embedded_catalog_facts(), id); }

TrainingRun run_of(double sequence_length, double global_batch_size) {
  TrainingRun run;
  run.sequence_length = sequence_length;
  run.global_batch_size = global_batch_size;
  return run;
}

std::string key_of(const TrainingRun& run) {
  const TrainingParallelism& p = run.parallelism;
  std::string key;
  for (const double size :
       {p.tensor, p.pipeline, p.virtual_pipeline, p.context, p.expert, p.expert_tensor, p.data, run.micro_batch_size,
        static_cast<double>(p.zero_stage), static_cast<double>(p.shard), static_cast<double>(run.schedule),
        static_cast<double>(run.activation_recompute), run.embedding_and_loss_as_layers ? 1.0 : 0.0})
    key += shortest_number(size) + " ";
  return key;
}

/// Remembers every layout and checks it.
class Seen : public LayoutVisitor {
 public:
  Seen(const Model& of, double gpus) : of_(of), gpus_(gpus) {}
  void fixed(const TrainingRun& run) override { fixed_ = run; }
  void layout(const TrainingRun& run) override {
    EXPECT_TRUE(legal_layout(of_, run)) << key_of(run);
    EXPECT_EQ(gpus_of(run.parallelism), gpus_);
    EXPECT_EQ(run.parallelism.tensor, fixed_.parallelism.tensor);
    EXPECT_EQ(run.parallelism.context, fixed_.parallelism.context);
    EXPECT_EQ(run.parallelism.expert, fixed_.parallelism.expert);
    EXPECT_EQ(run.micro_batch_size, fixed_.micro_batch_size);
    EXPECT_EQ(run.activation_recompute, fixed_.activation_recompute);
    EXPECT_TRUE(keys.insert(key_of(run)).second) << "twice: " << key_of(run);
  }
  std::set<std::string> keys;

 private:
  const Model& of_;
  double gpus_;
  TrainingRun fixed_;
};

std::set<std::string> visited(const Model& of, double gpus, TrainingRun run, const TrainingLimits& limits,
                              double domain) {
  Seen seen(of, gpus);
  TrainingSpace(of, run, limits, domain).visit(gpus, run, seen);
  return seen.keys;
}

/// One way to write each layout: what changes nothing has its plain value.
bool canonical(const Model& of, const TrainingRun& run, double domain) {
  const TrainingParallelism& p = run.parallelism;
  const bool piped = p.pipeline > 1;
  const bool interleaved = run.schedule == Schedule::interleaved;
  const bool plain_is_even = std::fmod(of.layers, p.pipeline) == 0;
  const bool with_ends_even = std::fmod(of.layers + 2, p.pipeline) == 0;
  const double slots = of.layers + (run.embedding_and_loss_as_layers ? 2 : 0);
  if (p.tensor > domain || p.sequence_parallel != (p.tensor > 1)) return false;
  if (!piped && (p.virtual_pipeline > 1 || run.schedule != Schedule::one_f_one_b || run.embedding_and_loss_as_layers))
    return false;
  if (piped && run.embedding_and_loss_as_layers != (!plain_is_even && with_ends_even)) return false;
  if (interleaved != (p.virtual_pipeline > 1)) return false;
  if (interleaved && std::fmod(slots, p.pipeline * p.virtual_pipeline) != 0) return false;
  const double ranks = p.tensor * p.context * p.data;
  if (p.zero_stage > 0 && p.context * p.data == 1 && ranks == p.expert * p.expert_tensor) return false;
  if (p.shard == Shard::hybrid && (p.zero_stage < 3 || ranks <= domain)) return false;
  return std::fmod(p.tensor, p.expert_tensor) == 0;
}

/// Every combination of sizes up to the GPUs, kept where the rules hold.
std::set<std::string> brute_force(const Model& of, double gpus, TrainingRun run, double domain, double most_experts) {
  std::set<std::string> keys;
  TrainingParallelism& p = run.parallelism;
  const TrainingLimits all;
  for (p.tensor = 1; p.tensor <= gpus; ++p.tensor)
    for (p.pipeline = 1; p.tensor * p.pipeline <= gpus; ++p.pipeline)
      for (p.context = 1; p.tensor * p.pipeline * p.context <= gpus; ++p.context)
        for (p.virtual_pipeline = 1; p.virtual_pipeline <= of.layers + 2; ++p.virtual_pipeline)
          for (p.expert = 1; p.expert <= most_experts; ++p.expert)
            for (p.expert_tensor = 1; p.expert_tensor <= (most_experts > 1 ? p.tensor : 1); ++p.expert_tensor)
              for (run.micro_batch_size = 1; run.micro_batch_size <= run.global_batch_size; ++run.micro_batch_size)
                for (p.zero_stage = 0; p.zero_stage <= 3; ++p.zero_stage)
                  for (const bool ends : {false, true})
                    for (const Schedule schedule : all.schedules)
                      for (const Shard shard : all.shards) {
                        p.data = gpus / (p.tensor * p.pipeline * p.context);
                        if (p.data != std::floor(p.data)) continue;
                        p.sequence_parallel = p.tensor > 1;
                        p.shard = shard;
                        run.schedule = schedule;
                        run.embedding_and_loss_as_layers = ends;
                        if (!canonical(of, run, domain) || !legal_layout(of, run)) continue;
                        for (const Recompute recompute : all.recompute) {
                          run.activation_recompute = recompute;
                          keys.insert(key_of(run));
                        }
                      }
  return keys;
}

TEST(TrainingSpace, HoldsWhatBruteForceFindsForADenseModel) {
  const Model& dense = model("llama-3-8b");
  const auto expected = brute_force(dense, 16, run_of(4096, 8), 8, 1);
  EXPECT_GT(expected.size(), 500u);
  EXPECT_EQ(visited(dense, 16, run_of(4096, 8), {}, 8), expected);
}

TEST(TrainingSpace, HoldsWhatBruteForceFindsForAModelWithExperts) {
  const Model& sparse = model("mixtral-8x7b");
  const auto expected = brute_force(sparse, 8, run_of(2048, 4), 8, 8);
  EXPECT_GT(expected.size(), 500u);
  EXPECT_EQ(visited(sparse, 8, run_of(2048, 4), {}, 8), expected);
}

TEST(TrainingSpace, UnevenStagesAndEndsAsLayersAreThere) {
  // 126 layers: 4 stages are even with embedding and loss as a layer each, 5 in no way.
  TrainingRun run = run_of(8192, 40);
  TrainingLimits limits;
  limits.tensor = {8, 8};
  limits.schedules = {Schedule::one_f_one_b};
  bool ends = false;
  bool uneven = false;
  class Look : public LayoutVisitor {
   public:
    Look(bool& ends_as_layers, bool& five) : ends_(ends_as_layers), five_(five) {}
    void fixed(const TrainingRun&) override {}
    void layout(const TrainingRun& found) override {
      ends_ = ends_ || (found.parallelism.pipeline == 4 && found.embedding_and_loss_as_layers);
      five_ = five_ || (found.parallelism.pipeline == 5 && !found.embedding_and_loss_as_layers);
    }

   private:
    bool& ends_;
    bool& five_;
  } look(ends, uneven);
  TrainingSpace(model("llama-3.1-405b"), run, limits, 8).visit(160, run, look);
  EXPECT_TRUE(ends);
  EXPECT_TRUE(uneven);
}

TEST(TrainingSpace, ATensorGroupStaysInsideTheDomain) {
  class Widest : public LayoutVisitor {
   public:
    void fixed(const TrainingRun& run) override { tensor = std::max(tensor, run.parallelism.tensor); }
    void layout(const TrainingRun&) override {}
    double tensor = 0;
  };
  for (const double domain : {4.0, 8.0, 72.0}) {
    Widest widest;
    TrainingRun run = run_of(8192, 64);
    TrainingSpace(model("llama-3.1-405b"), run, {}, domain).visit(576, run, widest);
    EXPECT_EQ(widest.tensor, domain == 72 ? 64 : domain);  // 128 heads: 72 does not divide them
  }
}

TEST(TrainingSpace, LimitsAreKept) {
  TrainingLimits limits;
  limits.tensor = {2, 4};
  limits.pipeline = {2, 2};
  limits.micro_batch_size = {1, 1};
  limits.zero_stage = {1, 1};
  limits.recompute = {Recompute::full};
  limits.schedules = {Schedule::one_f_one_b};
  // tensor 2: context x data 4 in three ways; tensor 4: 2 in two.
  EXPECT_EQ(visited(model("llama-3-8b"), 16, run_of(4096, 8), limits, 8).size(), 5u);
}

class Count : public LayoutVisitor {
 public:
  void fixed(const TrainingRun&) override {}
  void layout(const TrainingRun&) override { ++layouts; }
  std::size_t layouts = 0;
};

TEST(TrainingSpace, VisitingAllocatesNothing) {
  TrainingRun run = run_of(8192, 2048);
  const TrainingSpace space(model("llama-3.1-405b"), run, usual_limits(8192), 8);
  Count count;
  const std::size_t before = allocations;
  space.visit(16384, run, count);
  EXPECT_EQ(allocations, before);
  EXPECT_GT(count.layouts, 20000u);
}

/// Evaluates every layout; what the evaluator keeps of stages and links is there after the first round.
class Evaluate : public LayoutVisitor {
 public:
  explicit Evaluate(TrainingEvaluator& evaluator) : evaluator_(evaluator) {}
  void fixed(const TrainingRun& run) override { evaluator_.fix(run); }
  void layout(const TrainingRun& run) override {
    const std::size_t before = allocations;
    const LayoutNumbers numbers = evaluator_.evaluate(run, true);
    allocated += allocations - before;
    evaluations += numbers.step > Seconds(0) ? 1 : 0;
  }
  std::size_t allocated = 0;
  double evaluations = 0;

 private:
  TrainingEvaluator& evaluator_;
};

TEST(TrainingEvaluator, TheInnerLoopAllocatesNothing) {
  for (const char* id : {"llama-3.1-405b", "deepseek-v3"}) {
    TrainingRun run = run_of(4096, 256);
    run.framework = "megatron-core";
    const LayerStack stack = layer_stack(model(id));
    const Gpu& gpu = **find_gpu(embedded_catalog_facts(), "h100-sxm5-80gb");
    TrainingLimits limits = usual_limits(4096);
    limits.micro_batch_size.max = 1;
    const TrainingSpace space(model(id), run, limits, 8);
    TrainingEvaluator evaluator(embedded_catalog_facts(), model(id), stack, gpu, nullptr, run);
    Evaluate first(evaluator);
    space.visit(256, run, first);
    Evaluate second(evaluator);
    space.visit(256, run, second);
    EXPECT_EQ(second.allocated, 0u) << id;
    EXPECT_GT(second.evaluations, 500) << id;
  }
}

TEST(BestLayouts, KeepsTheFastestOfDifferentShape) {
  BestLayouts best(2);
  TrainingRun run = run_of(4096, 8);
  const auto offer = [&](double tensor, double micro_batch, double step, double memory) {
    run.parallelism.tensor = tensor;
    run.micro_batch_size = micro_batch;
    best.offer(record_of(run, step, memory));
  };
  offer(1, 1, 5, 1);
  offer(1, 2, 4, 1);  // the same shape, faster
  offer(2, 1, 6, 1);
  offer(4, 1, 3, 1);  // pushes the slowest out
  offer(4, 2, 3, 2);  // as fast, more memory
  offer(8, 1, 9, 1);
  ASSERT_EQ(best.records().size(), 2u);
  EXPECT_EQ(best.records()[0].parallelism.tensor, 4);
  EXPECT_EQ(best.records()[0].micro_batch_size, 1);
  EXPECT_EQ(best.records()[1].parallelism.tensor, 1);
  EXPECT_EQ(best.records()[1].step_s, 4);
}

TEST(BestLayouts, ARecordGivesItsLayoutBack) {
  TrainingRun run = run_of(4096, 64);
  run.precision = Precision::nvfp4;
  run.parallelism = {.tensor = 64,
                     .pipeline = 16,
                     .virtual_pipeline = 8,
                     .context = 4,
                     .expert = 32,
                     .expert_tensor = 2,
                     .data = 2,
                     .sequence_parallel = true,
                     .zero_stage = 3,
                     .shard = Shard::hybrid};
  run.micro_batch_size = 3;
  run.schedule = Schedule::zb_2p;
  run.embedding_and_loss_as_layers = true;
  run.activation_recompute = Recompute::full;
  TrainingRun again = run_of(4096, 64);
  set_layout(again, record_of(run, 1, 1));
  EXPECT_EQ(key_of(again), key_of(run));
  EXPECT_EQ(again.precision, run.precision);
}

}  // namespace
}  // namespace podwright::sizing::training_space_test
