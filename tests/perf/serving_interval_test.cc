#include "perf/serving_interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perf/estimate_serving.h"

namespace podwright::serving_interval_test {
namespace {

/// A catalog whose fit saw 20 runs of vLLM with Llama 3 8B on H100, and none of any other engine.
class ServingIntervals : public ::testing::Test {
 protected:
  void SetUp() override {
    ServingEfficiency& efficiency = catalog_.serving_efficiency;
    efficiency.support.clear();
    ServingSupport seen;
    seen.engine = "vllm";
    seen.gpu = "h100-sxm5-80gb";
    seen.model = "llama-3-8b";
    seen.rows = 20;
    efficiency.support.push_back(seen);
    efficiency.spreads.clear();
    const auto add = [&](const char* metric, const char* knowledge, const char* architecture, double half_width) {
      ServingSpread spread;
      spread.metric = metric;
      spread.knowledge = knowledge;
      spread.architecture = architecture;
      spread.half_width = half_width;
      efficiency.spreads.push_back(spread);
    };
    double factor = 1;
    for (const char* metric : {"tpot", "throughput", "prompt", "ttft"}) {
      add(metric, "run", "dense", 0.1 * factor);
      add(metric, "engine", "dense", 0.2 * factor);
      add(metric, "none", "dense", 0.3 * factor);
      factor += 1;
    }
    add("any", "gpu", "any", 0.2);
    add("any", "roofline", "any", 1.0);
    run_.engine = "vllm";
  }
  const Gpu& gpu(const std::string& id) const { return **find_gpu(catalog_, id); }
  const Model& model(const std::string& id) const { return **find_model(catalog_, id); }
  double tpot(const std::string& model_id, const Gpu& on) const {
    const auto widths =
        serving_widths(catalog_.serving_efficiency, serving_knowledge(catalog_, model(model_id), on, run_), false);
    return widths ? widths->tpot : 0;
  }

  Catalog catalog_ = embedded_catalog_facts();
  ServingRun run_;
};

TEST_F(ServingIntervals, WidenWithEachStepAwayFromTheRuns) {
  EXPECT_NEAR(tpot("llama-3-8b", gpu("h100-sxm5-80gb")), 0.1, 1e-12);
  EXPECT_NEAR(tpot("llama-3-70b", gpu("h100-sxm5-80gb")), 0.2, 1e-12);  // another model
  EXPECT_NEAR(tpot("llama-3-8b", gpu("b200-sxm")), 0.2, 1e-12);         // another GPU, whose kernels are measured
  run_.engine = "sglang";
  EXPECT_NEAR(tpot("llama-3-8b", gpu("h100-sxm5-80gb")), 0.3, 1e-12);
}

TEST_F(ServingIntervals, AreWidestForOtherVendors) {
  const double widest = std::sqrt(0.2 * 0.2 + 0.2 * 0.2);  // of a GPU whose kernels nobody measured
  Gpu unknown = gpu("h100-sxm5-80gb");
  unknown.id = "unknown";
  EXPECT_NEAR(tpot("llama-3-8b", unknown), widest, 1e-12);
  unknown.vendor = "another vendor";
  EXPECT_NEAR(tpot("llama-3-8b", unknown), std::sqrt(widest * widest + 1.0), 1e-12);
  EXPECT_NEAR(tpot("llama-3-8b", gpu("mi300x")), std::sqrt(widest * widest + 1.0), 1e-12);
}

TEST_F(ServingIntervals, EachMetricHasItsOwn) {
  const auto widths =
      serving_widths(catalog_.serving_efficiency,
                     serving_knowledge(catalog_, model("llama-3-8b"), gpu("h100-sxm5-80gb"), run_), false);
  ASSERT_TRUE(widths);
  EXPECT_NEAR(widths->throughput, 0.2, 1e-12);
  EXPECT_NEAR(widths->prompt, 0.3, 1e-12);
  EXPECT_NEAR(widths->ttft, 0.4, 1e-12);
}

TEST_F(ServingIntervals, AreAbsentWithoutSpreads) {
  EXPECT_FALSE(serving_widths(catalog_.serving_efficiency,
                              serving_knowledge(catalog_, model("llama-3-8b"), gpu("h100-sxm5-80gb"), run_), true));
}

TEST_F(ServingIntervals, SayWhichRunsTheyStandOn) {
  const auto said = [&](const std::string& model_id, const Gpu& on) {
    std::string all;
    for (const std::string& sentence :
         serving_interval_basis(serving_knowledge(catalog_, model(model_id), on, run_), model(model_id), on, run_))
      all += sentence;
    return all;
  };
  EXPECT_NE(said("llama-3-8b", gpu("h100-sxm5-80gb")).find("20 published runs of Llama"), std::string::npos);
  EXPECT_NE(said("llama-3-70b", gpu("h100-sxm5-80gb")).find("none of Llama"), std::string::npos);
  EXPECT_NE(said("llama-3-8b", gpu("mi300x")).find("no kernel of"), std::string::npos);
  run_.engine = "sglang";
  EXPECT_NE(said("llama-3-8b", gpu("h100-sxm5-80gb")).find("no published run of sglang"), std::string::npos);
}

TEST_F(ServingIntervals, OfPoolsAreThoseOfAnEngineWithoutRuns) {
  run_.disaggregated = Disaggregated{};
  EXPECT_NEAR(tpot("llama-3-8b", gpu("h100-sxm5-80gb")), 0.3, 1e-12);
  const auto said =
      serving_interval_basis(serving_knowledge(catalog_, model("llama-3-8b"), gpu("h100-sxm5-80gb"), run_),
                             model("llama-3-8b"), gpu("h100-sxm5-80gb"), run_);
  ASSERT_FALSE(said.empty());
  EXPECT_NE(said[0].find("no published run with pools of their own"), std::string::npos) << said[0];
}

ServingRun small_run(Load load) {
  ServingRun run;
  run.weight_precision = "bf16";
  run.engine = "vllm";
  run.input_tokens = 512;
  run.output_tokens = 128;
  run.load = load;
  return run;
}

TEST(ServingBoundsOfAnEstimate, HoldThePredictionAndAreWidestForOtherVendors) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const Load load : {Load{LoadKind::concurrency, 4}, Load{LoadKind::static_batch, 4},
                          Load{LoadKind::max_throughput, 0}, Load{LoadKind::request_rate, 0.5}}) {
    double widest = 0;
    double narrowest_other = 1e9;
    for (const Gpu& gpu : catalog.gpus) {
      NoTrace none;
      const auto estimate =
          estimate_serving(none, catalog, **find_model(catalog, "llama-3.2-1b"), gpu, small_run(load));
      if (!estimate.performance) continue;
      ASSERT_TRUE(estimate.bounds) << gpu.id;
      const double rate = raw(estimate.performance->output_tokens_per_s);
      const double low = raw(estimate.bounds->output_tokens_per_s.low);
      const double high = raw(estimate.bounds->output_tokens_per_s.high);
      if (load.kind == LoadKind::request_rate) {  // what comes is served
        EXPECT_LE(low, rate) << gpu.id;
        EXPECT_EQ(high, rate) << gpu.id;
      } else {
        EXPECT_LT(low, rate) << gpu.id;
        EXPECT_GT(high, rate) << gpu.id;
      }
      if (estimate.performance->ttft) {
        ASSERT_TRUE(estimate.bounds->ttft) << gpu.id;
        EXPECT_LT(estimate.bounds->ttft->low, *estimate.performance->ttft) << gpu.id;
        EXPECT_GT(estimate.bounds->ttft->high, *estimate.performance->ttft) << gpu.id;
      }
      ASSERT_TRUE(estimate.bounds->tpot) << gpu.id;
      const double width = estimate.bounds->tpot->high / estimate.bounds->tpot->low;
      if (measured_vendor(catalog, gpu))
        widest = std::max(widest, width);
      else
        narrowest_other = std::min(narrowest_other, width);
    }
    EXPECT_GT(widest, 1);
    EXPECT_GE(narrowest_other, widest);
  }
}

