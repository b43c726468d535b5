/// An open load in closed form, against replays. PODWRIGHT_RANDOM_LOADS loads (150).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"
#include "catalog/catalog.h"
#include "replay/serve.h"

namespace podwright::replay::open_lane_test {
namespace {

/// Without the scatter that has no cause in a lane.
Catalog facts_of_lanes() {
  Catalog catalog = embedded_catalog_facts();
  for (OperatingFigure& figure : catalog.operating_figures)
    if (figure.id == "ttft-scatter" || figure.id == "tpot-scatter") figure.typical = 0;
  return catalog;
}
const Catalog& facts() {
  static const Catalog catalog = facts_of_lanes();
  return catalog;
}

template <class Item>
const Item& item(const std::vector<Item>& items, std::string_view id) {
  return *std::find_if(items.begin(), items.end(), [&](const Item& one) { return one.id == id; });
}

/// Lengths and a load below 85 % of what the deployment completes.
struct RandomLoad {
  const Model* model = nullptr;
  const Gpu* gpu = nullptr;
  ServingRun run;
  ReplayRun replay;
};
RandomLoad random_load(std::uint64_t seed) {
  const random::Stream stream(seed, 1);
  std::uint64_t place = 0;
  const auto one_of = [&](const auto&... values) {
    const std::vector<std::common_type_t<decltype(values)...>> all{values...};
    return all[static_cast<std::size_t>(stream.uniform(place++) * static_cast<double>(all.size()))];
  };
  const auto between = [&](double low, double high) { return low + (high - low) * stream.uniform(place++); };
  RandomLoad load;
  const std::string model =
      one_of(std::string("llama-3.1-8b"), std::string("llama-3.1-70b"), std::string("qwen3-30b-a3b"));
  load.model = &item(facts().models.get(), model);
  load.gpu = &item(facts().gpus, one_of(std::string("h100-sxm5-80gb"), std::string("a100-sxm4-80gb"),
                                        std::string("h200-sxm5-141gb")));
  ServingRun& run = load.run;
  run.engine = one_of(std::string("vllm"), std::string("sglang"), std::string("tensorrt-llm"));
  run.weight_precision = "bf16";
  run.parallelism.tensor = model == "llama-3.1-70b" ? 4 : 1;
  run.input_tokens = std::floor(std::pow(10, between(1.7, 3.9)));
  run.output_tokens = std::floor(std::pow(10, between(1.3, 3.1)));
  run.input_tokens_cv = one_of(0.0, 0.5, 1.0);
  run.output_tokens_cv = one_of(0.0, 0.5, 1.0);
  run.parallelism.data = one_of(1.0, 1.0, 2.0, 4.0);
  run.load = {LoadKind::request_rate, 1e-3};
  NoTrace none;
  const auto idle = estimate_serving(none, facts(), *load.model, layer_stack(*load.model), *load.gpu, run, false);
  run.load.value = between(0.05, 0.85) * idle.performance->stable_requests_per_s->base_units();
  load.replay.duration_s = std::min(std::max(40000 / run.load.value, 2 * run.output_tokens), 100000 / run.load.value);
  load.replay.warm_up_s = load.replay.duration_s / 10;
  return load;
}

/// Relative errors of one figure over loads.
class Errors {
 public:
  void add(double form, double replayed) { errors_.push_back(std::fabs(form / replayed - 1)); }
  double quantile(double share) {
    std::sort(errors_.begin(), errors_.end());
    return errors_[static_cast<std::size_t>(share * static_cast<double>(errors_.size()))];
  }

 private:
  std::vector<double> errors_;
};

TEST(OpenLane, IsThatOfReplays) {
  const char* asked = std::getenv("PODWRIGHT_RANDOM_LOADS");
  const std::uint64_t loads = asked == nullptr ? 150 : std::strtoull(asked, nullptr, 10);
  Errors ttft, tpot, request, ttft95, ttft99, request95, request99;
  for (std::uint64_t seed = 0; seed < loads; ++seed) {
    const RandomLoad load = random_load(seed);
    const ReplayAnswer answer = replay_run(facts(), *load.model, *load.gpu, load.run, load.replay);
    ASSERT_TRUE(answer.figures && answer.estimate.performance && answer.estimate.performance->percentiles) << seed;
    const auto& form = *answer.estimate.performance;
    const ReplayFigures& replayed = *answer.figures;
    ttft.add(form.ttft->base_units(), replayed.ttft.mean);
    tpot.add(form.tpot->base_units(), replayed.tpot.mean);
    request.add(form.request->base_units(), replayed.request.mean);
    ttft95.add(form.percentiles->ttft[2].base_units(), replayed.ttft.p95);
    ttft99.add(form.percentiles->ttft[3].base_units(), replayed.ttft.p99);
    request95.add(form.percentiles->request[2].base_units(), replayed.request.p95);
    request99.add(form.percentiles->request[3].base_units(), replayed.request.p99);
  }
  for (Errors* mean : {&ttft, &tpot, &request}) {
    EXPECT_LT(mean->quantile(0.5), 0.05);
    EXPECT_LT(mean->quantile(0.9), 0.15);
  }
  EXPECT_LT(ttft95.quantile(0.5), 0.12);
  EXPECT_LT(request95.quantile(0.5), 0.12);
  EXPECT_LT(ttft99.quantile(0.5), 0.2);
  EXPECT_LT(request99.quantile(0.5), 0.2);
}

}  // namespace
}  // namespace podwright::replay::open_lane_test
