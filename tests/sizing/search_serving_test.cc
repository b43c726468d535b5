/// Properties of the search for serving deployments.
#include "sizing/search_serving.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "perf/layout_rules.h"
#include "sizing/gpu_catalog.h"
#include "sizing/pool_pair.h"
#include "sizing/serving_finish.h"
#include "sizing/serving_launch.h"
#include "sizing/serving_replica.h"
#include "sizing/serving_why.h"

namespace podwright::sizing::search_serving_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

ServingWorkload chat(double requests) {
  ServingWorkload workload;
  workload.peak_requests_per_s = requests;
  workload.input_tokens = 2048;
  workload.output_tokens = 512;
  workload.input_tokens_cv = 0.5;
  workload.output_tokens_cv = 0.6;
  workload.limits = {{.latency = LatencyKind::ttft, .most = seconds(2)},
                     {.latency = LatencyKind::tpot, .most = milliseconds(50)}};
  return workload;
}

std::vector<GpuOffer> offers(const std::vector<std::string_view>& ids) {
  std::vector<GpuOffer> list;
  double price = 2;
  for (const std::string_view id : ids) {
    list.push_back({.gpu = &gpu(id), .system = nullptr, .price_per_gpu = usd_per_hour(price), .power_per_gpu = {}});
    price += 1;
  }
  return list;
}

const std::vector<std::string_view> kThree{"h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"};

TEST(SearchServingDeployments, TheBestIsWhatAnEstimateGives) {
  for (const char* id : {"llama-3.3-70b", "qwen3-235b-a22b"}) {
    ServingWorkload workload = chat(20);
    workload.engines = {"vllm", "tensorrt-llm", "sglang"};
    const ServingSearch search = search_serving(facts(), model(id), offers(kThree), workload, {});
    ASSERT_FALSE(search.best.empty()) << id;
    for (const ServingCandidate& candidate : search.best) {
      NoTrace none;
      const auto again = estimate_serving(none, facts(), model(id), *candidate.gpu, candidate.run);
      ASSERT_TRUE(again.feasible && again.performance && again.performance->percentiles);
      EXPECT_EQ(*again.performance->tpot, *candidate.tpot);
      EXPECT_EQ(*again.performance->ttft, candidate.ttft);
      EXPECT_EQ(again.performance->output_tokens_per_s, candidate.output_tokens_per_s);
      EXPECT_EQ(again.memory->total, candidate.memory_per_gpu);
      EXPECT_LE(again.performance->percentiles->ttft[2], seconds(2));  // p95
      EXPECT_LE((*again.performance->percentiles->tpot)[2], milliseconds(50));
      EXPECT_FALSE(candidate.why.empty());
    }
  }
}

using Arrangements = std::vector<Arrangement>;
const Arrangements kBoth{Arrangement::aggregated, Arrangement::disaggregated};

void relaxed_limits_never_worsen(const char* id, const Arrangements& arrangements) {
  for (const LatencyKind kind : {LatencyKind::ttft, LatencyKind::tpot, LatencyKind::request}) {
    double last = 1e300;
    double last_rate = 0;
    for (double slack = 0.25; slack <= 8; slack *= 2) {
      const double usual = kind == LatencyKind::ttft ? 1 : kind == LatencyKind::tpot ? 0.04 : 20;
      ServingWorkload workload = chat(20);
      workload.arrangements = arrangements;
      workload.limits = {{.latency = kind, .percentile = Percentile::p90, .most = Seconds(usual * slack)}};
      const ServingSearch search = search_serving(facts(), model(id), offers(kThree), workload, {});
      const double price = search.best.empty() ? 1e300 : search.best[0].price->base_units();
      EXPECT_LE(price, last);
      last = price;
      workload.peak_requests_per_s = 0;
      const ServingSearch most = search_serving(facts(), model(id), offers(kThree), workload, {.max_gpus = 8});
      const double rate = most.best.empty() ? 0 : most.best[0].max_requests_per_s.base_units();
      EXPECT_GE(rate, last_rate);
      last_rate = rate;
    }
    EXPECT_LT(last, 1e300);
    EXPECT_GT(last_rate, 0);
  }
}

void relaxed_limits_never_worsen(const Arrangements& arrangements) {
  for (const char* id : {"llama-3.3-70b", "qwen3-235b-a22b", "llama-3.1-8b"})
    relaxed_limits_never_worsen(id, arrangements);
}

TEST(SearchServingDeployments, ARelaxedLimitNeverWorsensTheOptimum) {
  relaxed_limits_never_worsen({Arrangement::aggregated});
}
TEST(SearchServingDeployments, ARelaxedLimitNeverWorsensPools) {
  relaxed_limits_never_worsen({Arrangement::disaggregated});
}
TEST(SearchServingDeployments, ARelaxedLimitNeverWorsensTheBestOfBoth) { relaxed_limits_never_worsen(kBoth); }

