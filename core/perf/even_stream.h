#pragma once
/// Streams of requests that come more evenly than at random: to each of several lanes that take turns. They come as
/// every so manieth request of a random stream does, whose renewal function has a closed form for two. `even` is a
/// stream_evenness(); 0 is a random stream. docs/method/serving_time.md#even-streams.
#include <algorithm>

#include "base/math.h"

namespace podwright {

inline constexpr const char* kEvenPage = "docs/method/serving_time.md#even-streams";

/// Requests that come after one in a time in which `expected` come on average.
inline double come_after_one(double expected, double even) {
  return even > 0 ? expected - even * (1.0 - math::exp(-expected / even)) : expected;
}

/// Variance over mean of the number that comes in a time in which `expected` come on average.
inline double count_dispersion(double expected, double even) {
  if (!(even > 0) || !(expected > 0)) return 1;
  return 1.0 - 2.0 * even + 2.0 * even * even * (1.0 - math::exp(-expected / even)) / expected;
}

/// A mean wait over that of Poisson arrivals. Kraemer and Langenbach-Belz 1976.
inline double even_wait(double load, double service_cv, double even) {
  if (!(even > 0)) return 1;
  const double arrivals = 1.0 - 2.0 * even;
  const double service = service_cv * service_cv;
  if (!(arrivals + service > 0)) return 0;
  const double below = -8.0 * even * even * (1.0 - load) / (3.0 * load * (arrivals + service));
  return (arrivals + service) / (1.0 + service) * math::exp(std::max(-700.0, below));
}

}  // namespace podwright
