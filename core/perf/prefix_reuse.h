#pragma once
/// What a prefix cache finds, in closed form. docs/method/replay.md#reuse.
#include <optional>

#include "memory/serving_run.h"

namespace podwright {

/// Of one replica.
struct ReuseLoad {
  double requests_per_s = 0;
  double room_tokens = 0;     ///< of the pool, beside what running sequences hold of their own
  double room_with_host = 0;  ///< the same of pool and host memory together; below room_tokens: that of the pool
  double service_s = 0;       ///< time of a request
  double replicas = 1;
  double block_tokens = 1;
};

struct PrefixReuse {
  double hit_ratio = 0;       ///< of the prompts' tokens
  double host_ratio = 0;      ///< of these, what lies in host memory alone
  double loading = 0;         ///< share of requests that load something from there
  double unlimited = 0;       ///< the same with a cache that forgets nothing
  double kept_s = 0;          ///< how long a prefix stays in the pool that nobody asks for
  double host_kept_s = 0;     ///< how long it stays somewhere
  double system_prompts = 1;  ///< different ones that come to the replica
  double computed_met = 0;    ///< as in SharedPrefix
  double found_met = 0;       ///< as in SharedPrefix
  std::optional<HostLoads> loads;
};

/// Of a run that describes its traffic.
PrefixReuse prefix_reuse(const ServingRun& run, const ReuseLoad& load);
/// Of a cache that forgets nothing, on one of `replicas`.
PrefixReuse unlimited_reuse(const ServingRun& run, double replicas);
/// Of engines whose caches are not modelled: pools of their own for prompts and answers.
PrefixReuse no_reuse(const ServingRun& run);

}  // namespace podwright
