#include "perf/serving_queue.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perf/estimate_serving.h"

namespace podwright::serving_queue_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

ServingRun chat(Load load) {
  ServingRun run;
  run.weight_precision = "fp8";
  run.kv_precision = "fp8";
  run.engine = "vllm";
  run.parallelism.tensor = 4;
  run.input_tokens = 1024;
  run.output_tokens = 512;
  run.load = load;
  return run;
}
ServingRun open_chat(double rate) {
  ServingRun run = chat({LoadKind::request_rate, rate});
  run.input_tokens_cv = 0.5;
  run.output_tokens_cv = 0.6;
  return run;
}
ServingEstimate<NoTrace> estimate(const ServingRun& run, std::string_view model = "llama-3.1-70b",
                                  std::string_view gpu = "h100-sxm5-80gb") {
  NoTrace none;
  return estimate_serving(none, facts(), **find_model(facts(), model), **find_gpu(facts(), gpu), run);
}
double stable_rate(const ServingRun& run) { return estimate(run).performance->stable_requests_per_s->base_units(); }

TEST(FallingRoot, FindsTheRootOfSmoothAndSteppedFunctions) {
  EXPECT_NEAR(falling_root(0, 10, [](double x) { return 2 - x * x; }), std::sqrt(2.0), 1e-11);
  EXPECT_NEAR(falling_root(0, 1e6, [](double x) { return 3 - x; }), 3, 1e-9);
  EXPECT_NEAR(falling_root(0, 10, [](double x) { return x < 4 ? 1.0 : -5.0; }), 4, 1e-10);
}

TEST(Quantiles, OfALognormalKeepItsMeanAndOrder) {
  // ln X is normal with variance ln 2 where the coefficient of variation is 1.
  const double sigma = std::sqrt(std::log(2.0));
  EXPECT_NEAR(quantile_of(3.0, 1.0, Percentile::p50), 3 * std::exp(-sigma * sigma / 2), 1e-12);
  EXPECT_NEAR(quantile_of(3.0, 1.0, Percentile::p99), 3 * std::exp(2.3263478740408408 * sigma - sigma * sigma / 2),
              1e-12);
  EXPECT_EQ(quantile_of(3.0, 1.0, Percentile::mean), 3.0);
  EXPECT_EQ(quantile_of(3.0, 0.0, Percentile::p99), 3.0);
}

TEST(Waits, OfOnePlaceAreThoseOfMg1) {
  // Pollaczek and Khinchine: rho / (1 - rho) * (1 + cv^2) / 2 * service, all of it behind those that find it busy.
  const Waiting wait = open_wait(2, 1, 0.75, 0.5, 0);
  EXPECT_NEAR(wait.mean(), 0.75 / 0.25 * (1.25 / 2) * 2, 1e-12);
  EXPECT_NEAR(wait.waiting, 0.75, 1e-12);
  EXPECT_EQ(open_wait(2, 1, 0, 0.5, 0).mean(), 0);
}

TEST(Waits, OfEveryOtherRequestAreThoseOfE2M1) {
  // GI/M/1: the share s that waits solves s = A(1 - s) with the transform A of the gaps, and waits s / (1 - s)
  // services.
  for (const double load : {0.5, 0.7, 0.9}) {
    double waiting = load;
    for (int i = 0; i < 1000; ++i) {
      const double gap = 2 * load / (2 * load + 1 - waiting);
      waiting = gap * gap;
    }
    EXPECT_NEAR(open_wait(1, 1, load, 1, 0.25).mean() / (waiting / (1 - waiting)), 1, 0.2 * (1 - load)) << load;
  }
  EXPECT_EQ(open_wait(1, 1, 0.9, 0, 0.5).mean(), 0);
}

TEST(EvenStreams, OfTwoLanesAreErlangRenewals) {
  EXPECT_EQ(stream_evenness({}, 2), 0.25);
  EXPECT_EQ(stream_evenness({.routing = Routing::random}, 2), 0);
  EXPECT_EQ(stream_evenness({.dispersion = 0}, 1), 0.5);
  EXPECT_NEAR(come_after_one(3, 0.25), 3 - (1 - std::exp(-12.0)) / 4, 1e-12);
  EXPECT_NEAR(count_dispersion(1e9, 0.25), 0.5, 1e-9);
  EXPECT_NEAR(count_dispersion(1e-4, 0.25), 1 - 1e-4, 1e-6);
  EXPECT_EQ(count_dispersion(3, 0), 1);
}

TEST(Waits, DivergeWithTheLoad) {
  double before = 0;
  for (const double load : {0.5, 0.9, 0.99, 0.999, 0.9999}) {
    const double wait = open_wait(1, 64, load, 0.6, 0).mean();
    EXPECT_GT(wait, before);
    before = wait;
  }
  EXPECT_GT(open_wait(1, 64, 0.9999, 0.6, 0).mean(), 50);
}

