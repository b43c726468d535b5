#include "reliability/fleet.h"

#include <algorithm>

#include "base/math.h"

namespace podwright {

double redundant_availability(int needed, int present, double availability) {
  // All work, then one fewer each time: the terms of the binomial distribution from its top.
  double total = 0;
  double ways = 1;
  for (int working = present; working >= needed; --working) {
    total += ways * math::pow(availability, working) * math::pow(1.0 - availability, present - working);
    ways = ways * working / (present - working + 1);
  }
  return std::min(1.0, total);
}

double spares_suffice(double in_repair, double spares) {
  if (in_repair <= 0) return 1.0;
  const double log_mean = math::log(in_repair);
  double log_term = -in_repair;  // ln(e^-m m^k / k!), which alone stays in range for large means
  double total = 0;
  for (double k = 0; k <= spares; k += 1) {
    if (k > 0) log_term += log_mean - math::log(k);
    if (log_term > -700) total += math::exp(log_term);
  }
  return std::min(1.0, total);
}

}  // namespace podwright
