#pragma once
/// Layouts of a training run on one or several GPU types and cluster sizes, best first. Nothing is traced: run the
/// chosen layout again with a tracer (perf/estimate_training.h) to explain it. docs/method/search.md.
#include <vector>

#include "catalog/catalog.h"
#include "sizing/training_candidates.h"
#include "sizing/workload.h"

namespace podwright::sizing {

TrainingSearch search_training(const Catalog& catalog, const Model& model, const std::vector<GpuOffer>& offers,
                               const TrainingWorkload& workload, const TrainingConstraints& constraints);

/// The smallest clusters of one GPU type that meet the deadline.
TrainingSearch search_training(const Catalog& catalog, const Model& model, const Gpu& gpu,
                               const TrainingWorkload& workload, const SearchConstraints& constraints);

}  // namespace podwright::sizing
