#pragma once
/// A `search` request of type serving: traffic, limits on latency and the GPUs to choose from. With a peak rate the
/// deployments that carry it; without one the rate that a number of GPUs carries.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "sizing/workload.h"

namespace podwright {

/// What a GPU of a type costs, as the request gives it.
struct ServingPrice {
  std::optional<Gpu> gpu;  ///< absent: every GPU
  double usd_per_gpu_hour = 0;
};

struct ServingSearchRequest {
  std::optional<Model> model;
  std::vector<Gpu> gpus;
  std::optional<double> peak_requests_per_s;
  std::optional<double> gpu_count;  ///< at hand; of each type
  std::optional<double> max_gpu_count;
  std::vector<ServingPrice> prices;
  sizing::ServingWorkload workload;
  sizing::ServingConstraints constraints;
  bool explain = false;
};

/// Row of `prices` for a GPU.
std::optional<std::size_t> price_row(const ServingSearchRequest& request, const Gpu& gpu);

void describe(FieldVisitor& visitor, const Catalog& catalog, ServingSearchRequest& request);

}  // namespace podwright
