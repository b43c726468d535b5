#pragma once
/// Prices of rented GPUs. Providers bill whole instances, for every hour that they stand.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Price of one GPU-hour inside an instance.
constexpr auto gpu_hour_price(Of<UsdPerSecond> auto instance_price, Of<double> auto gpus_per_instance) {
  return cited("docs/method/prices.md#rent", instance_price / gpus_per_instance);
}

auto instance_count(Of<double> auto gpu_count, Of<double> auto gpus_per_instance) {
  return cited("docs/method/prices.md#rent", ceil(gpu_count / gpus_per_instance));
}

/// Money per time for all instances while they stand.
constexpr auto rent_rate(Of<double> auto instances, Of<UsdPerSecond> auto instance_price) {
  return cited("docs/method/prices.md#rent", instances * instance_price);
}

/// What an hour of work costs on spot machines, where `lost_share` of the time goes into interruptions; below 1.
constexpr auto effective_spot_price(Of<UsdPerSecond> auto spot_price, Of<double> auto lost_share) {
  return cited("docs/method/prices.md#rent", spot_price / (1.0 - lost_share));
}

/// Price of a million output tokens at a sustained rate of the whole deployment.
constexpr auto million_token_price(Of<UsdPerSecond> auto rent, Of<PerSecond> auto output_tokens_per_s) {
  return cited("docs/method/prices.md#tokens", rent / output_tokens_per_s * 1e6);
}

}  // namespace podwright