TEST(SearchServingDeployments, ALimitThatBindsNothingLosesNoPools) {
  ServingWorkload workload = chat(5.1);  // close to what one decode replica of eight GPUs carries
  workload.engines = {"vllm"};
  workload.weight_precisions = {"fp8"};
  workload.arrangements = {Arrangement::disaggregated};
  double last = 1e300;
  for (const double tpot : {0.04, 0.05, 0.06, 0.08, 1.0}) {
    workload.limits = {{.latency = LatencyKind::ttft, .most = seconds(20)},
                       {.latency = LatencyKind::tpot, .most = Seconds(tpot)}};
    const ServingSearch search =
        search_serving(facts(), model("llama-3.1-405b"), offers({"h100-sxm5-80gb"}), workload, {});
    ASSERT_FALSE(search.best.empty()) << tpot;
    EXPECT_LE(search.best[0].price->base_units(), last) << tpot;
    last = search.best[0].price->base_units();
  }
}

TEST(SearchServingDeployments, PoolsAreWhatAnEstimateGives) {
  for (const double requests : {20.0, 0.0})
    for (const char* id : {"llama-3.3-70b", "qwen3-235b-a22b"}) {
      ServingWorkload workload = chat(requests);
      workload.arrangements = {Arrangement::disaggregated};
      workload.engines = {"vllm", "tensorrt-llm", "sglang"};
      const ServingSearch search = search_serving(facts(), model(id), offers(kThree), workload, {.max_gpus = 64});
      ASSERT_FALSE(search.best.empty()) << id;
      for (const ServingCandidate& candidate : search.best) {
        NoTrace none;
        const auto again = estimate_serving(none, facts(), model(id), *candidate.gpu, candidate.run);
        ASSERT_TRUE(again.feasible && again.performance && again.performance->percentiles);
        ASSERT_TRUE(candidate.run.disaggregated);
        const Disaggregated& pools = *candidate.run.disaggregated;
        EXPECT_EQ(pools.prefill_gpus + pools.decode_gpus, candidate.gpus);
        EXPECT_EQ(pools.prefill_gpus, gpus_of(pools.prefill));
        EXPECT_EQ(pools.decode_gpus, gpus_of(pools.decode));
        EXPECT_LE(candidate.gpus, 64);
        EXPECT_LE(again.performance->percentiles->ttft[2], seconds(2));  // p95
        EXPECT_LE((*again.performance->percentiles->tpot)[2], milliseconds(50));
        EXPECT_LE(candidate.run.load.value, candidate.max_requests_per_s.base_units());
        EXPECT_LE(*candidate.max_requests_per_s_low, candidate.max_requests_per_s);
      }
    }
}

/// The best of one GPU, engine and format.
const ServingSearch pools_of_h100(const ServingWorkload& workload, double max_gpus = 16384) {
  return search_serving(facts(), model("llama-3.3-70b"), offers({"h100-sxm5-80gb"}), workload, {.max_gpus = max_gpus});
}
ServingWorkload chat_by_pools(double requests) {
  ServingWorkload workload = chat(requests);
  workload.arrangements = {Arrangement::disaggregated};
  workload.engines = {"vllm"};
  workload.weight_precisions = {"fp8"};
  return workload;
}

TEST(SearchServingDeployments, PoolsBeyondANodeAreSizedWithTheNetwork) {
  for (double requests = 1; requests < 12; requests += 1) {
    double last = 1e300;
    for (double ttft = 0.4; ttft < 3; ttft *= 1.1) {
      ServingWorkload workload = chat_by_pools(requests);
      workload.limits[0].most = Seconds(ttft);
      const ServingSearch search = pools_of_h100(workload);
      for (const Rejection& rejection : search.rejected) EXPECT_NE(rejection.reason.code, "limit-missed");
      const double gpus = search.best.empty() ? 1e300 : search.best[0].gpus;
      EXPECT_LE(gpus, last) << requests << " " << ttft;
      last = gpus;
    }
    EXPECT_LT(last, 1e300);
  }
}

TEST(SearchServingDeployments, PoolsOfAHugeClusterAreSplitLikeThoseOfALargeOne) {
  const ServingWorkload workload = chat_by_pools(0);
  const auto of_gpu = [&](double gpus) {
    const ServingSearch search = pools_of_h100(workload, gpus);
    return search.best.empty() ? 0 : search.best[0].max_requests_per_s.base_units() / gpus;
  };
  const double large = of_gpu(1e5);
  EXPECT_GT(large, 0);
  EXPECT_NEAR(of_gpu(1e9), large, 0.01 * large);
}

TEST(SearchServingDeployments, OfPoolsWithAsManyGpusTheOneThatCarriesMostIsShown) {
  const Model& llama = model("llama-3.3-70b");
  const Gpu& h100 = gpu("h100-sxm5-80gb");
  const LayerStack stack = layer_stack(llama);
  const Engine& vllm = *find_engine_conventions(facts(), "vllm");
  const WeightFormat& fp8 = *find_weight_format(facts().weight_formats, "fp8");
  for (const double requests : {2.0, 5.0, 9.0, 14.0}) {
    const ServingWorkload workload = chat_by_pools(requests);
    const ServingSearch search = pools_of_h100(workload);
    ASSERT_FALSE(search.best.empty());
    const double gpus = search.best[0].gpus;
    ServingRun run = serving_run(workload);
    run.engine = "vllm";
    run.weight_precision = "fp8";
    const PoolTerms terms{.run = run, .matching = *pool_matching(facts()), .unexplained = unexplained_scatter(facts())};
    std::vector<std::string> told;
    std::vector<Infeasible> reasons;
    std::optional<ServingMemory<NoTrace>> memory;
    double most = 0;
    for (const double from : {1.0, 2.0, 4.0, 8.0})
      for (const double to : {1.0, 2.0, 4.0, 8.0})
        for (double p = 1; p * from + to <= gpus; ++p) {
          const double d = (gpus - p * from) / to;
          if (d != std::floor(d)) continue;
          auto prefill = ready_pool(facts(), llama, stack, h100, vllm, fp8, run, PoolTask::prompts, {.tensor = from},
                                    memory, told, reasons);
          auto decode = ready_pool(facts(), llama, stack, h100, vllm, fp8, run, PoolTask::answers, {.tensor = to},
                                   memory, told, reasons);
          if (!prefill || !decode) continue;
          prefill->replicas = p;
          decode->replicas = d;
          const PoolPair pair(*prefill, *decode, *link_of_pools(facts(), h100, gpus, told), terms);
          if (pair.within(requests, workload.limits)) most = std::max(most, pair.most(workload.limits, kEdgeSteps));
        }
    EXPECT_NEAR(search.best[0].max_requests_per_s.base_units(), most, 1e-9 * most) << requests;
  }
}