TEST(Waits, OfFewAreSeenInHighPercentilesOnly) {
  const Waiting wait{.waiting = 0.2, .wait = 3};
  EXPECT_EQ(wait.quantile(Percentile::p50), 0);
  EXPECT_NEAR(wait.quantile(Percentile::p90), 3 * std::log(2.0), 1e-12);
  EXPECT_NEAR(wait.quantile(Percentile::p99), 3 * std::log(20.0), 1e-12);
}

/// Two A100 that admit prompts of 1024 tokens whose answers grow beyond the pool.
struct PreemptedPool {
  NoTrace none;
  ServingRun run = open_chat(1);
  ServingLimits<NoTrace> limits;
  EngineCosts<NoTrace> costs;

  PreemptedPool() {
    run.kv_precision = "";
    run.parallelism.tensor = 2;
    run.output_tokens_cv = 1;
    const Model& llama = **find_model(facts(), "llama-3.1-70b");
    const Gpu& a100 = **find_gpu(facts(), "a100-sxm4-80gb");
    const WeightFormat& format = *find_weight_format(facts().weight_formats, "fp8");
    const auto memory = serving_memory(none, llama, a100, *find_engine_conventions(facts(), "vllm"), format, run);
    limits = serving_limits(none, memory, run, format);
    std::vector<std::string> assumptions;
    std::vector<Infeasible> reasons;
    costs = engine_costs(none, facts(), a100, llama, layer_stack(llama), run, limits, assumptions, reasons).value();
  }
  double completed(double in_flight) const { return serving_speed::completed_with(costs, run, limits, in_flight); }
};

TEST(StableRate, IsThatOfFewerSequencesWherePreemptionCostsMoreThanTheLastBring) {
  const PreemptedPool pool;
  const double best = serving_speed::best_sequences(pool.costs, pool.run, pool.limits);
  EXPECT_LT(best, 0.99 * pool.limits.max_sequences);
  EXPECT_GT(pool.completed(best), 1.002 * pool.completed(pool.limits.max_sequences));
  for (double share = 0.02; share <= 1; share += 0.02)
    EXPECT_LE(pool.completed(share * pool.limits.max_sequences), pool.completed(best) * (1 + 1e-9)) << share;
}

TEST(StableRate, CarriesRatesBetweenThatOfAllPlacesAndItsOwn) {
  const PreemptedPool pool;
  const double best = serving_speed::best_sequences(pool.costs, pool.run, pool.limits);
  ServingRun run = pool.run;
  run.load.value = (pool.completed(best) + pool.completed(pool.limits.max_sequences)) / 2;
  const auto between = estimate(run, "llama-3.1-70b", "a100-sxm4-80gb");
  ASSERT_TRUE(between.performance);
  EXPECT_TRUE(between.performance->stable);
  EXPECT_LT(between.performance->admitted_concurrency, best);
  EXPECT_NEAR(between.performance->stable_requests_per_s->base_units(), pool.completed(best), 1e-12);
  run.load.value = 1.001 * pool.completed(best);
  EXPECT_FALSE(estimate(run, "llama-3.1-70b", "a100-sxm4-80gb").performance->stable);
}

TEST(StableRate, OfAPoolThatPreemptsNobodyIsThatOfAllPlaces) {
  PreemptedPool pool;
  pool.limits.pool_tokens = 0;
  EXPECT_EQ(serving_speed::best_sequences(pool.costs, pool.run, pool.limits), pool.limits.max_sequences);
}

TEST(ServingPercentiles, AreInOrderAndHoldTheMeanBetweenThem) {
  const double most = stable_rate(open_chat(1));
  std::vector<ServingRun> runs;
  for (const double part : {0.01, 0.3, 0.7, 0.9, 0.97, 0.995}) runs.push_back(open_chat(part * most));
  for (const double clients : {1.0, 8.0, 64.0, 512.0, 4000.0}) runs.push_back(chat({LoadKind::concurrency, clients}));
  runs.push_back(chat({LoadKind::max_throughput, 0}));
  runs.push_back(chat({LoadKind::static_batch, 16}));
  for (const ServingRun& run : runs) {
    const auto e = estimate(run);
    ASSERT_TRUE(e.performance && e.performance->percentiles) << run.load.value;
    const auto& p = *e.performance->percentiles;
    const auto check = [&](const char* what, Seconds mean, const auto& times) {
      SCOPED_TRACE(what + std::to_string(run.load.value));
      for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i], times[i - 1]);
      EXPECT_LE(times.front().base_units(), mean.base_units() * (1 + 1e-12));
      EXPECT_GE(times.back().base_units(), mean.base_units() * (1 - 1e-12));
    };
    check("ttft ", *e.performance->ttft, p.ttft);
    check("tpot ", *e.performance->tpot, *p.tpot);
    check("request ", *e.performance->request, p.request);
  }
}

