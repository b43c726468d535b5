#pragma once
/// Deployments that carry a serving workload within its limits, best first; or, without a peak rate, what rate the GPUs
/// at hand carry. Nothing is traced: run a chosen deployment again with a tracer (perf/estimate_serving.h) to explain
/// it. docs/method/search.md#serving.
#include <vector>

#include "catalog/catalog.h"
#include "sizing/serving_candidates.h"
#include "sizing/workload.h"

namespace podwright::sizing {

ServingSearch search_serving(const Catalog& catalog, const Model& model, const std::vector<GpuOffer>& offers,
                             const ServingWorkload& workload, const ServingConstraints& constraints);

/// The fewest GPUs of one type.
ServingSearch search_serving(const Catalog& catalog, const Model& model, const Gpu& gpu,
                             const ServingWorkload& workload, const SearchConstraints& constraints);

/// GPUs that a search chooses from where nobody names any: NVIDIA's for data centres that are on the market and compute
/// in bf16, as today's engines want.
std::vector<const Gpu*> data_centre_gpus(const Catalog& catalog);

}  // namespace podwright::sizing
