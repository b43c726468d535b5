#include "perf/training_software.h"

#include "perf/training_rates.h"

namespace podwright {
namespace {

/// Published runs that a period needs to speak for a run that names none.
constexpr double kLeastRows = 12;

}  // namespace

std::string software_period(const TrainingEfficiency& efficiency, const TrainingFramework& framework,
                            const TrainingRun& run) {
  if (!run.framework_version.empty()) {
    const std::size_t first = run.framework_version.find('.');
    const std::size_t second = first == std::string::npos ? first : run.framework_version.find('.', first + 1);
    return run.framework_version.substr(0, second);
  }
  if (run.framework_date.size() >= 4) return run.framework_date.substr(0, 4);
  std::string newest;
  for (const SoftwareFactor& factor : efficiency.software)
    if (factor.level == SoftwareFactor::Level::period && factor.software == framework.id && factor.period > newest &&
        factor.rows >= kLeastRows)
      newest = factor.period;
  return newest;
}

SoftwareTraits software_traits(const Catalog& catalog, const TrainingEfficiency& efficiency, const Model& model,
                               const TrainingRun& run) {
  using Level = SoftwareFactor::Level;
  SoftwareTraits traits;
  traits.framework = find_training_framework(catalog.training_frameworks, run.framework);
  if (traits.framework == nullptr) return traits;
  const TrainingFramework& framework = *traits.framework;
  traits.kernels = framework.kernels;
  traits.fused_attention = framework.kernels != KernelSet::unfused;
  if (model.attention_sinks && traits.fused_attention) {
    std::string date = run.framework_date;
    if (!run.framework_version.empty())
      if (const FrameworkVersion* version = find_version(framework, run.framework_version)) date = version->date;
    const bool newest = date.empty();
    traits.fused_attention = !framework.fused_sinks_since.empty() && (newest || date >= framework.fused_sinks_since);
  }
  if (!framework.family.empty()) traits.family = efficiency.find(Level::family, framework.family, "");
  traits.software = efficiency.find(Level::framework, framework.id, "");
  const std::string period = software_period(efficiency, framework, run);
  if (!period.empty()) traits.period = efficiency.find(Level::period, framework.id, period);
  return traits;
}

std::string_view training_gemm_precision(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::tf32:
      return "tf32";
    case Precision::fp16:
      return "fp16";
    case Precision::bf16:
      return "bf16";
    case Precision::fp8:
    case Precision::mxfp8:
      return "fp8";
    case Precision::nvfp4:
      return "fp4";
  }
  return "bf16";
}

double power_ratio(const Catalog& catalog, const Gpu& gpu) {
  const auto watts_per_rate = [](const Gpu& of) {
    const auto peak = of.peak_dense_flops.find("bf16");
    if (!of.board_power || peak == of.peak_dense_flops.end()) return 0.0;
    return of.board_power->base_units() / peak->second.base_units();
  };
  const double own = watts_per_rate(gpu);
  if (own <= 0 || measured_gemm(catalog, gpu, "bf16")) return 1;
  double ratio = 0;
  for (const Gpu& other : catalog.gpus)
    if (other.compute_capability == gpu.compute_capability && watts_per_rate(other) > 0 &&
        measured_gemm(catalog, other, "bf16"))
      ratio = std::max(ratio, own / watts_per_rate(other));
  return ratio > 0 ? std::min(1.0, ratio) : 1;
}

}  // namespace podwright
