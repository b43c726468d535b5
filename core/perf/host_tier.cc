#include "perf/host_tier.h"

#include <algorithm>
#include <utility>

#include "base/math.h"
#include "base/number_text.h"
#include "perf/ceilings.h"

namespace podwright {
namespace {

/// Above this share of the time a link is not loaded: the wait for it has no end.
constexpr double kMostOfLink = 0.97;

/// Of the requests that load: lengths of what is left behind scatter about as an exponential distribution does.
double load_of_one(const HostLoads& loads) { return loads.share > 0 ? loads.seconds / loads.share : 0; }

std::optional<HostTier> left_out(std::vector<std::string>& told, const std::string& why) {
  told.push_back(why + " What its host memory would keep is computed again.");
  return std::nullopt;
}

}  // namespace

std::optional<HostTier> host_tier(const Catalog& catalog, const Gpu& gpu, const ServingRun& run,
                                  const ServingMemory<NoTrace>& memory, std::vector<std::string>& told) {
  if (!run.traffic || !(run.traffic->host_cache > Bytes(0)) || !(memory.kv_cache > Bytes(0))) return std::nullopt;
  if (!memory.conventions->host_cache)
    return left_out(told, memory.conventions->name + " is not known here to keep prefixes in host memory.");
  if (run.load.kind == LoadKind::static_batch) return left_out(told, "Loads of a static batch are not modelled.");
  if (!find_gpu(catalog, gpu.id)) return left_out(told, "How slices share the link to the host is not modelled.");
  NoTrace none;
  const auto link = host_link(none, catalog, gpu, told);
  if (!link) return left_out(told, "The rate of the link between " + gpu.name + " and its host is not known.");
  // What is kept takes the room that it takes in the pool, beside what blocks leave of it.
  const double pool_tokens = memory.kv_tokens + memory.prefix_tokens;
  const Bytes token =
      std::min(memory.bytes_per_token_on_gpu, memory.kv_cache / pool_tokens * kept_weight(run.engine, memory));
  return HostTier{.how = *memory.conventions->host_cache,
                  .token = token,
                  .tokens = run.traffic->host_cache / token,
                  .token_s = (token / *link).base_units()};
}

std::optional<HostTier> sooner_than(std::optional<HostTier> tier, double computed_s, std::vector<std::string>& told) {
  if (!tier || tier->token_s < computed_s) return tier;
  return left_out(told, "A token takes " + human_number(tier->token_s * 1e6, 3) + " us over the link to the host and " +
                            human_number(computed_s * 1e6, 3) + " us to compute.");
}

BytesPerSecond load_of_each_gpu(const HostTier& tier, const ServingRun& run, const HostLoads& loads, PerSecond rate) {
  const double ranks = run.parallelism.data * run.parallelism.attention_data;
  return tier.token * (run.input_tokens * loads.hit_ratio / ranks) * rate;
}

double most_loaded(const HostLoads& loads) {
  return loads.seconds > 0 ? kMostOfLink * loads.links / loads.seconds : 1e300;
}

double load_delay(const HostLoads& loads, double lane_rate, double step, double busy) {
  if (loads.load != HostLoad::apart || !(loads.seconds > 0)) return 0;
  const double load = load_of_one(loads);
  // Pollaczek and Khinchine with exponential loads.
  const double used = std::min(kMostOfLink, lane_rate * loads.seconds / loads.links);
  const double whole = load + used * load / (1 - used);
  // The mean of an exponential time, rounded up to whole steps.
  const double in_steps = step / (1 - math::exp(-std::min(700.0, step / whole)));
  return loads.share * (busy * in_steps + (1 - busy) * whole);
}

double load_in_step(const HostLoads& loads, double step) {
  if (loads.load == HostLoad::apart || !(loads.seconds > 0)) return 0;
  const double load = load_of_one(loads);
  const double beyond = loads.load == HostLoad::before_step ? 1 : math::exp(-std::min(700.0, step / load));
  return loads.seconds / loads.links * beyond;
}

}  // namespace podwright
