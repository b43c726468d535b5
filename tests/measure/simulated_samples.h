#pragma once
/// Sample times of synthetic devices.
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/distributions.h"
#include "base/random.h"
#include "measure/sample_summary.h"

namespace podwright {

/// Standard normal numbers of one run, in order; `correlation` links each to the one before.
class NormalSeries {
 public:
  NormalSeries(std::uint64_t seed, std::uint64_t run, double correlation = 0)
      : stream_(seed, run), correlation_(correlation), last_(draw()) {}

  double next() {
    last_ = correlation_ * last_ + std::sqrt(1 - correlation_ * correlation_) * draw();
    return last_;
  }
  /// Even between 0 and 1, apart from the series.
  double even() { return stream_.uniform(place_++); }

 private:
  double draw() { return normal_quantile(even()); }

  random::Stream stream_;
  std::uint64_t place_ = 0;
  double correlation_;
  double last_;
};

/// Samples until the stop rule is content. `sample` gives the next time.
template <class Sample>
std::vector<double> sampled(const StopRule& rule, Sample sample) {
  std::vector<double> times;
  do times.push_back(sample());
  while (stop_state(times, 0, rule) == StopState::go_on);
  return times;
}

}  // namespace podwright
