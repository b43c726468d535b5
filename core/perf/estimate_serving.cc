#include "perf/estimate_serving.h"

#include <cmath>

namespace podwright {
double stable_rate_below(double capacity) {
  const double room = kStableRoom * capacity;
  return room >= 10 ? std::floor(room) : std::floor(room * 1000) / 1000;
}

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

void set_prefix_hits(ServingRun& run, const PrefixReuse& reuse) {
  run.shared = SharedPrefix{.tokens = run.traffic->system_prompt_tokens,
                            .kinds = reuse.system_prompts,
                            .computed_met = reuse.computed_met,
                            .found_met = reuse.found_met};
  run.prefix_hit_ratio = reuse.hit_ratio;
}

PrefixReuse reuse_of_replica(const ServingMemory<NoTrace>& memory, const ServingRun& run, double replicas,
                             PerSecond rate, double in_flight) {
  // The pool was counted beside the system prompts, which are among what the cache keeps.
  const double pool = (memory.kv_tokens + memory.prefix_tokens) * run.parallelism.attention_data;
  const double own = mean_context(run.input_tokens, met_length(run.output_tokens, run.output_tokens_cv)) -
                     run.traffic->system_prompt_tokens;
  return prefix_reuse(run, {.requests_per_s = rate.base_units(),
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
  if (run.disaggregated) {
    set_prefix_hits(solved, no_reuse(run));
    return solved;
  }
  const std::optional<double>& measured = run.measured.prefix_hit_ratio;
  const double replicas = run.parallelism.data;
  set_prefix_hits(solved, unlimited_reuse(run, replicas));
  for (int round = 0; round < kMostRounds; ++round) {
    const auto estimate = estimate_serving(none, catalog, model, stack, gpu, solved, false);
    if (!estimate.memory || !estimate.performance) break;
    reuse = reuse_of_replica(*estimate.memory, solved, replicas, estimate.performance->requests_per_s / replicas,
                             estimate.performance->admitted_concurrency / replicas);
    if (measured) {
      reuse.computed_met *= (1 - *measured) / (1 - reuse.hit_ratio);
      reuse.hit_ratio = *measured;
      set_prefix_hits(solved, reuse);
      break;
    }
    const double before = solved.prefix_hit_ratio;
    const double change = reuse.hit_ratio - before;
    if (std::fabs(change) < kClose) break;
    set_prefix_hits(solved, reuse);
    if (round > 0) solved.prefix_hit_ratio = before + change / 2;
  }
  return solved;
}

}  // namespace podwright
