#include "sizing/search_training.h"

#include <gtest/gtest.h>

#include "perf/layout_rules.h"
#include "sizing/training_launch.h"
#include "sizing/training_why.h"

namespace podwright::sizing::search_training_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

TrainingWorkload small_run() {
  TrainingWorkload workload;
  workload.tokens = 1e11;
  workload.sequence_length = 4096;
  workload.global_batch_size = 64;
  return workload;
}

TrainingConstraints on(std::vector<double> counts) {
  TrainingConstraints constraints;
  constraints.gpu_counts = std::move(counts);
  constraints.limits = usual_limits(4096);
  return constraints;
}

/// Evaluates every layout in full, one by one.
class BruteForce : public LayoutVisitor {
 public:
  BruteForce(const Model& of, const Gpu& with) : of_(of), with_(with), stack_(layer_stack(of)) {}
  void fixed(const TrainingRun&) override {}
  void layout(const TrainingRun& run) override {
    ++layouts;
    NoTrace none;
    const auto estimate = estimate_training(none, facts(), of_, stack_, with_, run, nullptr);
    if (!estimate.feasible || !estimate.step || !launches(launcher_of(run.framework), of_, run)) return;
    ++fitting;
    if (!(estimate.step->total < fastest)) return;
    fastest = estimate.step->total;
    best = layout_text(run);
  }
  double layouts = 0;
  double fitting = 0;
  Seconds fastest{1e30};
  std::string best;

 private:
  const Model& of_;
  const Gpu& with_;
  LayerStack stack_;
};

TEST(SearchTraining, TheWinnerIsTheBestOfAllLayouts) {
  struct Case {
    const char* model;
    double gpus;
    std::vector<Precision> precisions;
  };
  for (const Case& c : {Case{"llama-3-8b", 16, {Precision::bf16}}, Case{"mixtral-8x7b", 32, {Precision::bf16}}}) {
    TrainingWorkload workload = small_run();
    workload.precisions = c.precisions;
    BruteForce all(model(c.model), gpu("h100-sxm5-80gb"));
    TrainingRun run = training_run(workload);
    const TrainingConstraints constraints = on({c.gpus});
    TrainingSpace(model(c.model), run, constraints.limits, 8).visit(c.gpus, run, all);
    const TrainingSearch search =
        search_training(facts(), model(c.model), {{.gpu = &gpu("h100-sxm5-80gb")}}, workload, constraints);
    ASSERT_FALSE(search.best.empty()) << c.model;
    EXPECT_EQ(search.best[0].step, all.fastest) << layout_text(search.best[0].run) << " | " << all.best;
    EXPECT_EQ(search.visited, all.layouts);
    double last = 0;
    for (const TrainingCandidate& candidate : search.best) {
      EXPECT_TRUE(legal_layout(model(c.model), candidate.run));
      EXPECT_GE(candidate.step.base_units(), last);
      last = candidate.step.base_units();
      EXPECT_FALSE(candidate.why.empty());
    }
  }
}

TEST(SearchTraining, EveryLayoutIsCountedOnce) {
  TrainingConstraints constraints = on({32});
  constraints.every_layout = true;
  const TrainingSearch search =
      search_training(facts(), model("llama-3-8b"), {{.gpu = &gpu("h100-sxm5-80gb")}}, small_run(), constraints);
  EXPECT_EQ(search.evaluated, search.visited);
  double rejected = 0;
  for (const Rejection& rejection : search.rejected) rejected += rejection.count;
  EXPECT_LT(rejected, search.visited);
  EXPECT_GT(rejected, 0);
}

TEST(SearchTraining, NothingBeatsAPointOfTheFront) {
  const std::vector<GpuOffer> offers{
      {.gpu = &gpu("h100-sxm5-80gb"), .price_per_gpu = usd_per_hour(2), .power_per_gpu = kw(1.7)},
      {.gpu = &gpu("b200-sxm"), .price_per_gpu = usd_per_hour(4), .power_per_gpu = kw(2.2)}};
  const TrainingSearch search = search_training(facts(), model("llama-3-8b"), offers, small_run(), on({8, 16, 32, 64}));
  const TrainingPareto& front = search.pareto;
  ASSERT_GT(front.gpus.size(), 2u);
  for (std::size_t i = 0; i < front.gpus.size(); ++i) {
    for (std::size_t j = 0; j < front.gpus.size(); ++j) {
      if (i == j) continue;
      const bool beaten = front.gpus[j] <= front.gpus[i] && front.time[j] <= front.time[i] &&
                          *front.cost_usd[j] <= *front.cost_usd[i] && *front.energy_kwh[j] <= *front.energy_kwh[i];
      EXPECT_FALSE(beaten) << i << " by " << j;
    }
  }
}

