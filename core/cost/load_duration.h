#pragma once
/// How long how many GPUs are needed, from measured or assumed points. docs/method/portfolio.md#load-duration.
#include <string_view>
#include <vector>

#include "cost/hybrid.h"

namespace podwright {

/// For `share` of the time more than `gpus` GPUs are needed.
struct LoadPoint {
  double gpus = 0;
  double share = 0;
};
/// Straight between its points. The first point has the most share, the last has share 0 and the peak; GPUs do not fall
/// and shares do not rise along it. Before the first point all time needs its GPUs.
using LoadDuration = std::vector<LoadPoint>;

/// Demand spread evenly between two numbers.
LoadDuration even_load(double least, double most);
/// Why points do not form a load-duration curve; empty where they do.
std::string_view load_duration_problem(const LoadDuration& load);

/// GPUs that are exceeded for `share` of the time: the fewest where a step crosses it.
double gpus_exceeded(const LoadDuration& load, double share);
/// Mean over all time of the GPUs needed beyond `gpus`.
double mean_above(const LoadDuration& load, double gpus);

inline constexpr const char* kLoadDurationPage = "docs/method/portfolio.md#load-duration";

/// The cheapest split. `unit_gpus` above 0 buys whole servers of a given number of GPUs.
template <class Tracer>
Hybrid<Tracer> best_hybrid(Tracer& trace, const LoadDuration& load, const HybridPrices<Tracer>& prices,
                           double unit_gpus = 0);

}  // namespace podwright
