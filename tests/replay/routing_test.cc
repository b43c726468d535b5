/// Which replica prompts of a trace go to that share what they begin with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/distributions.h"
#include "base/math.h"
#include "base/random.h"
#include "catalog/catalog.h"
#include "replay/serve.h"

namespace podwright::replay::routing_test {
namespace {

constexpr double kBlock = 512;

template <class Item>
const Item& item(const std::vector<Item>& items, std::string_view id) {
  return *std::find_if(items.begin(), items.end(), [&](const Item& one) { return one.id == id; });
}

/// Requests in blocks, as in published traces: all begin with `common` of them, those of a tenant with five more, and
/// a session grows by up to `grows` from turn to turn.
struct Shape {
  std::uint64_t common = 1;
  std::uint64_t tenants = 1;
  double grows = 3;
  double sessions = 300;  ///< that may go on
  double rate = 3;
};

std::vector<Request> trace_of(const Shape& shape) {
  const random::Stream draws(5, 0);
  std::uint64_t place = 0;
  const auto below = [&](double limit) { return static_cast<std::uint64_t>(draws.uniform(place++) * limit); };
  std::vector<std::vector<std::uint64_t>> sessions;
  std::vector<Request> trace;
  std::uint64_t fresh = 1'000'000;
  double at = 0;
  while (trace.size() < 3000) {
    at -= math::log(draws.uniform(place++)) / shape.rate;
    std::size_t session = sessions.size();
    if (!sessions.empty() && draws.uniform(place++) < 0.7) {
      const double recent = std::min(shape.sessions, static_cast<double>(sessions.size()));
      session -= 1 + below(recent);
    } else {
      std::vector<std::uint64_t>& blocks = sessions.emplace_back();
      for (std::uint64_t i = 0; i < shape.common; ++i) blocks.push_back(i);
      const std::uint64_t tenant = below(static_cast<double>(shape.tenants));
      for (std::uint64_t i = 0; shape.tenants > 1 && i < 5; ++i) blocks.push_back(1000 + 10 * tenant + i);
    }
    for (std::uint64_t more = 1 + below(shape.grows); more > 0; --more) sessions[session].push_back(fresh++);
    Request request;
    request.at = at;
    request.continued = false;
    for (const std::uint64_t block : sessions[session]) request.parts.push_back({block, kBlock});
    request.input_tokens = kBlock * static_cast<double>(request.parts.size());
    request.output_tokens = 50 + static_cast<double>(below(200));
    trace.push_back(std::move(request));
  }
  return trace;
}

ReplayFigures figures_of(const Shape& shape, Routing routing) {
  const Catalog& catalog = embedded_catalog_facts();
  ServingRun run;
  run.engine = "vllm";
  run.weight_precision = "fp8";
  run.parallelism.data = 4;
  run.input_tokens = 4000;
  run.output_tokens = 150;
  run.load = {LoadKind::request_rate, shape.rate};
  run.traffic = TrafficPattern{.routing = routing};
  ReplayRun asked;
  asked.trace = trace_of(shape);
  return *replay_run(catalog, item(catalog.models.get(), "llama-3.1-8b"), item(catalog.gpus, "l40s"), run, asked)
              .figures;
}

TEST(Routing, FindsMoreOfWhatPromptsShareThanChance) {
  const Shape shapes[] = {{},
                          {.common = 8, .grows = 2, .sessions = 400},
                          {.tenants = 20},
                          {.grows = 1, .sessions = 60},
                          {.common = 2, .grows = 2, .sessions = 2000, .rate = 2},
                          {.common = 0, .grows = 4}};
  for (const Shape& shape : shapes) {
    const ReplayFigures aware = figures_of(shape, Routing::prefix_aware);
    for (const Routing other : {Routing::random, Routing::least_loaded}) {
      const ReplayFigures blind = figures_of(shape, other);
      EXPECT_GT(aware.found_share, 1.05 * blind.found_share) << shape.common << " " << shape.tenants;
      EXPECT_LT(aware.ttft.mean, blind.ttft.mean) << shape.common << " " << shape.tenants;
    }
  }
}

TEST(Routing, DoesNotHeapUpWhatAllBeginWithOnOneReplica) {
  // Half of each prompt is common: more than what a prompt follows.
  const Shape shape{.common = 8, .grows = 2, .sessions = 1, .rate = 3};
  const ReplayFigures aware = figures_of(shape, Routing::prefix_aware);
  const ReplayFigures even = figures_of(shape, Routing::least_loaded);
  EXPECT_LT(aware.ttft.p95, 1.5 * even.ttft.p95);
}

}  // namespace
}  // namespace podwright::replay::routing_test
