#pragma once
/// The `search` requests: the GPUs to choose from and what counts, for one training workload, or for traffic with
/// limits on latency. With a peak rate the latter asks for the deployments that carry it; without one for the rate that
/// a number of GPUs carries.
#include <optional>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "api/training_fields.h"
#include "sizing/launch_names.h"
#include "sizing/workload.h"

namespace podwright {
namespace sizing {
struct TrainingSearch;
}

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
  std::vector<std::string> exports;  ///< of the first layout; "all" for every word
  sizing::TrainingNames deploy;
  bool explain = false;
};

/// Which of `prices` gives the price of a GPU, and which its power.
std::optional<std::size_t> price_row(const SearchRequest& request, const Gpu& gpu);
std::optional<std::size_t> power_row(const SearchRequest& request, const Gpu& gpu);

void describe(FieldVisitor& visitor, const Catalog& catalog, SearchRequest& request);

/// The layouts, whose GPUs and servers are those of the request.
sizing::TrainingSearch found_layouts(const Catalog& catalog, const SearchRequest& request);

Answer answer_search(const Asked& asked, const SearchRequest& request);

/// Its fields.
void describe_training_search_answer(AnswerShape& v);

struct ServingSearchRequest {
  std::optional<Model> model;
  std::vector<Gpu> gpus;
  std::optional<double> peak_requests_per_s;
  std::optional<double> gpu_count;  ///< at hand; of each type
  std::optional<double> max_gpu_count;
  std::vector<SearchPrice> prices;  ///< without power
  sizing::ServingWorkload workload;
  sizing::ServingConstraints constraints;
  std::vector<std::string> exports;  ///< of the first deployment; "all" for every word
  sizing::LaunchNames deploy;
  bool explain = false;
};

/// Row of `prices` for a GPU.
std::optional<std::size_t> price_row(const ServingSearchRequest& request, const Gpu& gpu);

void describe(FieldVisitor& visitor, const Catalog& catalog, ServingSearchRequest& request);

Answer answer_serving_search(const Asked& asked, const ServingSearchRequest& request);

/// Its fields.
void describe_serving_search_answer(AnswerShape& v);

}  // namespace podwright
