#pragma once
/// Host memory behind the prefix cache: how much it keeps, how fast it comes back, and what waits for it.
/// docs/method/replay.md#host-memory.
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "memory/serving_memory.h"

namespace podwright {

inline constexpr const char* kHostMemoryPage = "docs/method/replay.md#host-memory";

struct HostTier {
  HostCacheConvention how;
  Bytes token;         ///< that is kept, on one GPU
  double tokens = 0;   ///< that the host memory of one attention rank's GPUs keeps
  double token_s = 0;  ///< over the link of one GPU; those of a rank load at the same time
};

/// Absent where the run asks for none, or where it counts nothing, which `told` then says.
std::optional<HostTier> host_tier(const Catalog& catalog, const Gpu& gpu, const ServingRun& run,
                                  const ServingMemory<NoTrace>& memory, std::vector<std::string>& told);
/// The same where tokens come back sooner than they are computed, which takes `computed_s`.
std::optional<HostTier> sooner_than(std::optional<HostTier> tier, double computed_s, std::vector<std::string>& told);

/// Of a deployment that answers so many requests/s, over the link of each GPU.
BytesPerSecond load_of_each_gpu(const HostTier& tier, const ServingRun& run, const HostLoads& loads, PerSecond rate);

/// Requests/s of a lane that its links carry at most.
double most_loaded(const HostLoads& loads);
/// Where a request waits for its loads apart from the steps: mean over all requests of the time until the first step
/// after its load. Steps of `step` seconds run in the share `busy` of the time.
double load_delay(const HostLoads& loads, double lane_rate, double step, double busy);
/// What the loads of one request add to a step of `step` seconds that waits for them; 0 where none does.
double load_in_step(const HostLoads& loads, double step);

}  // namespace podwright
