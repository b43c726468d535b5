#pragma once
/// Cost, energy and machines for a unit of work: tokens, requests, training runs.
#include <cmath>

#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Tokens at a price per million.
constexpr auto tokens_price(Of<Usd> auto price_per_million, Of<double> auto tokens) {
  return price_per_million * tokens / 1e6;
}

/// Money for one of many equal pieces of work that the machines do at a steady rate.
constexpr auto price_per_piece(Of<UsdPerSecond> auto cost, Of<PerSecond> auto pieces_per_s) {
  return cost / pieces_per_s;
}

/// `power` at the meter and `tokens_per_s` of the same machines.
constexpr auto energy_per_token(Of<Watts> auto power, Of<PerSecond> auto tokens_per_s) { return power / tokens_per_s; }

/// Tokens per second from each megawatt at the meter.
constexpr auto tokens_per_s_per_megawatt(Of<PerSecond> auto tokens_per_s, Of<Watts> auto power) {
  return tokens_per_s * seconds(1) / (power / watts(1e6));
}

/// Instances of a model that hold the peak.
auto instances_for_peak(Of<PerSecond> auto peak_requests_per_s, Of<PerSecond> auto requests_per_s_per_instance) {
  return cited("docs/method/ownership.md#work", ceil(peak_requests_per_s / requests_per_s_per_instance));
}

/// GPU time of a training run from its arithmetic.
constexpr auto training_gpu_time(Of<Flops> auto work, Of<double> auto mfu, Of<FlopsPerSecond> auto peak) {
  return cited("definition of MFU", work / (mfu * peak));
}

/// What GPU time costs.
constexpr auto gpu_time_price(Of<Seconds> auto gpu_time, Of<UsdPerSecond> auto price) { return gpu_time * price; }

/// MFU that a run would need to be over in time; above 1: impossible.
constexpr auto needed_mfu(Of<Flops> auto work, Of<Seconds> auto time, Of<double> auto gpu_count,
                          Of<FlopsPerSecond> auto peak) {
  return cited("definition of MFU", work / (time * gpu_count) / peak);
}

/// Share of the money that one of two ways saves; below 0 where it costs more.
constexpr auto saved_share(Of<double> auto cheaper, Of<double> auto dearer) { return 1.0 - cheaper / dearer; }

}  // namespace podwright
