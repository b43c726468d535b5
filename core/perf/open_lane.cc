#include "perf/open_lane.h"

#include "base/root.h"

namespace podwright {

double open_rate(const OpenSteps<NoTrace>& steps, double come) {
  NoTrace none;
  // Full steps leave the least, and steps without what comes while a prompt is computed the most.
  const double least = come / (steps.decode + steps.prompt / steps.pieces).base_units();
  const double most = come / (steps.decode + come * steps.prompt).base_units();
  if (!(least < most)) return least;
  return falling_root(least, most, [&](double rate) {
    return come - rate * open_times(none, steps, PerSecond(rate)).token.base_units();
  });
}

}  // namespace podwright