TEST(SearchServingDeployments, ALimitOnWholeRequestsIsKeptByMoreOfEitherPool) {
  double last = 1e300;
  for (const double request : {2.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 30.0, 60.0}) {
    ServingWorkload workload = chat_by_pools(30);
    workload.limits = {{.latency = LatencyKind::request, .most = Seconds(request)}};
    const ServingSearch search = pools_of_h100(workload);
    const double gpus = search.best.empty() ? 1e300 : search.best[0].gpus;
    EXPECT_LE(gpus, last) << request;
    last = gpus;
    if (search.best.empty()) continue;
    // One replica less of either pool misses the limit or the peak.
    for (const bool prefill : {true, false}) {
      ServingRun run = search.best[0].run;
      Disaggregated& pools = *run.disaggregated;
      ServingParallelism& pool = prefill ? pools.prefill : pools.decode;
      if (pool.data == 1) continue;
      (prefill ? pools.prefill_gpus : pools.decode_gpus) -= gpus_of(pool) / pool.data;
      pool.data -= 1;
      NoTrace none;
      const auto fewer = estimate_serving(none, facts(), model("llama-3.3-70b"), gpu("h100-sxm5-80gb"), run);
      ASSERT_TRUE(fewer.performance);
      const double share = run.load.value / fewer.performance->stable_requests_per_s->base_units();
      EXPECT_TRUE(!fewer.performance->stable || share > kShareOfStableRate ||
                  !within(*fewer.performance, workload.limits))
          << request << " " << prefill;
    }
  }
  EXPECT_LT(last, 1e300);
}

TEST(SearchServingDeployments, MoreArrangementsNeverWorsenTheOptimum) {
  for (const double ttft : {0.3, 1.0, 4.0}) {
    const auto price_of = [&](const Arrangements& arrangements) {
      ServingWorkload workload = chat(20);
      workload.arrangements = arrangements;
      workload.limits[0].most = Seconds(ttft);
      const ServingSearch search = search_serving(facts(), model("llama-3.3-70b"), offers(kThree), workload, {});
      return search.best.empty() ? 1e300 : search.best[0].price->base_units();
    };
    const double both = price_of(kBoth);
    EXPECT_LE(both, price_of({Arrangement::aggregated}));
    EXPECT_LE(both, price_of({Arrangement::disaggregated}));
  }
}

TEST(SearchServingDeployments, ADraftIsOneMoreChoice) {
  ServingWorkload workload = chat(20);
  workload.limits[1].most = milliseconds(15);
  const auto search_of = [&](const char* id) {
    return search_serving(facts(), model(id), offers(kThree), workload, {.top = 20});
  };
  for (const char* id : {"llama-3.3-70b", "deepseek-v3"}) {
    workload.draft.reset();
    const ServingSearch without = search_of(id);
    workload.draft = Speculative{.draft_tokens = 1, .acceptance = 0.8, .draft_model = nullptr};
    workload.draft_tokens = {1, 3};
    const ServingSearch with = search_of(id);
    EXPECT_GT(with.evaluated, without.evaluated);
    if (!without.best.empty()) {
      ASSERT_FALSE(with.best.empty());
      EXPECT_LE(*with.best[0].price, *without.best[0].price);
    }
    bool drafted = false;
    for (const ServingCandidate& candidate : with.best) {
      if (!candidate.run.speculative) continue;
      drafted = true;
      NoTrace none;
      const auto again = estimate_serving(none, facts(), model(id), *candidate.gpu, candidate.run);
      ASSERT_TRUE(again.performance && again.performance->percentiles);
      EXPECT_EQ(*again.performance->tpot, *candidate.tpot);
      EXPECT_LE((*again.performance->percentiles->tpot)[2], milliseconds(15));
      EXPECT_EQ(candidate.run.speculative->acceptance, 0.8);
    }
    EXPECT_TRUE(drafted) << id;
  }
}

