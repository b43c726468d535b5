#pragma once
/// Equations of sizing: how many, and what it costs at a given price.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/formula.h"
#include "base/units.h"

namespace podwright::sizing {

/// Whole replicas for a request rate.
inline double replicas(PerSecond request_rate, PerSecond rate_per_replica) {
  return std::max(1.0, std::ceil(request_rate / rate_per_replica));
}
inline constexpr Formula<replicas> kReplicas{.id = "sizing.replicas",
                                             .inputs = {"request_rate", "rate_per_replica"},
                                             .equation = "max(1, ceil(request_rate / rate_per_replica))",
                                             .source = "definition"};

constexpr UsdPerSecond deployment_price(double gpus, UsdPerSecond price_per_gpu) { return gpus * price_per_gpu; }
inline constexpr Formula<deployment_price> kDeploymentPrice{.id = "sizing.deployment_price",
                                                            .inputs = {"gpus", "price_per_gpu"},
                                                            .equation = "gpus * price_per_gpu",
                                                            .source = "definition"};

constexpr Usd usd_per_million_tokens(UsdPerSecond price, PerSecond tokens) { return price / tokens * 1e6; }
inline constexpr Formula<usd_per_million_tokens> kUsdPerMillionTokens{.id = "sizing.usd_per_million_tokens",
                                                                      .inputs = {"price", "tokens"},
                                                                      .equation = "price / tokens * 1000000",
                                                                      .source = "definition"};

constexpr Usd run_price(UsdPerSecond price, Seconds run_time) { return price * run_time; }
inline constexpr Formula<run_price> kRunPrice{
    .id = "sizing.run_price", .inputs = {"price", "run_time"}, .equation = "price * run_time", .source = "definition"};

/// GPUs below which even a rate that no kernel exceeds misses the deadline.
inline double fewest_gpus(Flops work, FlopsPerSecond rate, Seconds deadline) {
  return std::max(1.0, std::ceil(work / rate / deadline));
}
inline constexpr Formula<fewest_gpus> kFewestGpus{.id = "sizing.fewest_gpus",
                                                  .inputs = {"work", "rate", "deadline"},
                                                  .equation = "max(1, ceil(work / rate / deadline))",
                                                  .source = "definition"};

inline constexpr auto kSizingFormulas =
    std::make_tuple(kReplicas, kDeploymentPrice, kUsdPerMillionTokens, kRunPrice, kFewestGpus);

}  // namespace podwright::sizing
