/// Clients that send a request after each answer, in closed form, against replays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "replay/serve.h"

namespace podwright::replay::clients_test {
namespace {

template <class Item>
const Item& item(const std::vector<Item>& items, std::string_view id) {
  return *std::find_if(items.begin(), items.end(), [&](const Item& one) { return one.id == id; });
}

struct Lengths {
  double input = 0;
  double output = 0;
};
constexpr Lengths kLengths[] = {{2000, 200}, {500, 500}, {8000, 100}};

ServingRun run_of(double clients, const Lengths& lengths, double think) {
  ServingRun run;
  run.engine = "vllm";
  run.weight_precision = "fp8";
  run.parallelism.data = clients > 100 ? 2 : 1;
  run.input_tokens = lengths.input;
  run.output_tokens = lengths.output;
  run.load = {LoadKind::concurrency, clients};
  if (think > 0) run.traffic = TrafficPattern{.think_time_s = think};
  return run;
}
ReplayAnswer replayed(const ServingRun& run, const ReplayRun& asked) {
  const Catalog& catalog = embedded_catalog_facts();
  return replay_run(catalog, item(catalog.models.get(), "llama-3.1-8b"), item(catalog.gpus, "h100-sxm5-80gb"), run,
                    asked);
}

/// The same requests of the same clients, who begin together.
ReplayRun in_step(const ServingRun& run) {
  Request request;
  request.input_tokens = run.input_tokens;
  request.output_tokens = run.output_tokens;
  ReplayRun asked;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(40 * run.load.value); ++i) {
    request.parts = {{i, run.input_tokens}};
    asked.trace.push_back(request);
  }
  asked.trace_clients = run.load.value;
  return asked;
}

/// Distances of logarithms from what is expected.
class Distances {
 public:
  void add(double value, double expected) { distances_.push_back(std::fabs(std::log(value / expected))); }
  double quantile(double share) {
    std::sort(distances_.begin(), distances_.end());
    return distances_[static_cast<std::size_t>(share * static_cast<double>(distances_.size()))];
  }
  double sum() const {
    double sum = 0;
    for (const double distance : distances_) sum += distance;
    return sum;
  }

 private:
  std::vector<double> distances_;
};

TEST(Clients, ThatThinkAreAsInReplays) {
  Distances rate, in_flight, tpot, ttft;
  for (const double clients : {4.0, 16.0, 64.0, 200.0})
    for (const double think : {0.5, 3.0, 30.0})
      for (const Lengths& lengths : kLengths) {
        const ServingRun run = run_of(clients, lengths, think);
        const ReplayAnswer answer = replayed(run, {.trace = {}, .duration_s = std::max(300.0, 60 * think)});
        ASSERT_TRUE(answer.figures && answer.estimate.performance);
        const auto& form = *answer.estimate.performance;
        const double expected = form.requests_per_s.base_units();
        rate.add(answer.figures->flow.completed_requests_per_s, expected);
        // Clients in flight and clients that think are all clients.
        in_flight.add(answer.figures->flow.mean_in_flight, clients - think * expected);
        EXPECT_NEAR(form.admitted_concurrency + form.waiting, clients - think * expected, 1e-6 * clients);
        tpot.add(answer.figures->tpot.mean, form.tpot->base_units());
        ttft.add(answer.figures->ttft.mean, form.ttft->base_units());
      }
  EXPECT_LT(rate.quantile(0.5), 0.02);
  EXPECT_LT(rate.quantile(0.9), 0.06);
  EXPECT_LT(in_flight.quantile(0.5), 0.05);
  EXPECT_LT(tpot.quantile(0.5), 0.02);
  EXPECT_LT(tpot.quantile(0.9), 0.12);
  EXPECT_LT(ttft.quantile(0.5), 0.2);
}

TEST(Clients, ThatDoNotThinkAreAllInFlight) {
  for (const double clients : {4.0, 64.0}) {
    const ReplayAnswer answer = replayed(run_of(clients, kLengths[0], 0), {.trace = {}, .duration_s = 300});
    EXPECT_NEAR(answer.figures->flow.mean_in_flight, clients, 1e-9 * clients);
    EXPECT_EQ(answer.estimate.performance->admitted_concurrency, clients);
    EXPECT_EQ(answer.estimate.performance->thinking, 0);
  }
}

TEST(Clients, AThinkTimeThatIsLongLeavesThemAlone) {
  const auto alone = replayed(run_of(1, kLengths[0], 0), {.trace = {}, .duration_s = 60}).estimate.performance;
  const auto rare = replayed(run_of(50, kLengths[0], 1e5), {.trace = {}, .duration_s = 60}).estimate.performance;
  EXPECT_NEAR(rare->request->base_units() / alone->request->base_units(), 1, 0.05);
  EXPECT_NEAR(rare->requests_per_s.base_units(), 50 / 1e5, 1e-6);
}

TEST(Clients, ThatBeginOneByOneAreNearerToTheClosedFormThanThoseInStep) {
  Distances tpot, tpot_in_step, ttft, ttft_in_step;
  for (const double clients : {16.0, 64.0, 200.0})
    for (const Lengths& lengths : kLengths) {
      const ServingRun run = run_of(clients, lengths, 0);
      const ReplayAnswer answer = replayed(run, {.trace = {}, .duration_s = 300});
      const ReplayAnswer together = replayed(run, in_step(run));
      ASSERT_TRUE(answer.figures && together.figures);
      const auto& form = *answer.estimate.performance;
      EXPECT_NEAR(answer.figures->flow.completed_requests_per_s / form.requests_per_s.base_units(), 1, 0.02);
      tpot.add(answer.figures->tpot.mean, form.tpot->base_units());
      tpot_in_step.add(together.figures->tpot.mean, form.tpot->base_units());
      ttft.add(answer.figures->ttft.mean, form.ttft->base_units());
      ttft_in_step.add(together.figures->ttft.mean, form.ttft->base_units());
    }
  EXPECT_LT(tpot.quantile(0.9), 0.06);
  EXPECT_LT(tpot.sum(), tpot_in_step.sum());
  EXPECT_LT(ttft.sum(), ttft_in_step.sum());
}

TEST(Clients, OfAllPlacesKeepThemFullThoughTheyThink) {
  ServingRun run = run_of(1, kLengths[0], 20);
  run.load = {LoadKind::max_throughput, 0};
  run.max_batch_size = 32;
  const ReplayAnswer answer = replayed(run, {.trace = {}, .duration_s = 600});
  EXPECT_GT(answer.figures->flow.mean_in_flight, 30);
  EXPECT_NEAR(answer.figures->flow.completed_requests_per_s / answer.estimate.performance->requests_per_s.base_units(),
              1, 0.05);
}

}  // namespace
}  // namespace podwright::replay::clients_test