TEST(SearchServingDeployments, SlicesCarryWhatOneGpuIsTooMuchFor) {
  ServingWorkload workload = chat(0.2);
  workload.limits[0].most = seconds(4);
  const ServingSearch search = search_serving(facts(), model("llama-3.2-1b"), offers(kThree), workload, {});
  ASSERT_FALSE(search.best.empty());
  EXPECT_EQ(search.best[0].gpus, 1);
  ASSERT_FALSE(search.slices.empty());
  for (const ServingCandidate& candidate : search.slices) {
    ASSERT_TRUE(candidate.slice && candidate.slice_gpu);
    EXPECT_LT(candidate.gpus, 1);
    EXPECT_EQ(candidate.gpus, candidate.run.parallelism.data / candidate.slice->instances);
    NoTrace none;
    const auto again = estimate_serving(none, facts(), model("llama-3.2-1b"), *candidate.slice_gpu, candidate.run);
    ASSERT_TRUE(again.feasible && again.performance && again.performance->percentiles);
    EXPECT_EQ(*again.performance->tpot, *candidate.tpot);
    EXPECT_LE(again.performance->percentiles->ttft[2], seconds(4));
  }
  // What does not fit on a slice has none.
  EXPECT_TRUE(search_serving(facts(), model("deepseek-v3"), offers(kThree), workload, {}).slices.empty());
}

const Rejection* rejection(const ServingSearch& search, std::string_view code) {
  for (const Rejection& one : search.rejected)
    if (one.reason.code == code) return &one;
  return nullptr;
}

TEST(SearchServingDeployments, NoFormatIsShownThatItsEngineDoesNotStart) {
  ServingWorkload workload = chat(0.5);
  workload.engines = {"llama.cpp"};
  workload.weight_precisions = {"fp8", "bf16"};
  const Model& llama = model("llama-3.1-8b");
  const ServingSearch search = search_serving(facts(), llama, offers({"h100-sxm5-80gb"}), workload, {.top = 20});
  ASSERT_FALSE(search.best.empty());
  for (const auto* list : {&search.best, &search.slices})
    for (const ServingCandidate& candidate : *list) {
      EXPECT_EQ(candidate.run.weight_precision, "bf16");
      EXPECT_TRUE(start_obstacles(llama, *candidate.gpu, candidate.run, 8).empty());
    }
  const Rejection* refused = rejection(search, "engine-cannot-start");
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->reason.message.text(), "llama.cpp has no GGUF type for fp8 weights.");

  workload.weight_precisions = {"fp8"};
  const ServingSearch none = search_serving(facts(), llama, offers({"h100-sxm5-80gb"}), workload, {});
  EXPECT_TRUE(none.best.empty());
  EXPECT_TRUE(none.slices.empty());
}

TEST(SearchServingDeployments, EveryDeploymentShownCanBeStarted) {
  ServingWorkload workload = chat(5);
  workload.limits.clear();
  workload.engines = {"vllm", "tensorrt-llm", "sglang"};
  const ServingSearch search = search_serving(facts(), model("deepseek-v3"), offers(kThree), workload, {.top = 50});
  ASSERT_FALSE(search.best.empty());
  for (const ServingCandidate& candidate : search.best)
    EXPECT_TRUE(start_obstacles(model("deepseek-v3"), *candidate.gpu, candidate.run, 8).empty())
        << layout_text(candidate.run);
}

TEST(SearchServingDeployments, AnEngineWithoutAKnownServerIsStillTried) {
  ServingWorkload workload = chat(1);
  workload.engines = {"transformers"};
  EXPECT_FALSE(search_serving(facts(), model("llama-3.1-8b"), offers({"h100-sxm5-80gb"}), workload, {}).best.empty());
}

TEST(SearchServingDeployments, AGpuLimitHidesNoLimitThatNoRequestKeeps) {
  ServingWorkload workload = chat(6000);
  workload.limits[0].most = milliseconds(1);
  const ServingSearch search =
      search_serving(facts(), model("llama-3.3-70b"), offers({"h100-sxm5-80gb"}), workload, {.max_gpus = 8});
  EXPECT_TRUE(search.best.empty());
  EXPECT_EQ(rejection(search, "gpu-limit"), nullptr);
  const Rejection* slow = rejection(search, "ttft");
  ASSERT_NE(slow, nullptr);
  EXPECT_NE(slow->reason.message.text().find("x H100"), std::string::npos)
      << slow->reason.message.text();  // names its GPUs

  workload.limits = chat(1).limits;
  const ServingSearch enough =
      search_serving(facts(), model("llama-3.3-70b"), offers({"h100-sxm5-80gb"}), workload, {.max_gpus = 8});
  EXPECT_NE(rejection(enough, "gpu-limit"), nullptr);
}

TEST(SearchServingDeployments, SlicesDoNotDependOnHowManyDeploymentsAreShown) {
  // Several small GPUs are cheaper than one large one, whose slices carry the load too.
  std::vector<GpuOffer> list = offers({"l4", "h100-sxm5-80gb"});
  list[0].price_per_gpu = usd_per_hour(1);
  list[1].price_per_gpu = usd_per_hour(6);
  for (const auto& [id, requests] : {std::pair{"llama-3.2-1b", 4.0}, {"llama-3.2-1b", 8.0}, {"llama-3.1-8b", 1.0}}) {
    const ServingSearch few = search_serving(facts(), model(id), list, chat(requests), {.top = 1});
    const ServingSearch many = search_serving(facts(), model(id), list, chat(requests), {.top = 30});
    ASSERT_FALSE(few.slices.empty()) << id << requests;
    ASSERT_FALSE(many.slices.empty()) << id << requests;
    EXPECT_EQ(few.slices[0].gpu, many.slices[0].gpu);
    EXPECT_EQ(few.slices[0].slice, many.slices[0].slice);
    EXPECT_EQ(*few.slices[0].price, *many.slices[0].price);
  }
}