ServingEstimate<NoTrace> small_estimate(Load load) {
  NoTrace none;
  const Catalog& catalog = embedded_catalog_facts();
  return estimate_serving(none, catalog, **find_model(catalog, "llama-3.2-1b"), **find_gpu(catalog, "h100-sxm5-80gb"),
                          small_run(load));
}

TEST(ServingBoundsOfAnEstimate, OfAnOpenLoadAreWhatComesOrWhatIsCompleted) {
  const double stable = small_estimate({LoadKind::request_rate, 0.5}).performance->stable_requests_per_s->base_units();
  for (const double share : {0.01, 0.5, 0.9, 0.99, 1.2, 3.0}) {
    const auto e = small_estimate({LoadKind::request_rate, share * stable});
    ASSERT_TRUE(e.performance && e.bounds);
    const double width = std::exp(e.bounds->most_half_width);
    const double low = e.bounds->requests_per_s.low.base_units();
    const double high = e.bounds->requests_per_s.high.base_units();
    EXPECT_NEAR(low, std::min(share * stable, stable / width), 1e-6 * stable) << share;
    EXPECT_NEAR(high, std::min(share * stable, stable * width), 1e-6 * stable) << share;
    const double tokens = e.performance->output_tokens_per_s / e.performance->requests_per_s;
    EXPECT_NEAR(e.bounds->output_tokens_per_s.high / e.bounds->requests_per_s.high, tokens, 1e-9 * tokens);
  }
}

TEST(ServingBoundsOfAnEstimate, OfARequestWeighItsPartsByTheirTime) {
  for (const Load load : {Load{LoadKind::concurrency, 4}, Load{LoadKind::static_batch, 4},
                          Load{LoadKind::request_rate, 0.5}, Load{LoadKind::concurrency, 4000}}) {
    const auto e = small_estimate(load);
    ASSERT_TRUE(e.performance && e.bounds);
    const auto half_width = [](const auto& bounds, Seconds of) { return std::log(bounds->high / of); };
    const double first = half_width(e.bounds->ttft, *e.performance->ttft);
    const double steps = half_width(e.bounds->tpot, *e.performance->tpot);
    const double share = *e.performance->ttft / *e.performance->request;
    EXPECT_NEAR(half_width(e.bounds->request, *e.performance->request), share * first + (1 - share) * steps, 1e-9);
  }
}

}  // namespace
}  // namespace podwright::serving_interval_test
