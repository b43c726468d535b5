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
  run.loads = reuse.loads;
}

PrefixReuse reuse_of_replica(const ServingMemory<NoTrace>& memory, const ServingRun& run, double replicas,
                             PerSecond rate, double in_flight, const std::optional<HostTier>& host) {
  // The pool was counted beside the system prompts, which are among what the cache keeps.
  const double pool = (memory.kv_tokens + memory.prefix_tokens) * run.parallelism.attention_data;
  const double own = mean_context(run.input_tokens, met_length(run.output_tokens, run.output_tokens_cv)) -
                     run.traffic->system_prompt_tokens;
  ReuseLoad load{.requests_per_s = rate.base_units(),
                 .room_tokens = (pool - in_flight * own) / kept_weight(run.engine, memory),
                 .service_s = in_flight / rate.base_units(),
                 .replicas = replicas,
                 .block_tokens = memory.block_tokens};
  if (!host) return prefix_reuse(run, load);
  const double host_tokens = host->tokens * run.parallelism.attention_data;
  // Copies of what running sequences hold take room too.
  load.room_with_host = host_tokens + (host->how.copies ? -in_flight * own : load.room_tokens);
  PrefixReuse reuse = prefix_reuse(run, load);
  reuse.loads = HostLoads{.load = host->how.load,
                          .hit_ratio = reuse.host_ratio,
                          .share = reuse.loading,
                          .seconds = reuse.host_ratio * run.input_tokens * host->token_s,
                          .links = run.parallelism.attention_data};
  return reuse;
}

std::optional<HostTier> useful_host_tier(const Catalog& catalog, const Gpu& gpu, const ServingRun& run,
                                         const ServingMemory<NoTrace>& memory, const LaneTimes<NoTrace>& lane,
                                         std::vector<std::string>& told) {
  const double tokens = new_prompt_tokens(run.input_tokens, run.prefix_hit_ratio);
  return sooner_than(host_tier(catalog, gpu, run, memory, told), lane.prompt.base_units() / tokens, told);
}

ServingRun with_prefix_reuse(const Catalog& catalog, const Model& model, const LayerStack& stack, const Gpu& gpu,
                             const ServingRun& run, PrefixReuse& reuse, std::optional<HostTier>& host,
                             std::vector<std::string>& told) {
  constexpr int kMostRounds = 16;
  constexpr double kClose = 1e-3;
  NoTrace none;
  ServingRun solved = run;
  if (run.disaggregated) {
    set_prefix_hits(solved, no_reuse(run));
    if (run.traffic->host_cache > Bytes(0))
      told.emplace_back(
          "Host memory of pools of their own for prompts and answers is not modelled: it counts nothing.");
    return solved;
  }
  const std::optional<double>& measured = run.measured.prefix_hit_ratio;
  const double replicas = run.parallelism.data;
  if (measured && run.traffic->host_cache > Bytes(0))
    told.emplace_back("The measured share of prompts is taken to lie in the GPUs' memory: nothing is loaded.");
  set_prefix_hits(solved, unlimited_reuse(run, replicas));
  for (int round = 0; round < kMostRounds; ++round) {
    const auto estimate = estimate_serving(none, catalog, model, stack, gpu, solved, false);
    if (!estimate.memory || !estimate.performance) break;
    if (round == 0 && !measured)
      host = useful_host_tier(catalog, gpu, solved, *estimate.memory, estimate.performance->lane, told);
    reuse = reuse_of_replica(*estimate.memory, solved, replicas, estimate.performance->requests_per_s / replicas,
                             estimate.performance->admitted_concurrency / replicas, host);
    if (measured) {
      reuse.computed_met *= (1 - *measured) / (1 - reuse.hit_ratio);
      reuse.hit_ratio = *measured;
      set_prefix_hits(solved, reuse);
      break;
    }
    const double before = solved.prefix_hit_ratio;
    const double change = reuse.hit_ratio - before;
    // The first round has no loads yet.
    if (std::fabs(change) < kClose && (round > 0 || !host)) break;
    set_prefix_hits(solved, reuse);
    if (round > 0) solved.prefix_hit_ratio = before + change / 2;
  }
  return solved;
}

}  // namespace podwright