TEST(ServingPercentiles, GrowWithTheLoad) {
  const double most = stable_rate(open_chat(1));
  std::optional<ServingPercentiles<NoTrace>> before;
  for (const double part : {0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99}) {
    const auto e = estimate(open_chat(part * most));
    const auto& now = *e.performance->percentiles;
    if (before) {
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_GT(now.ttft[i], before->ttft[i]) << part << " " << i;
        EXPECT_GT((*now.tpot)[i], (*before->tpot)[i]) << part << " " << i;
        EXPECT_GT(now.request[i], before->request[i]) << part << " " << i;
      }
    }
    before = now;
  }
}

TEST(ServingPercentiles, OfOneClientAreItsMean) {
  ServingRun run = chat({LoadKind::concurrency, 1});
  const auto e = estimate(run);
  const UnexplainedScatter rest = unexplained_scatter(facts());
  const auto& p = *e.performance->percentiles;
  EXPECT_NEAR(p.ttft[3] / *e.performance->ttft, quantile_of(1.0, rest.ttft * rest.ttft, Percentile::p99), 1e-9);
  EXPECT_NEAR((*p.tpot)[3] / *e.performance->tpot, quantile_of(1.0, rest.tpot * rest.tpot, Percentile::p99), 1e-9);
}

TEST(RequestRate, WaitDivergesTowardsTheStableRate) {
  const double most = stable_rate(open_chat(1));
  double before = 0;
  for (const double part : {0.9, 0.99, 0.999, 0.9999, 0.999999, 0.99999999}) {
    const auto e = estimate(open_chat(part * most));
    ASSERT_TRUE(e.performance->stable) << part;
    EXPECT_GT(e.performance->ttft->base_units(), before);
    before = e.performance->ttft->base_units();
  }
  EXPECT_GT(before, 10);
}

TEST(RequestRate, OverloadSaysWhatWouldBeStable) {
  const double most = stable_rate(open_chat(1));
  const auto e = estimate(open_chat(1.5 * most));
  EXPECT_FALSE(e.feasible);
  ASSERT_TRUE(e.performance);
  EXPECT_FALSE(e.performance->stable);
  EXPECT_FALSE(e.performance->ttft);
  EXPECT_FALSE(e.performance->percentiles);
  EXPECT_NEAR(e.performance->stable_requests_per_s->base_units(), most, 1e-9 * most);
  ASSERT_EQ(e.reasons.size(), 1U);
  EXPECT_EQ(e.reasons[0].code, "unstable");
  EXPECT_EQ(e.reasons[0].ways_out.size(), 2U);
  EXPECT_TRUE(estimate(open_chat(0.999 * most)).performance->stable);
}

TEST(RequestRate, LittlesLawHoldsAtTheFixedPoint) {
  const double most = stable_rate(open_chat(1));
  for (const double share : {0.01, 0.1, 0.5, 0.95}) {
    const double rate = share * most;
    const auto e = estimate(open_chat(rate));
    ASSERT_TRUE(e.performance->stable);
    EXPECT_NEAR(e.performance->requests_per_s.base_units(), rate, 1e-9 * rate);
  }
}

TEST(Preemption, HappensWhereThePoolIsFull) {
  ServingRun run = chat({LoadKind::max_throughput, 0});
  EXPECT_EQ(recomputed_share(0, 100, run), 0);
  const double held = 100 * (1024 + 256);
  const double full = recomputed_share(held, 100, run);
  // Half a normal distribution beyond its mean: 0.3989 of the deviation of 100 evenly spread answers.
  EXPECT_NEAR(full, 0.3989423 * std::sqrt(100 * 512.0 * 512.0 / 12) / (100 * 1024), 1e-9);
  EXPECT_LT(recomputed_share(1.1 * held, 100, run), 1e-3 * full);
  EXPECT_GT(recomputed_share(0.9 * held, 100, run), full);
  const auto fast = estimate(run);
  ServingRun whole = run;
  whole.engine = "tensorrt-llm";  // reserves whole lengths
  for (const std::string& sentence : estimate(whole).assumptions)
    EXPECT_EQ(sentence.find("preempt"), std::string::npos);
  EXPECT_TRUE(fast.performance);
}

