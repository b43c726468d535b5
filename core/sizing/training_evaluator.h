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

/// A tracer of its own, so that the inner loop is compiled apart: for speed, whatever the rest is compiled for.
struct InnerLoopTracer : NoTrace {};

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

/// Prepared for model, GPU, system and all of a run that is no layout: these fields must not change from run to run.
/// Everything given is kept by reference.
class TrainingEvaluator {
 public:
  TrainingEvaluator(const Catalog& catalog, const Model& model, const LayerStack& stack, const Gpu& gpu,
                    const System* system, const TrainingRun& run);

  /// The outer sizes of the layouts to come: tensor, context, expert, expert_tensor, micro-batch and recompute.
  void fix(const TrainingRun& run);
  /// A layout with the sizes fixed last. Memory first: a layout that does not fit gets no time, unless `in_full`.
  LayoutNumbers evaluate(const TrainingRun& run, bool in_full = false);

  Bytes capacity() const { return capacity_; }
  /// What the rates assume that were used so far.
  const std::vector<std::string>& assumptions() { return rates_.assumptions(); }

 private:
  struct Split {
    StageSplit split;
    std::vector<TrainingStage> stages;
  };
  const std::vector<TrainingStage>& stages_of(const TrainingRun& run);

  const Model& model_;
  const LayerStack& stack_;
  const Gpu& gpu_;
  InnerLoopTracer none_;
  TrainingRecipe recipe_;
  std::optional<TrainingMemoryModel<InnerLoopTracer>>
      memory_;                              ///< absent where no source tells how the framework keeps its state
  std::vector<std::vector<Split>> splits_;  ///< by pipeline size
  TrainingRates<InnerLoopTracer> rates_;
  std::optional<TrainingStepModel<InnerLoopTracer>> step_;  ///< absent where a rate is not known
  bool layer_known_ = false;
  bool memory_known_ = false;
  bool hybrid_known_ = false;
  Bytes capacity_;
};

}  // namespace podwright::sizing