TEST(SearchServingDeployments, ReplicasThatTheWholeNeedsBeyondItsPartsAreTold) {
  ServingWorkload workload = chat(20);
  workload.weight_precisions = {"fp8"};
  const std::vector<GpuOffer> list = offers({"h100-sxm5-80gb"});
  const ServingSearch search = search_serving(facts(), model("llama-3.3-70b"), list, workload, {.top = 1});
  ASSERT_FALSE(search.best.empty());
  const double replicas = search.best[0].run.parallelism.data;
  ASSERT_GT(replicas, 1);
  const LayerStack stack = layer_stack(model("llama-3.3-70b"));
  const ServingConstraints constraints;
  const ServingQuestion question{.catalog = facts(),
                                 .model = model("llama-3.3-70b"),
                                 .stack = stack,
                                 .offers = list,
                                 .workload = workload,
                                 .constraints = constraints};
  const ServingFinish finish(question);
  FoundDeployment found{.precision = "fp8", .layout = search.best[0].run.parallelism, .pools = {}};
  found.step_tokens = search.best[0].run.max_batched_tokens.value_or(0);
  found.layout.data = 1;
  found.rate = 20 / replicas;
  found.replicas = replicas - 1;  // one too few
  std::vector<std::string> assumptions;
  const auto candidate = finish.candidate(found, assumptions);
  ASSERT_TRUE(candidate);
  EXPECT_EQ(found.replicas, replicas);
  EXPECT_EQ(candidate->run.parallelism.data, replicas);
}

TEST(SearchServingDeployments, NoLayoutIsShownThatItsEngineDoesNotStart) {
  ServingWorkload workload = chat(20);
  workload.limits[1].most = milliseconds(200);
  workload.limits[0].most = seconds(10);
  workload.engines = {"tensorrt-llm"};
  const ServingSearch search = search_serving(facts(), model("deepseek-v3"), offers(kThree), workload, {.top = 20});
  ASSERT_FALSE(search.best.empty());
  ASSERT_FALSE(search.front.empty());
  ASSERT_NE(rejection(search, "engine-cannot-start"), nullptr);
  for (const ServingCandidate& candidate : search.best)
    EXPECT_TRUE(candidate.run.parallelism.attention_data == 1 || candidate.run.parallelism.tensor == 1);
  for (const ServingPoint& point : search.front)
    EXPECT_TRUE(point.parallelism.attention_data == 1 || point.parallelism.tensor == 1);
}

TEST(SearchServingDeployments, AnEngineWithoutPoolsHasNone) {
  ServingWorkload workload = chat(20);
  workload.arrangements = {Arrangement::disaggregated};
  workload.engines = {"lmdeploy"};
  workload.weight_precisions = {"bf16"};
  const ServingSearch search = search_serving(facts(), model("llama-3.3-70b"), offers(kThree), workload, {});
  EXPECT_TRUE(search.best.empty());
  const Rejection* refused = rejection(search, "engine-cannot-start");
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->reason.message.text(), "Arguments for separate prefill in LMDeploy are not known here.");
}

TEST(SearchServingDeployments, PoolsTellWhyTheyAreLeftOut) {
  ServingWorkload workload = chat(20);
  workload.arrangements = {Arrangement::disaggregated};
  const auto reason_of = [&](std::string_view gpu_id, const ServingConstraints& constraints, std::string_view code) {
    const ServingSearch search =
        search_serving(facts(), model("llama-3.3-70b"), offers({gpu_id}), workload, constraints);
    EXPECT_TRUE(search.best.empty());
    const Rejection* found = rejection(search, code);
    return found == nullptr ? std::string("none") : found->reason.message.text();
  };
  EXPECT_NE(reason_of("l4", {}, "ttft").find("For a single request on 8 x "), std::string::npos)
      << reason_of("l4", {}, "ttft");
  EXPECT_EQ(reason_of("l4", {}, "no-room-for-kv-cache").rfind("The prefill pool: ", 0), 0u);
  EXPECT_NE(reason_of("h100-sxm5-80gb", {.max_gpus = 8}, "gpu-limit").find("at most 8 are"), std::string::npos);
  workload.limits = {{.latency = LatencyKind::tpot, .most = Seconds(1e-5)}};
  EXPECT_NE(reason_of("h100-sxm5-80gb", {}, "tpot").find("the limit is 0.01 ms"), std::string::npos);
  workload.limits = {{.latency = LatencyKind::request, .most = Seconds(1)}};
  EXPECT_NE(reason_of("h100-sxm5-80gb", {}, "request").find("GPUs in two pools, request p95 is "), std::string::npos)
      << reason_of("h100-sxm5-80gb", {}, "request");
  workload.peak_requests_per_s = 0;
  EXPECT_NE(reason_of("h100-sxm5-80gb", {.max_gpus = 16}, "request"), "none");
}

