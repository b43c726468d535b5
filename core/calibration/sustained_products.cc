#include "calibration/sustained_products.h"

#include <algorithm>
#include <vector>

#include "calibration/machine_formulas.h"
#include "calibration/usable_points.h"

namespace podwright {
namespace {

using Products = std::vector<const ProbeResult*>;

std::optional<Watts> watts_of(const std::optional<double>& power) {
  if (!power || !(*power > 0)) return std::nullopt;
  return watts(*power);
}

/// Ends of the median's interval; of too few samples the fastest and the slowest twentieth.
double low_of(const ProbeResult& result) { return result.time_s->lo95.value_or(result.time_s->min); }
double high_of(const ProbeResult& result) { return result.time_s->hi95.value_or(result.time_s->p95); }

SustainedProducts measured_factor(const ProbeResult& slow, const ProbeResult& fast) {
  SustainedProducts products;
  products.measured = true;
  products.factor = std::max(1.0, slow.time_s->median / fast.time_s->median);
  products.low = std::max(1.0, low_of(slow) / high_of(fast));
  products.high = std::max(1.0, high_of(slow) / low_of(fast));
  return products;
}

std::map<std::string, SustainedProducts> measured_factors(const Products& products) {
  std::map<std::string, SustainedProducts> factors;
  std::map<std::string, double> most_work;
  for (const ProbeResult* slow : products)
    for (const ProbeResult* fast : products) {
      const bool pair = slow->mode == ProbeMode::sustained && fast->mode == ProbeMode::burst &&
                        fast->probe == slow->probe && fast->dtype == slow->dtype && fast->size == slow->size;
      if (!pair || slow->counted.flops <= most_work[slow->dtype]) continue;
      most_work[slow->dtype] = slow->counted.flops;
      factors[slow->dtype] = measured_factor(*slow, *fast);
    }
  return factors;
}

/// Bursts rest between samples, so that sustained products may show more of what the clock asks for.
std::optional<Watts> most_power(const Products& products, const std::string& dtype) {
  std::optional<double> most;
  for (const ProbeResult* result : products)
    if (result->dtype == dtype && result->context.power_w) most = std::max(most.value_or(0), *result->context.power_w);
  return watts_of(most);
}

}  // namespace

double SustainedProducts::at_duty(double duty) const {
  if (!idle_power || !burst_power || !power_limit) return factor;
  return sustained_factor(factor, power_share(raw(*idle_power), raw(*burst_power), duty, raw(*power_limit)));
}

std::map<std::string, SustainedProducts> sustained_products(const HardwareProfile& profile, const ProfileDevice& device,
                                                            const DevicePeaks& peaks) {
  const Products products = results_on(profile, device, is_product_probe);
  std::map<std::string, SustainedProducts> factors = measured_factors(products);
  for (const auto& [dtype, published] : peaks.sustained) {
    SustainedProducts unmeasured;
    unmeasured.factor = published.factor;
    unmeasured.low = published.low;
    unmeasured.high = published.high;
    unmeasured.source = published.source;
    factors.emplace(dtype, unmeasured);
  }
  for (auto& [dtype, factor] : factors) {
    factor.idle_power = watts_of(device.idle_power_w);
    factor.burst_power = most_power(products, dtype);
    factor.power_limit = watts_of(device.power_limit_w);
    if (!factor.power_limit) factor.power_limit = watts_of(device.power_limit_default_w);
    if (!factor.power_limit) factor.power_limit = peaks.power_limit;
  }
  return factors;
}

}  // namespace podwright
