#include <gtest/gtest.h>

#include "sizing/layouts.h"
#include "sizing/search_serving.h"
#include "sizing/search_training.h"

namespace podwright::sizing::search_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

ServingWorkload chat(double requests) {
  ServingWorkload workload;
  workload.peak_requests_per_s = requests;
  workload.input_tokens = 2048;
  workload.output_tokens = 512;
  workload.limits = {{.latency = LatencyKind::ttft, .most = seconds(2)},
                     {.latency = LatencyKind::tpot, .most = milliseconds(50)}};
  return workload;
}

TEST(Layouts, GpuCountsFillNodes) {
  EXPECT_EQ(gpu_counts(8, 1, 64), (std::vector<double>{1, 2, 4, 8, 16, 24, 32, 48, 64}));
  EXPECT_EQ(gpu_counts(8, 20, 40), (std::vector<double>{24, 32}));
}

TEST(Layouts, AreLegal) {
  for (const char* id : {"llama-3.1-70b", "deepseek-v3", "qwen2.5-7b"}) {
    ServingRun run;
    const auto layouts = serving_layouts(facts(), model(id), gpu("h100-sxm5-80gb"), 64);
    EXPECT_FALSE(layouts.empty());
    for (const ServingParallelism& layout : layouts) {
      run.parallelism = layout;
      EXPECT_TRUE(legal_layout(model(id), run));
    }
  }
}

TEST(Pareto, KeepsWhatNothingBeats) {
  EXPECT_EQ(pareto_front({3, 1, 2, 2}, {1, 5, 6, 2}), (std::vector<std::size_t>{1, 3, 0}));
  EXPECT_EQ(pareto_front({1, 1}, {2, 2}), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(pareto_front({}, {}).empty());
}

TEST(Rejections, KeepTheNearestMissOfEachReason) {
  std::vector<Rejection> rejected;
  reject(rejected, {.code = "a", .message = as_written("far"), .shortfall = 9, .unit = "s"}, "x");
  reject(rejected, {.code = "a", .message = as_written("near"), .shortfall = 1, .unit = "s"}, "y");
  reject(rejected, {.code = "b"}, "z");
  ASSERT_EQ(rejected.size(), 2u);
  EXPECT_EQ(rejected[0].count, 2);
  EXPECT_EQ(rejected[0].layout, "y");
}

TEST(SearchServing, EveryCandidateMeetsTheLimitsAndIsReproduced) {
  for (const char* id : {"h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"}) {
    const ServingSearch search =
        search_serving(facts(), model("llama-3.1-70b"), gpu(id), chat(50), {.max_gpus = 1024, .top = 5});
    ASSERT_FALSE(search.best.empty()) << id;
    double last = 0;
    for (const ServingCandidate& candidate : search.best) {
      EXPECT_GE(candidate.gpus, last);
      last = candidate.gpus;
      EXPECT_LE(*candidate.tpot, milliseconds(50));
      EXPECT_LE(candidate.ttft, seconds(2));
      EXPECT_GE(candidate.max_requests_per_s.base_units(), 50);
      NoTrace none;
      const auto again = estimate_serving(none, facts(), model("llama-3.1-70b"), gpu(id), candidate.run);
      ASSERT_TRUE(again.performance && again.feasible);
      EXPECT_NEAR(again.performance->tpot->base_units(), candidate.tpot->base_units(), 1e-9);
    }
  }
}

TEST(SearchServing, MoreLoadNeverNeedsFewerGpus) {
  double last = 0;
  for (double requests = 1; requests <= 256; requests *= 2) {
    const ServingSearch search =
        search_serving(facts(), model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), chat(requests), {});
    ASSERT_FALSE(search.best.empty());
    EXPECT_GE(search.best[0].gpus, last);
    last = search.best[0].gpus;
  }
}

TEST(SearchServing, SaysWhatIsMissing) {
  ServingWorkload impossible = chat(1);
  impossible.limits[1].most = milliseconds(0.1);
  const ServingSearch search = search_serving(facts(), model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), impossible, {});
  EXPECT_TRUE(search.best.empty());
  bool tpot = false;
  bool weights = false;
  for (const Rejection& rejection : search.rejected) {
    tpot = tpot ||
           (rejection.reason.code == "tpot" && rejection.reason.shortfall > 0 && !rejection.reason.ways_out.empty());
    weights = weights || rejection.reason.code == "weights-do-not-fit";
  }
  EXPECT_TRUE(tpot);
  EXPECT_TRUE(weights);  // 16 bit on one GPU
}

TEST(SearchServing, TheFrontTradesSpeedForOutput) {
  const ServingSearch search = search_serving(facts(), model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), chat(50), {});
  ASSERT_GT(search.front.size(), 3u);
  for (std::size_t i = 1; i < search.front.size(); ++i) {
    EXPECT_GT(search.front[i].tpot, search.front[i - 1].tpot);
    EXPECT_GT(search.front[i].output_tokens_per_s_per_gpu, search.front[i - 1].output_tokens_per_s_per_gpu);
  }
}

TEST(SearchTraining, MeetsTheDeadlineWithTheFewestGpus) {
  TrainingWorkload workload;
  workload.method = TrainingMethod::lora;
  workload.tokens = 2e9;
  workload.deadline = days(3);
  const TrainingSearch search =
      search_training(facts(), model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), workload, {.max_gpus = 512, .top = 5});
  ASSERT_FALSE(search.best.empty());
  const TrainingCandidate& best = search.best[0];
  EXPECT_LE(best.run_time, days(3));
  EXPECT_EQ(gpus_of(best.run.parallelism), best.gpus);
  for (std::size_t i = 0; i < search.pareto.gpus.size(); ++i)
    if (search.pareto.gpus[i] < best.gpus) {
      EXPECT_GT(search.pareto.time[i], days(3));
    }
  NoTrace none;
  const auto again = estimate_training(none, facts(), model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), best.run);
  ASSERT_TRUE(again.step && again.feasible);
  EXPECT_EQ(again.step->total, best.step);
}

TEST(SearchTraining, AnImpossibleDeadlineIsRejectedWithTheTimeItTakes) {
  TrainingWorkload workload;
  workload.tokens = 1e12;
  workload.deadline = days(1);
  const TrainingSearch search =
      search_training(facts(), model("llama-3-8b"), gpu("a100-sxm4-80gb"), workload, {.max_gpus = 8192});
  EXPECT_TRUE(search.best.empty());
}

}  // namespace
}  // namespace podwright::sizing::search_test