TEST(SearchServingDeployments, ALaterPercentileIsTheHarderLimit) {
  double last = 1e300;
  for (const Percentile percentile : {Percentile::p50, Percentile::p90, Percentile::p95, Percentile::p99}) {
    ServingWorkload workload = chat(0);
    workload.limits = {{.latency = LatencyKind::ttft, .percentile = percentile, .most = seconds(1)}};
    const ServingSearch search =
        search_serving(facts(), model("llama-3.3-70b"), offers({"h100-sxm5-80gb"}), workload, {.max_gpus = 8});
    ASSERT_FALSE(search.best.empty());
    EXPECT_LE(search.best[0].max_requests_per_s.base_units(), last);
    last = search.best[0].max_requests_per_s.base_units();
  }
}

TEST(SearchServingDeployments, MoreGpusAtHandCarryNoLess) {
  double last = 0;
  for (const double gpus : {2.0, 4.0, 8.0, 16.0, 24.0}) {
    ServingWorkload workload = chat(0);
    const ServingSearch search =
        search_serving(facts(), model("llama-3.3-70b"), offers({"h100-sxm5-80gb"}), workload, {.max_gpus = gpus});
    ASSERT_FALSE(search.best.empty());
    EXPECT_LE(search.best[0].gpus, gpus);
    EXPECT_GE(search.best[0].max_requests_per_s.base_units(), last);
    last = search.best[0].max_requests_per_s.base_units();
  }
}

TEST(SearchServingDeployments, AreRankedByPriceAndThoseWithoutOneComeLast) {
  std::vector<GpuOffer> list = offers(kThree);
  list[2].price_per_gpu.reset();
  const ServingSearch search = search_serving(facts(), model("llama-3.3-70b"), list, chat(20), {.top = 20});
  ASSERT_GT(search.best.size(), 2u);
  for (std::size_t i = 1; i < search.best.size(); ++i) {
    const auto& before = search.best[i - 1].price;
    const auto& here = search.best[i].price;
    if (here) {
      ASSERT_TRUE(before);
      EXPECT_LE(*before, *here);
    } else if (!before) {
      EXPECT_LE(search.best[i - 1].gpus, search.best[i].gpus);
    }
  }
  EXPECT_FALSE(search.best.back().price);
}

TEST(SearchServingDeployments, TheFrontHoldsNothingThatAnotherBeats) {
  const ServingSearch search = search_serving(facts(), model("llama-3.3-70b"), offers(kThree), chat(20), {});
  ASSERT_GT(search.front.size(), 5u);
  for (const ServingPoint& a : search.front)
    for (const ServingPoint& b : search.front) {
      if (&a == &b) continue;
      EXPECT_FALSE(a.tpot <= b.tpot && a.output_tokens_per_s_per_gpu >= b.output_tokens_per_s_per_gpu &&
                   *a.price_of_million_output <= *b.price_of_million_output);
    }
}

TEST(SearchServingDeployments, ACoarseSearchIsNeverBetterThanAFullOne) {
  const ServingSearch full = search_serving(facts(), model("llama-3.3-70b"), offers(kThree), chat(50), {});
  const ServingSearch coarse =
      search_serving(facts(), model("llama-3.3-70b"), offers(kThree), chat(50), {.effort = Effort::coarse});
  ASSERT_FALSE(coarse.best.empty());
  ASSERT_FALSE(full.best.empty());
  EXPECT_LE(*full.best[0].price, *coarse.best[0].price);
  EXPECT_LT(coarse.evaluated, full.evaluated);
}

TEST(SearchServingDeployments, TellHowSureTheirLimitsAreKept) {
  for (const double requests : {20.0, 0.0}) {
    const ServingSearch search =
        search_serving(facts(), model("llama-3.3-70b"), offers(kThree), chat(requests), {.max_gpus = 64});
    ASSERT_FALSE(search.best.empty());
    for (const ServingCandidate& candidate : search.best) {
      ASSERT_EQ(candidate.limits.size(), 2u);
      for (const LimitCertainty& one : candidate.limits) {
        ASSERT_TRUE(one.low && one.high && one.probability);
        EXPECT_LT(*one.low, one.reached);
        EXPECT_LT(one.reached, *one.high);
        EXPECT_LE(one.reached, one.limit.most);
        EXPECT_GE(*one.probability, 0.5);  // the prediction itself keeps it
        EXPECT_TRUE(*one.high <= one.limit.most || certainty_word(one) == "likely");
      }
      ASSERT_TRUE(candidate.max_requests_per_s_low && candidate.max_requests_per_s_high);
      EXPECT_LE(*candidate.max_requests_per_s_low, candidate.max_requests_per_s);
      EXPECT_LE(candidate.max_requests_per_s, *candidate.max_requests_per_s_high);
    }
    for (const ServingPoint& point : search.front) ASSERT_TRUE(point.widths);
  }
}

