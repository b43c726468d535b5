#pragma once
/// Layouts worth trying, legal for the model. docs/method/search.md.
#include <vector>

#include "catalog/catalog.h"
#include "memory/serving_run.h"
#include "sizing/workload.h"

namespace podwright::sizing {

/// One replica: tensor sizes are powers of two inside a node; pipelines join whole nodes; models with experts also
/// spread attention over data-parallel ranks of one node, and of 2, 4 or 8, with the experts over all of them.
std::vector<ServingParallelism> serving_layouts(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                                double max_gpus);

/// GPU counts to try, rising: powers of two inside a node, then whole nodes in steps of at most a half; where a node
/// is not a power of two, powers of two beyond it too.
std::vector<double> gpu_counts(double node, double from, double to);

/// Weight formats that a workload allows on a GPU.
std::vector<std::string> serving_precisions(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                            const ServingWorkload& workload);

}  // namespace podwright::sizing