TEST(SearchTraining, ObjectivesPutTheirOwnFirst) {
  const std::vector<GpuOffer> offers{
      {.gpu = &gpu("h100-sxm5-80gb"), .price_per_gpu = usd_per_hour(2), .power_per_gpu = kw(1.7)},
      {.gpu = &gpu("a100-sxm4-80gb"), .price_per_gpu = usd_per_hour(1), .power_per_gpu = kw(1)}};
  TrainingConstraints constraints = on({8, 16, 64});
  constraints.top = 50;
  const auto best = [&](Objective objective) {
    constraints.objective = objective;
    return search_training(facts(), model("llama-3-8b"), offers, small_run(), constraints).best;
  };
  const auto by_time = best(Objective::time);
  const auto by_gpus = best(Objective::gpus);
  const auto by_cost = best(Objective::cost);
  const auto by_energy = best(Objective::energy);
  ASSERT_FALSE(by_time.empty());
  for (const TrainingCandidate& other : by_time) EXPECT_LE(by_time[0].step, other.step);
  EXPECT_EQ(by_gpus[0].gpus, 8);
  for (const TrainingCandidate& other : by_time) EXPECT_LE(*by_cost[0].cost, *other.cost);
  for (const TrainingCandidate& other : by_time) EXPECT_LE(*by_energy[0].energy, *other.energy);
  EXPECT_NEAR(*by_cost[0].cost / usd(1),
              by_cost[0].gpus * (*by_cost[0].run_time / hours(1)) * (by_cost[0].gpu->id == "h100-sxm5-80gb" ? 2 : 1),
              1e-3);
}

TEST(SearchTraining, TheRunnersUpAreOfDifferentShape) {
  const TrainingSearch search =
      search_training(facts(), model("llama-3.1-70b"), {{.gpu = &gpu("h100-sxm5-80gb")}}, small_run(), on({64}));
  for (std::size_t i = 0; i < search.best.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const TrainingParallelism& a = search.best[i].run.parallelism;
      const TrainingParallelism& b = search.best[j].run.parallelism;
      EXPECT_FALSE(a.tensor == b.tensor && a.pipeline == b.pipeline && a.context == b.context);
    }
}

TEST(SearchTraining, NamesTheNearestMissOfWhatDoesNotFit) {
  const TrainingSearch search =
      search_training(facts(), model("llama-3.1-405b"), {{.gpu = &gpu("h100-sxm5-80gb")}}, small_run(), on({8}));
  EXPECT_TRUE(search.best.empty());
  ASSERT_FALSE(search.rejected.empty());
  EXPECT_EQ(search.rejected[0].reason.code, "does-not-fit");
  EXPECT_GT(search.rejected[0].reason.shortfall, 0);
  EXPECT_FALSE(search.rejected[0].layout.empty());
  // What the framework does not launch is counted without being evaluated.
  double rejected = 0;
  for (const Rejection& rejection : search.rejected) rejected += rejection.count;
  EXPECT_EQ(rejected, search.visited);
  EXPECT_LT(search.evaluated, search.visited);
}

TEST(Why, TellsWhatChangesAndWhatItCosts) {
  const TrainingSearch search =
      search_training(facts(), model("llama-3.1-70b"), {{.gpu = &gpu("h100-sxm5-80gb")}}, small_run(), on({64}));
  ASSERT_GT(search.best.size(), 1u);
  const std::string& why = search.best[1].why.front();
  EXPECT_NE(why.find("% slower: "), std::string::npos) << why;
  EXPECT_NE(why.find(" -> "), std::string::npos) << why;
  EXPECT_NE(search.best[0].why.back().find("The next best is"), std::string::npos);
  EXPECT_EQ(layout_changes(search.best[0].run, search.best[0].run), "");
}

}  // namespace
}  // namespace podwright::sizing::search_training_test