TEST(Preemption, LengthensTheFirstTokenByItsPartOfTheQueue) {
  const PreemptedPool pool;
  ServingLimits<NoTrace> whole_lengths = pool.limits;
  whole_lengths.pool_tokens = 0;
  const double places = pool.limits.max_sequences;
  NoTrace none;
  const auto lane_of = [&](const ServingLimits<NoTrace>& limits) {
    return serving_speed::continuous_lane(none, pool.costs, pool.run, limits, places, places / limits.pools);
  };
  const auto lane = lane_of(pool.limits);
  const auto without = lane_of(whole_lengths);
  const double share = recomputed_share(pool.limits.pool_tokens, places / pool.limits.pools, pool.run);
  EXPECT_GT(share, 1e-3);
  EXPECT_NEAR(lane.prompt / without.prompt, 1 + share, 1e-12);
  const Seconds queue = prompt_queue(pool.costs.figures.burst, places, without.prompt);
  EXPECT_NEAR((lane.first_token - without.first_token) / queue, share, 1e-9);
  EXPECT_NEAR((lane.cycle - without.cycle) / (places * without.prompt), share, 1e-9);
  // Its own prompt is computed once before the first token, whatever is computed again later.
  EXPECT_NEAR((lane.request - without.request) / ((places - 1) * without.prompt), share, 1e-9);
  EXPECT_EQ(lane.decode_step.total, without.decode_step.total);
}

/// Workloads of MLPerf Inference v5.1 on a layout that submissions use, at nine tenths of the stable rate. Lengths of
/// the answers: README files of the reference implementations. Prompts: means as the benchmark's authors give them
/// (recalled), 300 tokens for the one without; their scatter is assumed.
struct Workload {
  const char* name;
  const char* model;
  const char* gpu;
  const char* precision;
  ServingParallelism layout;
  double input, input_cv, output, output_cv;
  double ttft, tpot;  ///< published medians of p99 over mean
};

class PublishedRatios : public testing::TestWithParam<Workload> {};

TEST_P(PublishedRatios, LieInTheirRangeAndNearTheirMedian) {
  const Workload& w = GetParam();
  ServingRun run;
  run.weight_precision = w.precision;
  run.kv_precision = "fp8";
  run.engine = "tensorrt-llm";
  run.parallelism = w.layout;
  run.input_tokens = w.input;
  run.output_tokens = w.output;
  run.input_tokens_cv = w.input_cv;
  run.output_tokens_cv = w.output_cv;
  run.load = {LoadKind::request_rate, 1e-3};
  const auto e = estimate(run, w.model, w.gpu);
  ASSERT_TRUE(e.performance);
  run.load.value = 0.9 * e.performance->stable_requests_per_s->base_units();
  const auto loaded = estimate(run, w.model, w.gpu);
  ASSERT_TRUE(loaded.performance->percentiles);
  const auto& p = *loaded.performance->percentiles;
  const double ttft = p.ttft[3] / *loaded.performance->ttft;
  const double tpot = (*p.tpot)[3] / *loaded.performance->tpot;
  RecordProperty("ttft", std::to_string(ttft));
  RecordProperty("tpot", std::to_string(tpot));
  EXPECT_GT(ttft, 1.6);
  EXPECT_LT(ttft, 8.6);
  EXPECT_NEAR(std::log(ttft / w.ttft), 0, std::log(1.5)) << ttft;
  EXPECT_NEAR(tpot, w.tpot, 0.35) << tpot;
}

constexpr ServingParallelism kEight{.tensor = 1, .pipeline = 1, .expert = 1, .attention_data = 1, .data = 8};
constexpr ServingParallelism kTensor{.tensor = 8, .pipeline = 1, .expert = 1, .attention_data = 1, .data = 1};
constexpr ServingParallelism kAttention{.tensor = 1, .pipeline = 1, .expert = 8, .attention_data = 8, .data = 1};
INSTANTIATE_TEST_SUITE_P(
    Mlperf, PublishedRatios,
    testing::Values(
        Workload{"llama2_70b", "llama-2-70b", "b200-sxm", "nvfp4", kEight, 300, 0.8, 294, 0.6, 2.0, 1.08},
        Workload{"llama3_405b", "llama-3.1-405b", "b200-sxm", "nvfp4", kTensor, 9428, 0.5, 685, 0.6, 3.0, 1.35},
        Workload{"llama3_8b", "llama-3.1-8b", "b200-sxm", "nvfp4", kEight, 778, 0.5, 128, 0.2, 3.2, 1.24},
        Workload{"deepseek_r1", "deepseek-r1", "b200-sxm", "nvfp4", kAttention, 800, 0.6, 4043, 0.6, 2.5, 1.06}),
    [](const auto& workload) { return std::string(workload.param.name); });

}  // namespace
}  // namespace podwright::serving_queue_test
