#include "perf/host_kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/math.h"
#include "base/number_text.h"

namespace podwright {
namespace {

const KernelRate* host_rate(const HostCalibration& host, std::string_view operation, std::string_view precision) {
  for (const KernelRate& rate : host.rates)
    if (rate.operation == operation && rate.precision == precision) return &rate;
  return nullptr;
}

double half_width(const KernelRate& rate) { return math::log(rate.high / rate.low) / 2; }

}  // namespace

const HostCalibration* host_of(const Catalog& catalog, std::string_view gpu_id) {
  for (const HostCalibration& host : catalog.hosts)
    if (host.gpu_id == gpu_id) return &host;
  return nullptr;
}

std::optional<double> measured_kernels_width(const Catalog& catalog, std::string_view gpu_id, std::string_view gemm,
                                             std::string_view streaming) {
  const HostCalibration* host = host_of(catalog, gpu_id);
  if (host == nullptr) return std::nullopt;
  const KernelRate* products = host_rate(*host, "gemm", gemm);
  const KernelRate* weights = host_rate(*host, "weight-streaming", streaming);
  // A rate without an interval is no surer than the catalog's.
  if (products == nullptr || weights == nullptr || products->high <= products->low || weights->high <= weights->low)
    return std::nullopt;
  return std::max(half_width(*products), half_width(*weights));
}

double told_kernels_width(const Catalog& catalog, ToldKernels told) {
  static constexpr std::array<std::string_view, 5> kRows{"same-library", "other-library", "gpu-family",
                                                         "gpu-generation", "gpu-data-sheet"};
  const PredictionSpread* spread = catalog.training_efficiency.spread(kRows[static_cast<std::size_t>(told)], "any");
  return spread == nullptr ? 0 : spread->half_width;
}

std::string host_sentence(const HostCalibration& host, const Gpu& gpu, const std::optional<double>& width) {
  const std::string measured =
      "Rates of " + gpu.name + " are those of the profile sha256:" + host.profile_digest.substr(0, 16) + ", " +
      std::to_string(host.rates.size()) + " in place of the catalog's" +
      (host.collectives.empty()
           ? "."
           : ", and " + std::to_string(host.collectives.size()) + " tables of exchanges inside a node by size.");
  if (!width) return measured + " It lacks products or weights of this format: intervals stay as wide.";
  return measured + " Intervals hold " + human_number(100 * *width, 2) +
         " % for its kernels in place of what other machines and libraries differ.";
}

}  // namespace podwright
