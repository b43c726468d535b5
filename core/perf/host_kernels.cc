#include "perf/host_kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/math.h"
#include "base/number_text.h"
#include "perf/bounds.h"

namespace podwright {
namespace {

const HostRate* host_rate(const HostCalibration& host, std::string_view operation, std::string_view precision,
                          RateUse use) {
  for (const HostRate& rate : host.rates)
    if (rate.operation == operation && rate.precision == precision && rate.use == use) return &rate;
  return nullptr;
}

double half_width(const KernelRate& rate) { return math::log(rate.high / rate.low) / 2; }

}  // namespace

const HostCalibration* host_of(const Catalog& catalog, std::string_view gpu_id) {
  for (const HostCalibration& host : catalog.hosts)
    if (host.gpu_id == gpu_id) return &host;
  return nullptr;
}

bool has_own_rates(const Catalog& catalog, std::string_view gpu_id) {
  const HostCalibration* host = host_of(catalog, gpu_id);
  return host != nullptr && std::any_of(host->rates.begin(), host->rates.end(), [](const HostRate& rate) {
           return rate.operation == "gemm" && rate.use == RateUse::absolute;
         });
}

MeasuredKernels measured_kernels(const Catalog& catalog, std::string_view gpu_id, std::string_view gemm,
                                 std::string_view streaming) {
  MeasuredKernels measured;
  const HostCalibration* host = host_of(catalog, gpu_id);
  if (host == nullptr) return measured;
  const HostRate* products = host_rate(*host, "gemm", gemm, RateUse::absolute);
  const HostRate* weights = host_rate(*host, "weight-streaming", streaming, RateUse::absolute);
  // A rate without an interval is no surer than the catalog's.
  if (products != nullptr && weights != nullptr && products->high > products->low && weights->high > weights->low)
    measured.own = std::max(half_width(*products), half_width(*weights));
  // Reads of narrower weights and caches follow those of 16 bit.
  for (const auto& [operation, precision] : {std::pair<std::string_view, std::string_view>{"gemm", gemm},
                                             {"weight-streaming", "bf16"},
                                             {"kv-reading", "bf16"}})
    if (const HostRate* rate = host_rate(*host, operation, precision, RateUse::relative))
      measured.ratio = std::max(measured.ratio, rate->against->half_width);
  return measured;
}

double width_on_machine(double half_width, double told, const MeasuredKernels& measured) {
  if (measured.own) half_width = half_width_with_measured_kernels(half_width, told, *measured.own);
  return measured.ratio > 0 ? half_width_with_ratio(half_width, measured.ratio) : half_width;
}

double told_kernels_width(const Catalog& catalog, ToldKernels told) {
  static constexpr std::array<std::string_view, 5> kRows{"same-library", "other-library", "gpu-family",
                                                         "gpu-generation", "gpu-data-sheet"};
  const PredictionSpread* spread = catalog.training_efficiency.spread(kRows[static_cast<std::size_t>(told)], "any");
  return spread == nullptr ? 0 : spread->half_width;
}

std::string host_sentence(const HostCalibration& host, const Gpu& gpu, const MeasuredKernels& measured) {
  std::size_t relative = 0, absolute = 0;
  std::vector<std::string> reasons;
  for (const HostRate& rate : host.rates) {
    relative += rate.use == RateUse::relative ? 1 : 0;
    absolute += rate.use == RateUse::absolute ? 1 : 0;
    if (rate.use == RateUse::none && std::find(reasons.begin(), reasons.end(), rate.why) == reasons.end())
      reasons.push_back(rate.why);
  }
  std::string text = "Rates of " + gpu.name + " by the profile sha256:" + host.profile_digest.substr(0, 16) + ": " +
                     std::to_string(relative) + " by its ratio to the reference machine, " + std::to_string(absolute) +
                     " of its own, " + std::to_string(host.rates.size() - relative - absolute) + " of the catalog.";
  for (const std::string& reason : reasons) text += " " + reason;
  if (measured.own)
    text += " Intervals hold " + human_number(100 * *measured.own, 2) +
            " % for its kernels in place of what other machines and libraries differ.";
  if (measured.ratio > 0)
    text += " Intervals hold " + human_number(100 * measured.ratio, 2) + " % more for that ratio.";
  return text;
}

}  // namespace podwright