TEST(WhyOneDeploymentComesFirst, SpeaksOfWhatTheObjectiveLooksAtFirst) {
  const ServingSearch search = search_serving(facts(), model("llama-3.3-70b"), offers(kThree), chat(20), {});
  ASSERT_FALSE(search.best.empty());
  const ServingWorkload workload = chat(20);
  ServingCandidate best = search.best[0];
  best.gpus = 4;
  best.price = usd_per_hour(10);
  ServingCandidate other = best;
  other.gpus = 5;
  other.price = usd_per_hour(8);
  const auto begins = [&](const ServingCandidate& with, ServingObjective objective, const std::string& text) {
    const std::string why = why_not(best, with, workload, objective);
    EXPECT_EQ(why.substr(0, text.size()), text);
  };
  begins(other, ServingObjective::gpus, "1 GPU more, 20 % cheaper: 5 x ");
  begins(other, ServingObjective::cost, "20 % cheaper: 5 x ");
  other.price.reset();
  begins(other, ServingObjective::gpus, "1 GPU more: 5 x ");
  begins(other, ServingObjective::cost, "No price is known: 5 x ");
  best.price.reset();
  other.gpus = 7;
  begins(other, ServingObjective::cost, "3 GPUs more: 7 x ");
  other.gpus = 4;
  begins(other, ServingObjective::gpus, "As many GPUs: 4 x ");
}

TEST(WhyOneDeploymentComesFirst, NamesTheSurerOne) {
  const ServingSearch search = search_serving(facts(), model("llama-3.3-70b"), offers(kThree), chat(20), {});
  ASSERT_FALSE(search.best.empty());
  std::vector<ServingCandidate> best{search.best[0], search.best[0]};
  ASSERT_FALSE(best[0].limits.empty());
  for (LimitCertainty& one : best[0].limits) one.probability = 0.6;
  for (LimitCertainty& one : best[1].limits) one.probability = 0.97;
  best[0].price = usd_per_hour(10);
  best[1].price = usd_per_hour(8);
  best[0].gpus = 4;
  best[1].gpus = 5;
  EXPECT_EQ(surer_one(best, chat(20), ServingObjective::gpus),
            "Surer: #2 keeps each limit with about 97 %; 1 GPU more, 20 % cheaper.");
  EXPECT_EQ(surer_one(best, chat(20), ServingObjective::cost),
            "Surer: #2 keeps each limit with about 97 %; 20 % cheaper.");
  std::swap(best[0], best[1]);
  EXPECT_EQ(surer_one(best, chat(20), ServingObjective::cost), "");
}

TEST(LatencyLimit, TimesBesideEachOtherAreToldApart) {
  using Texts = std::pair<std::string, std::string>;
  EXPECT_EQ(time_texts(Seconds(1.7), Seconds(2)), (Texts{"1.7 s", "2 s"}));
  EXPECT_EQ(time_texts(Seconds(2.0004), Seconds(2)), (Texts{"2.0004 s", "2 s"}));
  EXPECT_EQ(time_texts(Seconds(2), Seconds(2)), (Texts{"2 s", "2 s"}));
}

/// Of a deployment whose latency does not move with its load, up to `stable` requests/s.
double left_of_flat(double reached, double limit, double load, double stable) {
  LimitCertainty one;
  one.limit = {.latency = LatencyKind::ttft, .percentile = Percentile::mean, .most = Seconds(limit)};
  one.reached = Seconds(reached);
  one.high = Seconds(reached * 1.6);
  const auto at = [&](double rate) {
    LoadedTo loaded{.rate = rate, .latency = {}};
    loaded.latency.ttft.mean = reached;
    return loaded;
  };
  return deviations_left(at, 1e-3 * stable, stable, one, load, std::log(1.3));
}

TEST(LimitCertainty, IsTheShareOfALognormalErrorBelowTheLimit) {
  EXPECT_NEAR(left_of_flat(1.5, 1.5, 1, 1e6), 0, 1e-9);
  EXPECT_NEAR(left_of_flat(1.5, 1.5 * 1.6, 1, 1e6), kDeviationsOfInterval, 1e-9);
  EXPECT_NEAR(left_of_flat(1.5, 1.5 / 1.6, 1, 1e6), -kDeviationsOfInterval, 1e-9);
}

TEST(LimitCertainty, IsNoGreaterThanThatOfKeepingUpWithTheLoad) {
  EXPECT_NEAR(left_of_flat(1, 100, 10, 10), 0, 1e-9);
  EXPECT_NEAR(left_of_flat(1, 100, 10, 13), kDeviationsOfInterval, 1e-9);
  EXPECT_NEAR(left_of_flat(1, 100, 10, 13 * 1.3), 2 * kDeviationsOfInterval, 1e-9);
}

TEST(LimitCertainty, IsThatOfTheRateThatKeepsItAtTheSlowEnd) {
  for (const bool pools : {false, true})
    for (const double requests : {3.0, 20.0, 50.0})
      for (const double slack : {1.0, 4.0, 10.0}) {
        ServingWorkload workload = chat(requests);
        workload.arrangements = {pools ? Arrangement::disaggregated : Arrangement::aggregated};
        workload.limits = {{.latency = LatencyKind::ttft, .most = Seconds(2 * slack)},
                           {.latency = LatencyKind::tpot, .most = Seconds(0.05 * slack)},
                           {.latency = LatencyKind::request, .most = Seconds(30 * slack)}};
        const ServingSearch search =
            search_serving(facts(), model("llama-3.3-70b"), offers(kThree), workload, {.top = 20});
        ASSERT_FALSE(search.best.empty());
        for (const ServingCandidate& candidate : search.best) {
          ASSERT_TRUE(candidate.max_requests_per_s_low);
          bool certain = true;
          for (const LimitCertainty& one : candidate.limits) {
            certain = certain && certainty_word(one) == "certain";
            EXPECT_EQ(certainty_word(one) == "certain", *one.deviations >= kDeviationsOfInterval);
          }
          EXPECT_EQ(certain, candidate.max_requests_per_s_low->base_units() >= requests)
              << requests << " " << slack << " " << *candidate.max_requests_per_s_low / PerSecond(1);
        }
      }
}

