/// What must hold of training memory in every layout, over random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "memory/training_memory.h"

namespace podwright::training_memory_properties_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

/// Small repeatable generator: the same layouts on every machine.
class Dice {
 public:
  template <class T>
  const T& pick(const std::vector<T>& sides) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return sides[static_cast<std::size_t>(state_ >> 33) % sides.size()];
  }

 private:
  std::uint64_t state_ = 20240607;
};

struct Case {
  const Model* model = nullptr;
  TrainingRun run;
};

Case random_case(Dice& dice) {
  Case c;
  const auto model = find_model(facts(), dice.pick<std::string>({"llama-3-8b", "llama-3-70b", "llama-3.1-405b",
                                                                 "qwen3-30b-a3b", "deepseek-v3", "nemotron-h-56b"}));
  EXPECT_TRUE(model);
  c.model = *model;
  TrainingRun& run = c.run;
  run.framework = dice.pick<std::string>(
      {"megatron-core", "megatron-bridge", "megatron-lm", "megatron-deepspeed", "deepspeed", "torchtitan", "hai-llm"});
  run.sequence_length = dice.pick<double>({2048, 8192, 32768});
  run.micro_batch_size = dice.pick<double>({1, 2, 4});
  TrainingParallelism& p = run.parallelism;
  p.tensor = dice.pick<double>({1, 2, 4});
  p.pipeline = dice.pick<double>({1, 2, 4, 8});
  p.virtual_pipeline = p.pipeline > 1 ? dice.pick<double>({1, 2}) : 1.0;
  p.context = dice.pick<double>({1, 2, 4});
  p.data = dice.pick<double>({2, 8, 64});
  p.expert = c.model->experts > 0 ? dice.pick<double>({1, 2}) : 1.0;
  p.sequence_parallel = dice.pick<int>({0, 1}) != 0;
  p.zero_stage = dice.pick<int>({0, 1, 2, 3});
  run.global_batch_size = run.micro_batch_size * p.data * dice.pick<double>({1, 4, 32});
  run.schedule = dice.pick<Schedule>({Schedule::one_f_one_b, Schedule::gpipe, Schedule::zb_2p});
  run.activation_recompute = dice.pick<Recompute>({Recompute::none, Recompute::selective, Recompute::full});
  run.method = dice.pick<TrainingMethod>({TrainingMethod::full, TrainingMethod::full, TrainingMethod::lora});
  return c;
}

/// Bytes of the fullest GPU; negative where no formula covers the run.
double total(const Case& c) {
  NoTrace trace;
  const auto memory = training_memory(trace, *c.model, **find_gpu(facts(), "h100-sxm5-80gb"), c.run,
                                      training_recipe(facts().training_recipes, c.run));
  return memory ? raw(memory->total) : -1;
}

/// Whether `change` never makes the fullest GPU fuller (direction -1) or emptier (+1), over random layouts.
template <class Change>
void expect_monotone(int direction, const char* what, Change change) {
  Dice dice;
  int covered = 0;
  for (int i = 0; i < 600; ++i) {
    const Case before = random_case(dice);
    Case after = before;
    change(after.run);
    const double a = total(before);
    const double b = total(after);
    if (a < 0 || b < 0) continue;
    covered += 1;
    EXPECT_GE(direction * (b - a), -1e-9 * a)
        << what << ": " << before.model->id << " " << before.run.framework << " t " << before.run.parallelism.tensor
        << " p " << before.run.parallelism.pipeline << " d " << before.run.parallelism.data << " zero "
        << before.run.parallelism.zero_stage << " recompute " << static_cast<int>(before.run.activation_recompute)
        << " method " << static_cast<int>(before.run.method);
  }
  EXPECT_GT(covered, 300) << what;
}

TEST(TrainingMemoryProperties, UpInSequence) {
  expect_monotone(1, "sequence", [](TrainingRun& run) { run.sequence_length *= 2; });
}
TEST(TrainingMemoryProperties, UpInMicroBatch) {
  expect_monotone(1, "micro-batch", [](TrainingRun& run) {
    run.micro_batch_size *= 2;
    run.global_batch_size *= 2;
  });
}
TEST(TrainingMemoryProperties, UpInMicroBatchesInFlight) {
  expect_monotone(1, "micro-batches", [](TrainingRun& run) { run.global_batch_size *= 2; });
  expect_monotone(1, "schedule", [](TrainingRun& run) { run.schedule = Schedule::gpipe; });
}
TEST(TrainingMemoryProperties, DownInTensor) {
  expect_monotone(-1, "tensor", [](TrainingRun& run) { run.parallelism.tensor *= 2; });
}
TEST(TrainingMemoryProperties, DownInContext) {
  expect_monotone(-1, "context", [](TrainingRun& run) { run.parallelism.context *= 2; });
}
TEST(TrainingMemoryProperties, DownInData) {
  expect_monotone(-1, "data", [](TrainingRun& run) {
    run.parallelism.data *= 2;
    run.global_batch_size *= 2;
  });
}
TEST(TrainingMemoryProperties, DownInExpert) {
  expect_monotone(-1, "expert", [](TrainingRun& run) { run.parallelism.expert *= 2; });
}
TEST(TrainingMemoryProperties, DownInZeroStage) {
  expect_monotone(-1, "zero stage",
                  [](TrainingRun& run) { run.parallelism.zero_stage = std::min(3, run.parallelism.zero_stage + 1); });
}

TEST(TrainingMemoryProperties, ZeroStagesAgreeOnOneRank) {
  Dice dice;
  for (int i = 0; i < 100; ++i) {
    Case c = random_case(dice);
    c.run.parallelism = {};
    c.run.global_batch_size = c.run.micro_batch_size;
    c.run.parallelism.zero_stage = 0;
    const double none = total(c);
    for (int stage = 1; stage <= 3; ++stage) {
      c.run.parallelism.zero_stage = stage;
      EXPECT_EQ(total(c), none) << c.model->id << " " << c.run.framework << " stage " << stage;
    }
  }
}

TEST(TrainingMemoryProperties, TheStagesLookedAtCoverAll) {
  Dice dice;
  const Gpu& gpu = **find_gpu(facts(), "h100-sxm5-80gb");
  for (int i = 0; i < 200; ++i) {
    Case c = random_case(dice);
    c.run.framework = "deepspeed";
    c.run.parallelism.zero_stage = std::min(1, c.run.parallelism.zero_stage);
    const TrainingRecipe recipe = training_recipe(facts().training_recipes, c.run);
    const LayerStack stack = layer_stack(*c.model);
    NoTrace trace;
    TrainingMemoryModel<NoTrace> model(trace, *c.model, stack, gpu, c.run, recipe);
    const double fullest = raw(model.fullest(c.run, training_stages(*c.model, stack, stage_split(c.run))).total);
    double largest = 0;
    for (int place = 0; place < static_cast<int>(c.run.parallelism.pipeline); ++place) {
      const TrainingStage stage{.place = place,
                                .layers = stage_layers(stack, stage_split(c.run), place),
                                .first = place == 0,
                                .last = place + 1 == static_cast<int>(c.run.parallelism.pipeline)};
      largest = std::max(largest, raw(model.of_stage(c.run, stage).total));
    }
    EXPECT_EQ(fullest, largest) << c.model->id;
  }
}

}  // namespace
}  // namespace podwright::training_memory_properties_test
