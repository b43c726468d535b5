#include "calibration/held_back.h"

#include <algorithm>
#include <map>

#include "base/math.h"
#include "base/stable_sort.h"
#include "calibration/usable_points.h"

namespace podwright {
namespace {

Error refused(const ProbeResult& result, const std::string& why) {
  return {"conflict", "/results", "\"" + result.probe + "\" cannot be held back: " + why + ".",
          "Measure more sizes, or hold back another result."};
}

HeldBack prediction(const ProbeResult& result, Seconds measured, Seconds predicted, double half_width) {
  const double factor = math::exp(half_width);
  return {.probe = result.probe,
          .size = result.size,
          .measured = measured,
          .predicted = predicted,
          .predicted_low = predicted * (1 / factor),
          .predicted_high = predicted * factor};
}

/// Usable bursts of the same probe, dtype and device, without the one held back.
std::vector<const ProbeResult*> others_of(const HardwareProfile& profile, const ProbeResult& held_back,
                                          const ProfileDevice& device) {
  std::vector<const ProbeResult*> others;
  for (const ProbeResult* result : usable_results(
           profile,
           {.probe = held_back.probe, .device = device.id, .dtype = held_back.dtype, .mode = ProbeMode::burst}))
    if (!(result->size == held_back.size)) others.push_back(result);
  return others;
}

Result<HeldBack> product_held_back(const HardwareProfile& profile, const ProbeResult& held_back,
                                   const ProfileDevice& device, const DevicePeaks& peaks) {
  const auto of_products = product_peaks(device, peaks, held_back.dtype);
  if (!of_products) return failure(refused(held_back, "no peak rate of this device is known"));
  std::vector<ProductPoint> points;
  for (const ProbeResult* result : others_of(profile, held_back, device))
    if (const auto point = product_point(*result)) points.push_back(*point);
  const ProductFit fit = fit_products(points, *of_products);
  if (!fit.refused.empty()) return failure(refused(held_back, fit.refused));
  const ProductPoint point = *product_point(held_back);
  return prediction(held_back, point.time, fit.predict(point.shape), fit.leave_one_out_90);
}

Result<HeldBack> transfer_held_back(const HardwareProfile& profile, const ProbeResult& held_back,
                                    const ProfileDevice& device, const DevicePeaks& peaks) {
  std::vector<TransferPoint> points;
  for (const ProbeResult* result : others_of(profile, held_back, device))
    if (const auto point = transfer_point(*result)) points.push_back(*point);
  const TransferFit fit = fit_transfers(points, transfer_peak(held_back.probe, points, *peaks.bandwidth));
  if (!fit.refused.empty()) return failure(refused(held_back, fit.refused));
  const TransferPoint point = *transfer_point(held_back);
  return prediction(held_back, point.time, fit.predict(point.bytes), fit.leave_one_out_90);
}

}  // namespace

Result<HeldBack> predict_held_back(const HardwareProfile& profile, const ProbeResult& held_back,
                                   const ProfileDevice& device, const DevicePeaks& peaks) {
  if (const std::string problem = key_problem(device, peaks); !problem.empty())
    return failure(refused(held_back, problem));
  if (!held_back.usable()) return failure(refused(held_back, "it is invalid, wrong or was skipped"));
  if (!peaks.bandwidth) return failure(refused(held_back, "no peak bandwidth of this device is known"));
  if (product_point(held_back)) return product_held_back(profile, held_back, device, peaks);
  if (transfer_point(held_back)) return transfer_held_back(profile, held_back, device, peaks);
  return failure(refused(held_back, "it is not a product and moves no memory"));
}

std::vector<HeldBack> predict_held_back(const HardwareProfile& profile, const ProfileDevice& device,
                                        const DevicePeaks& peaks) {
  std::map<std::string, std::vector<const ProbeResult*>> by_probe;
  for (const ProbeResult& result : profile.results) {
    const bool here = std::find(result.devices.begin(), result.devices.end(), device.id) != result.devices.end();
    if (here && result.usable() && result.mode == ProbeMode::burst)
      by_probe[result.probe + "/" + result.dtype].push_back(&result);
  }
  std::vector<HeldBack> predictions;
  for (auto& [probe, results] : by_probe) {
    sort_stably(results,
                [](const ProbeResult* a, const ProbeResult* b) { return a->time_s->median < b->time_s->median; });
    if (const auto held = predict_held_back(profile, *results[results.size() / 2], device, peaks))
      predictions.push_back(*held);
  }
  return predictions;
}

}  // namespace podwright