TEST(LimitCertainty, KnowsThatALoadNearTheStableOneMayBeTooMuch) {
  ServingWorkload workload = chat(50);
  workload.limits = {{.latency = LatencyKind::ttft, .most = seconds(60)},
                     {.latency = LatencyKind::tpot, .most = milliseconds(200)}};
  workload.weight_precisions = {"fp8"};
  const ServingSearch search =
      search_serving(facts(), model("llama-3.3-70b"), offers({"h200-sxm5-141gb"}), workload, {});
  ASSERT_FALSE(search.best.empty());
  const ServingCandidate& best = search.best[0];
  EXPECT_LT(best.max_requests_per_s_low->base_units(), 50);
  for (const LimitCertainty& one : best.limits) {
    EXPECT_LT(*one.high, one.limit.most);  // the latencies alone would be certain
    EXPECT_LT(*one.probability, 0.95);
    EXPECT_EQ(certainty_word(one), "likely");
  }
}

/// A replica with all that it stands on.
struct Prepared {
  ServingRun run;
  ServingLimits<NoTrace> limits;
  std::optional<EngineCosts<NoTrace>> costs;
  UnexplainedScatter unexplained;
};

Prepared prepared(std::string_view model_id, double tensor, double fraction) {
  Prepared p;
  NoTrace none;
  p.run = serving_run(chat(1));
  p.run.weight_precision = "fp8";
  p.run.parallelism.tensor = tensor;
  p.run.memory_fraction = fraction;
  const Engine& engine = *find_engine_conventions(facts(), "vllm");
  const WeightFormat& format = *find_weight_format(facts().weight_formats, "fp8");
  const auto memory = serving_memory(none, model(model_id), gpu("h100-sxm5-80gb"), engine, format, p.run);
  p.limits = serving_limits(none, memory, p.run, format);
  std::vector<std::string> assumptions;
  std::vector<Infeasible> reasons;
  p.costs = engine_costs(none, facts(), gpu("h100-sxm5-80gb"), model(model_id), layer_stack(model(model_id)), p.run,
                         p.limits, assumptions, reasons);
  p.unexplained = unexplained_scatter(facts());
  return p;
}

TEST(ServingReplica, ThroughputRisesAndTpotDoesNotFallWithSequencesInFlight) {
  for (const double tensor : {2.0, 4.0, 8.0}) {
    const Prepared p = prepared("llama-3.3-70b", tensor, 0.9);
    ASSERT_TRUE(p.costs);
    const ServingReplica replica(p.run, *p.costs, p.limits, p.unexplained);
    double rate = 0;
    Seconds per_token;
    // Preemption, which takes throughput back, begins near the last place.
    for (double in_flight = 1; in_flight < 0.8 * replica.places(); in_flight *= 1.3) {
      const ServingReplica::Point point = replica.point_with(in_flight);
      EXPECT_GT(point.rate, rate) << in_flight;
      const Seconds now = point.lane.request - point.lane.first_token;
      EXPECT_GE(now, per_token) << in_flight;
      rate = point.rate;
      per_token = now;
    }
  }
}

TEST(ServingReplica, MoreRoomForTheCacheNeverLowersWhatIsAdmitted) {
  double places = 0;
  for (double fraction = 0.7; fraction < 0.96; fraction += 0.05) {
    const Prepared p = prepared("llama-3.3-70b", 2, fraction);
    EXPECT_GE(p.limits.max_sequences, places) << fraction;
    places = p.limits.max_sequences;
  }
}

TEST(GpuCatalog, GivesTheSameCosts) {
  NoTrace none;
  for (const Gpu* item : data_centre_gpus(facts())) {
    const auto part = catalog_of_gpu(facts(), *item);
    ASSERT_TRUE(part) << item->id;
    for (const double tensor : {1.0, 4.0, 8.0})
      for (const char* precision : {"bf16", "fp8", "int4-awq"}) {
        ServingRun run = serving_run(chat(1));
        run.weight_precision = precision;
        run.parallelism.tensor = tensor;
        const ServingLimits<NoTrace> limits{.max_sequences = 16, .max_batched_tokens = 8192};
        std::vector<std::string> assumptions;
        std::vector<Infeasible> reasons;
        const Model& llama = model("llama-3.3-70b");
        const auto whole =
            engine_costs(none, facts(), *item, llama, layer_stack(llama), run, limits, assumptions, reasons);
        const auto once =
            engine_costs(none, *part, *item, llama, layer_stack(llama), run, limits, assumptions, reasons);
        ASSERT_EQ(whole.has_value(), once.has_value()) << item->id;
        if (!whole) continue;
        EXPECT_EQ(engine_step(none, *whole, {16.0, 512.0, 0.25}).total,
                  engine_step(none, *once, {16.0, 512.0, 0.25}).total)
            << item->id << " " << precision << " " << tensor;
      }
  }
}

}  // namespace
}  // namespace podwright::sizing::search_serving_test
