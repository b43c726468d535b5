#pragma once
/// The contract's `search` request: one training workload, the GPUs to choose from, and what counts.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/request_calendar.h"
#include "sizing/workload.h"

namespace podwright {

/// What one GPU of a type costs and draws, as the request gives it.
struct SearchPrice {
  std::optional<Gpu> gpu;
  std::optional<double> usd_per_gpu_hour;
  std::optional<double> kw_per_gpu;
};

struct SearchRequest {
  std::optional<Model> model;
  std::vector<Gpu> gpus;
  std::optional<System> system;
  std::optional<double> gpu_count;
  std::optional<double> max_gpu_count;
  std::optional<double> tokens;
  std::optional<double> deadline_days;
  std::vector<SearchPrice> prices;
  double load = TrainingPower{}.load;  ///< for power that `prices` does not give
  double pue = TrainingPower{}.pue;    ///< as above
  sizing::TrainingWorkload workload;
  sizing::TrainingConstraints constraints;
  bool explain = false;
};

/// Which of `prices` gives the price of a GPU, and which its power.
std::optional<std::size_t> price_row(const SearchRequest& request, const Gpu& gpu);
std::optional<std::size_t> power_row(const SearchRequest& request, const Gpu& gpu);

void describe(FieldVisitor& visitor, const Catalog& catalog, SearchRequest& request);

}  // namespace podwright
