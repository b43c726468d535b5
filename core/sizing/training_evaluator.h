#pragma once
/// Memory, time and throughput of many layouts of one training run on one GPU type.
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "catalog/catalog.h"
#include "memory/training_memory.h"
#include "perf/training_step.h"

namespace podwright::sizing {

/// What became of a layout.
enum class Verdict {
  fits,
  does_not_fit,      ///< `memory` tells by how much; no time
  memory_not_known,  ///< no formula covers the run
  time_not_known,    ///< a rate or a link is missing, or no formula covers the run
};

struct LayoutNumbers {
  Verdict verdict = Verdict::memory_not_known;
  Bytes memory;  ///< of the fullest GPU
  Seconds step;
  PerSecond tokens_per_s;
};

/// Prepared once for model, GPU, system, precision, method and framework; these fields of the runs must not change.
/// Everything given is kept by reference.
class TrainingEvaluator {
 public:
  TrainingEvaluator(const Catalog& catalog, const Model& model, const LayerStack& stack, const Gpu& gpu,
                    const System* system, const TrainingRun& run);

  /// Memory first: a layout that does not fit gets no time.
  LayoutNumbers evaluate(const TrainingRun& run);

  Bytes capacity() const { return capacity_; }
  /// What the rates assume that were used so far.
  const std::vector<std::string>& assumptions() const { return assumptions_; }

 private:
  const Catalog& catalog_;
  const Model& model_;
  const LayerStack& stack_;
  const Gpu& gpu_;
  const System* system_;
  TrainingRecipe recipe_;
  Bytes capacity_;
  std::vector<std::string> assumptions_;
};

}  // namespace podwright::sizing
