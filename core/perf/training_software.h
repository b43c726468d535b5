#pragma once
/// The constants of the time model for one run: those of its framework's kernels, and what its version is known to
/// gain or lose. docs/method/training_time.md#software.
#include <string>

#include "base/math.h"
#include "catalog/catalog.h"
#include "memory/training_run.h"

namespace podwright {

/// The period of a framework that a run belongs to: its version without the third number, else the year of its date,
/// else the newest with a dozen published
/// runs. Empty where there is none: then the framework speaks for all its versions.
std::string software_period(const TrainingEfficiency& efficiency, const TrainingFramework& framework,
                            const TrainingRun& run);

/// Kernels and habits of a run's software.
struct SoftwareTraits {
  const TrainingFramework* framework = nullptr;  ///< null: not in the catalog; then `kernels` is a guess
  KernelSet kernels = KernelSet::compiled;
  bool fused_attention = true;
  const SoftwareFactor* family = nullptr;  ///< null where the fit knows nothing
  const SoftwareFactor* software = nullptr;
  const SoftwareFactor* period = nullptr;

  bool fused() const { return kernels == KernelSet::fused; }
};
SoftwareTraits software_traits(const Catalog& catalog, const TrainingEfficiency& efficiency, const Model& model,
                               const TrainingRun& run);

template <class Tracer>
class TrainingConstants {
 public:
  using Known = typename Tracer::template Known<double>;

  TrainingConstants(Tracer& trace, const TrainingEfficiency& efficiency) : trace_(trace), efficiency_(efficiency) {}

  Known operator()(Efficiency constant) const {
    const EfficiencyConstant& entry = efficiency_[constant];
    return trace_.fact(entry, "value", entry.value);
  }
  typename Tracer::template Known<Seconds> seconds(Efficiency constant) const {
    const EfficiencyConstant& entry = efficiency_[constant];
    return trace_.fact(entry, "value", Seconds(entry.value));
  }
  /// The constant of a run's tuning; 1 for tuned runs, which the others are fitted against.
  Known of_tuning(Tuning tuning, Efficiency typical, Efficiency as_installed) const {
    if (tuning == Tuning::tuned) return trace_.constant("tuned", 1.0, "what other runs are compared with");
    return (*this)(tuning == Tuning::typical ? typical : as_installed);
  }
  /// Factor on the time of arithmetic, and on that of experts.
  Known compute_factor(const SoftwareTraits& traits) const {
    double sum = 0;
    for (const SoftwareFactor* factor : {traits.family, traits.software, traits.period})
      if (factor != nullptr) sum += factor->compute;
    return trace_.method("perf.software_factor", math::exp(sum), "docs/method/training_time.md#software");
  }
  Known experts_factor(const SoftwareTraits& traits) const {
    const double sum = traits.period != nullptr ? traits.period->experts : 0;
    return trace_.method("perf.experts_factor", math::exp(sum), "docs/method/training_time.md#software");
  }

 private:
  Tracer& trace_;
  const TrainingEfficiency& efficiency_;
};

}  // namespace podwright
