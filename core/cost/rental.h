#pragma once
/// Prices of rented GPUs. Providers bill whole instances, for every hour that they stand.
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Price of one GPU-hour inside an instance.
constexpr UsdPerSecond gpu_hour_price(UsdPerSecond instance_price, double gpus_per_instance) {
  return instance_price / gpus_per_instance;
}
inline constexpr Formula<gpu_hour_price> kGpuHourPrice{.id = "cost.gpu_hour_price",
                                                       .inputs = {"instance_price", "gpus_per_instance"},
                                                       .equation = "instance_price / gpus_per_instance",
                                                       .source = "docs/method/prices.md#rent"};

inline double instance_count(double gpu_count, double gpus_per_instance) {
  return std::ceil(gpu_count / gpus_per_instance);
}
inline constexpr Formula<instance_count> kInstanceCount{.id = "cost.instance_count",
                                                        .inputs = {"gpu_count", "gpus_per_instance"},
                                                        .equation = "ceil(gpu_count / gpus_per_instance)",
                                                        .source = "docs/method/prices.md#rent"};

/// GPUs that are paid for, used or not.
inline double billed_gpus(double instances, double gpus_per_instance) { return instances * gpus_per_instance; }
inline constexpr Formula<billed_gpus> kBilledGpus{.id = "cost.billed_gpus",
                                                  .inputs = {"instances", "gpus_per_instance"},
                                                  .equation = "instances * gpus_per_instance",
                                                  .source = "definition"};

/// Money per time for all instances while they stand.
constexpr UsdPerSecond rent_rate(double instances, UsdPerSecond instance_price) { return instances * instance_price; }
inline constexpr Formula<rent_rate> kRentRate{.id = "cost.rent_rate",
                                              .inputs = {"instances", "instance_price"},
                                              .equation = "instances * instance_price",
                                              .source = "docs/method/prices.md#rent"};

/// A commitment bills its whole term, whatever is used; a year has 8,760 hours.
constexpr Usd commitment_cost(UsdPerSecond rent, double term_years) { return rent * years(term_years); }
inline constexpr Formula<commitment_cost> kCommitmentCost{.id = "cost.commitment_cost",
                                                          .inputs = {"rent", "term_years"},
                                                          .equation = "rent * term_years * 31536000",
                                                          .source = "docs/method/prices.md#rent"};

/// What an hour of work costs on spot machines, where `lost_share` of the time goes into interruptions; below 1.
constexpr UsdPerSecond effective_spot_price(UsdPerSecond spot_price, double lost_share) {
  return spot_price / (1.0 - lost_share);
}
inline constexpr Formula<effective_spot_price> kEffectiveSpotPrice{.id = "cost.effective_spot_price",
                                                                   .inputs = {"spot_price", "lost_share"},
                                                                   .equation = "spot_price / (1 - lost_share)",
                                                                   .source = "docs/method/prices.md#rent"};

/// Price of a million output tokens at a sustained rate of the whole deployment.
constexpr Usd million_token_price(UsdPerSecond rent, PerSecond output_tokens_per_s) {
  return rent / output_tokens_per_s * 1e6;
}
inline constexpr Formula<million_token_price> kMillionTokenPrice{.id = "cost.million_token_price",
                                                                 .inputs = {"rent", "output_tokens_per_s"},
                                                                 .equation = "rent / output_tokens_per_s * 1000000",
                                                                 .source = "docs/method/prices.md#tokens"};

}  // namespace podwright
