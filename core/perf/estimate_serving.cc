#include "perf/estimate_serving.h"

#include <cmath>

namespace podwright {
namespace {

/// A rate with a little room below what the deployment completes: a whole number, or three digits below 10.
double stable_rate_below(double capacity) {
  const double room = 0.97 * capacity;
  return room >= 10 ? std::floor(room) : std::floor(room * 1000) / 1000;
}

}  // namespace

const Engine* find_engine_conventions(const Catalog& catalog, std::string_view id) {
  for (const Engine& engine : catalog.engines)
    if (engine.id == id) return &engine;
  return nullptr;
}

Infeasible unstable(const ServingRun& run, double capacity) {
  std::vector<Patch> ways_out{{"/load/request_rate_per_s", stable_rate_below(capacity)}};
  if (!run.disaggregated)
    ways_out.emplace_back("/parallelism/data", std::ceil(run.parallelism.data * run.load.value / capacity));
  return {.code = "unstable",
          .message = say("unstable", "capacity_per_s"_v = capacity),
          .shortfall = run.load.value - capacity,
          .unit = "requests/s",
          .ways_out = std::move(ways_out)};
}

void set_prefix_hits(ServingRun& run, double hit_ratio) {
  const bool pools = run.disaggregated.has_value();
  run.shared = pools ? SharedPrefix{}
                     : SharedPrefix{.tokens = run.traffic->system_prompt_tokens, .kinds = run.traffic->system_prompts};
  run.prefix_hit_ratio = pools ? 0 : hit_ratio;
}

PrefixReuse reuse_of_replica(const ServingMemory<NoTrace>& memory, const ServingRun& run, double replicas,
                             PerSecond rate, double in_flight) {
  const TrafficPattern& traffic = *run.traffic;
  // The pool was counted beside the system prompts, which are among what the cache keeps.
  const double pool =
      memory.kv_tokens * run.parallelism.attention_data + traffic.system_prompts * traffic.system_prompt_tokens;
  const double own = mean_context(run.input_tokens, met_length(run.output_tokens, run.output_tokens_cv)) -
                     traffic.system_prompt_tokens;
  return prefix_reuse(traffic, run.input_tokens, run.output_tokens,
                      {.requests_per_s = rate.base_units(),
                       .room_tokens = (pool - in_flight * own) / kept_weight(run.engine, memory),
                       .service_s = in_flight / rate.base_units(),
                       .replicas = replicas,
                       .block_tokens = memory.block_tokens});
}

ServingRun with_prefix_reuse(const Catalog& catalog, const Model& model, const LayerStack& stack, const Gpu& gpu,
                             const ServingRun& run, PrefixReuse& reuse) {
  constexpr int kMostRounds = 16;
  constexpr double kClose = 1e-3;
  NoTrace none;
  ServingRun solved = run;
  const std::optional<double>& measured = run.measured.prefix_hit_ratio;
  set_prefix_hits(solved,
                  measured.value_or(prefix_reuse(*run.traffic, run.input_tokens, run.output_tokens, {}).unlimited));
  if (run.disaggregated) return solved;
  const double replicas = run.parallelism.data;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto estimate = estimate_serving(none, catalog, model, stack, gpu, solved, false);
    if (!estimate.memory || !estimate.performance) break;
    reuse = reuse_of_replica(*estimate.memory, solved, replicas, estimate.performance->requests_per_s / replicas,
                             estimate.performance->admitted_concurrency / replicas);
    if (measured) {
      reuse.hit_ratio = *measured;
      break;
    }
    const double change = reuse.hit_ratio - solved.prefix_hit_ratio;
    if (std::fabs(change) < kClose) break;
    solved.prefix_hit_ratio += round == 0 ? change : change / 2;
  }
  return solved;
}

}  // namespace podwright
