#pragma once
/// Which parallel sizes go together: sizes that divide what they split. docs/method/search.md#legal-layouts.
#include <vector>

#include "base/infeasible.h"
#include "base/result.h"
#include "catalog/model.h"
#include "memory/serving_run.h"
#include "memory/training_run.h"

namespace podwright {

/// Empty where the layout is legal. Code "layout"; every broken rule is listed, with what would mend it.
std::vector<Infeasible> serving_layout_problems(const Model& model, const ServingRun& run);
std::vector<Infeasible> training_layout_problems(const Model& model, const TrainingRun& run);
/// The same as errors of a request: the path is that of the size below the run ("/parallelism/tensor"), the hint names
/// legal values.
Errors serving_layout_errors(const Model& model, const ServingRun& run);
Errors training_layout_errors(const Model& model, const TrainingRun& run);
/// The same without messages.
bool legal_layout(const Model& model, const ServingRun& run);
bool legal_layout(const Model& model, const TrainingRun& run);

constexpr double gpus_of(const ServingParallelism& p) { return p.tensor * p.pipeline * p.attention_data * p.data; }
constexpr double gpus_of(const TrainingParallelism& p) { return p.tensor * p.pipeline * p.context * p.data; }

}  // namespace podwright
