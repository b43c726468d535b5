#pragma once
/// Cost, energy and machines for a unit of work: tokens, requests, training runs.
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Tokens at a price per million.
constexpr Usd tokens_price(Usd price_per_million, double tokens) { return price_per_million * tokens / 1e6; }
inline constexpr Formula<tokens_price> kTokensPrice{.id = "cost.tokens_price",
                                                    .inputs = {"price_per_million", "tokens"},
                                                    .equation = "price_per_million * tokens / 1000000",
                                                    .source = "definition"};

/// Money for one of many equal pieces of work that the machines do at a steady rate.
constexpr Usd price_per_piece(UsdPerSecond cost, PerSecond pieces_per_s) { return cost / pieces_per_s; }
inline constexpr Formula<price_per_piece> kPricePerPiece{.id = "cost.price_per_piece",
                                                         .inputs = {"cost", "pieces_per_s"},
                                                         .equation = "cost / pieces_per_s",
                                                         .source = "definition"};

/// `power` at the meter and `tokens_per_s` of the same machines.
constexpr Joules energy_per_token(Watts power, PerSecond tokens_per_s) { return power / tokens_per_s; }
inline constexpr Formula<energy_per_token> kEnergyPerToken{.id = "cost.energy_per_token",
                                                           .inputs = {"power", "tokens_per_s"},
                                                           .equation = "power / tokens_per_s",
                                                           .source = "definition"};

/// Tokens per second from each megawatt at the meter.
constexpr double tokens_per_s_per_megawatt(PerSecond tokens_per_s, Watts power) {
  return tokens_per_s * seconds(1) / (power / watts(1e6));
}
inline constexpr Formula<tokens_per_s_per_megawatt> kTokensPerSecondPerMegawatt{
    .id = "cost.tokens_per_s_per_megawatt",
    .inputs = {"tokens_per_s", "power"},
    .equation = "tokens_per_s / (power / 1000000)",
    .source = "definition"};

/// Instances of a model that hold the peak.
inline double instances_for_peak(PerSecond peak_requests_per_s, PerSecond requests_per_s_per_instance) {
  return std::ceil(peak_requests_per_s / requests_per_s_per_instance);
}
inline constexpr Formula<instances_for_peak> kInstancesForPeak{
    .id = "cost.instances_for_peak",
    .inputs = {"peak_requests_per_s", "requests_per_s_per_instance"},
    .equation = "ceil(peak_requests_per_s / requests_per_s_per_instance)",
    .source = "docs/method/ownership.md#work"};

/// GPU time of a training run from its arithmetic.
constexpr Seconds training_gpu_time(Flops work, double mfu, FlopsPerSecond peak) { return work / (mfu * peak); }
inline constexpr Formula<training_gpu_time> kTrainingGpuTime{.id = "cost.training_gpu_time",
                                                             .inputs = {"work", "mfu", "peak"},
                                                             .equation = "work / (mfu * peak)",
                                                             .source = "definition of MFU"};

/// What GPU time costs.
constexpr Usd gpu_time_price(Seconds gpu_time, UsdPerSecond price) { return gpu_time * price; }
inline constexpr Formula<gpu_time_price> kGpuTimePrice{.id = "cost.gpu_time_price",
                                                       .inputs = {"gpu_time", "price"},
                                                       .equation = "gpu_time * price",
                                                       .source = "definition"};

/// Time on the wall of GPU time that GPUs share evenly.
constexpr Seconds wall_time(Seconds gpu_time, double gpu_count) { return gpu_time / gpu_count; }
inline constexpr Formula<wall_time> kWallTime{.id = "cost.wall_time",
                                              .inputs = {"gpu_time", "gpu_count"},
                                              .equation = "gpu_time / gpu_count",
                                              .source = "definition"};

/// MFU that a run would need to be over in time; above 1: impossible.
constexpr double needed_mfu(Flops work, Seconds time, double gpu_count, FlopsPerSecond peak) {
  return work / (time * gpu_count) / peak;
}
inline constexpr Formula<needed_mfu> kNeededMfu{.id = "cost.needed_mfu",
                                                .inputs = {"work", "time", "gpu_count", "peak"},
                                                .equation = "work / (time * gpu_count) / peak",
                                                .source = "definition of MFU"};

/// Share of the money that one of two ways saves; below 0 where it costs more.
constexpr double saved_share(double cheaper, double dearer) { return 1.0 - cheaper / dearer; }
inline constexpr Formula<saved_share> kSavedShare{.id = "cost.saved_share",
                                                  .inputs = {"cheaper", "dearer"},
                                                  .equation = "1 - cheaper / dearer",
                                                  .source = "definition"};

}  // namespace podwright
