#include "cost/hybrid.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace podwright {
namespace {

/// x^exponent summed over `count` numbers x, `first` and down from it by `step`, above 0: by the formula of Euler and
/// Maclaurin where the steps are small beside x, one by one below.
double sum_of_powers(double first, double step, double count, double exponent) {
  const double small = (12.0 + 2.0 * std::fabs(exponent)) * step;
  double smooth = std::clamp(std::floor((first - small) / step), 0.0, count);
  if (smooth < 8) smooth = 0;
  double sum = 0;
  for (double j = smooth; j < count; ++j) sum += math::pow(first - j * step, exponent);
  if (smooth == 0) return sum;
  const double last = first - (smooth - 1.0) * step;
  const double at_first = math::pow(first, exponent);
  const double at_last = math::pow(last, exponent);
  sum += (at_first * first - at_last * last) / ((exponent + 1.0) * step) + (at_first + at_last) / 2.0;
  // Bernoulli's numbers over factorials, with the derivatives of odd order.
  constexpr double kTerms[] = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160};
  double upper = at_first * exponent * step / first;
  double lower = at_last * exponent * step / last;
  double order = exponent;
  for (const double term : kTerms) {
    sum += term * (upper - lower);
    const double next = (order - 1.0) * (order - 2.0) * step * step;
    upper *= next / (first * first);
    lower *= next / (last * last);
    order -= 2.0;
  }
  return sum;
}

/// GPUs of serving below which more are needed for at least `share` of the time.
double gpus_needed_for(const DemandLoad& load, double share) {
  return load.serving_mean >= load.serving_peak ? load.serving_peak : serving_gpus_exceeded(load, share);
}

}  // namespace

double gpus_exceeded(const LoadDuration& load, double share) {
  if (share >= 1.0) return 0;
  // Shares above the first point's are of times with no more than nothing.
  if (share >= load.front().share) return load.front().share < 1.0 ? 0 : load.front().gpus;
  for (std::size_t i = 1; i < load.size(); ++i) {
    const LoadPoint& from = load[i - 1];
    const LoadPoint& to = load[i];
    if (to.share > share) continue;
    if (from.share == to.share) return from.gpus;
    return from.gpus + (to.gpus - from.gpus) * (from.share - share) / (from.share - to.share);
  }
  return load.back().gpus;
}

double mean_above(const LoadDuration& load, double gpus) {
  double mean = 0;
  const LoadPoint& first = load.front();
  if (gpus < first.gpus) mean += (first.gpus - gpus) * first.share;
  for (std::size_t i = 1; i < load.size(); ++i) {
    const LoadPoint& from = load[i - 1];
    const LoadPoint& to = load[i];
    if (to.gpus <= gpus || to.gpus == from.gpus) continue;
    const double start = std::max(gpus, from.gpus);
    const double share = from.share + (to.share - from.share) * (start - from.gpus) / (to.gpus - from.gpus);
    mean += (to.gpus - start) * (share + to.share) / 2.0;
  }
  return mean;
}

double mean_instances_above(const DemandLoad& load, double own_gpus, double instance_gpus) {
  double mean = 0;
  double counted = 0;
  const auto up_to = [&](double gpus) { return std::max(counted, std::ceil((gpus - own_gpus) / instance_gpus)); };
  double running = 0;
  for (std::size_t on = 0; on <= load.runs.size(); ++on) {
    // As share_above(): with so many runs on, the share is that of the last run, and then falls as serving needs less.
    const double longest = on == 0 ? 1.0 : load.runs[on - 1].share;
    const double shortest = on == load.runs.size() ? 0.0 : load.runs[on].share;
    if (on > 0) running += load.runs[on - 1].gpus;
    const double level_end = up_to(running + gpus_needed_for(load, longest));
    mean += (level_end - counted) * longest;
    counted = level_end;
    const double fall_end = up_to(running + gpus_needed_for(load, shortest));
    if (fall_end > counted) {
      const double rest = load.serving_peak + running - own_gpus - counted * instance_gpus;
      const double exponent = 1.0 / demand_exponent(load.serving_mean, load.serving_peak);
      // Rounding above 1 would grow beyond all numbers with the exponent of a mean near 0.
      mean += sum_of_powers(std::min(1.0, rest / load.serving_peak), instance_gpus / load.serving_peak,
                            fall_end - counted, exponent);
    }
    counted = fall_end;
  }
  return mean;
}

}  // namespace podwright
