#pragma once
/// What a planner asks for: workloads, constraints, economics. The contract's `plan` request with names resolved.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "memory/training_run.h"

namespace podwright {

enum class WorkloadType { serving, training };
inline constexpr std::array<std::string_view, 2> kWorkloadTypeWords{"serving", "training"};

struct PlanWorkload {
  std::string name;
  WorkloadType type = WorkloadType::serving;
  std::optional<Model> model;

  // serving
  double peak_requests_per_s = 0;
  std::optional<double> mean_requests_per_s;  ///< absent: as the peak
  double input_tokens = 0;
  double output_tokens = 0;
  std::optional<double> ttft_s_max;  ///< time to first token, 95th percentile
  std::optional<double> tpot_s_max;  ///< time per output token, 95th percentile
  std::string engine = "vllm";
  std::vector<std::string> weight_precisions;  ///< allowed; empty: 16 bit and fp8 where the GPU computes it

  // training
  TrainingMethod method = TrainingMethod::full;
  double tokens = 0;
  double deadline_days = 0;
  double runs_per_year = 1;
  double sequence_length = 4096;
  double global_batch_size = 256;
  Precision precision = Precision::bf16;
};

struct PlanConstraints {
  std::vector<Gpu> gpus;  ///< candidates; empty: the data-centre GPUs of the catalog that come in a catalog system
  std::string ownership = "any";
  std::string fabric = "any";
  std::optional<double> rack_power_kw;
  bool liquid_cooling = true;
  std::optional<double> site_power_kw;
  std::string sovereignty = "none";
  std::string services = "self";
  std::optional<double> budget_usd;
};

struct PlanEconomics {
  double horizon_years = 4;
  std::string region = "USA";
  double discount_rate = 0.08;
  double demand_growth_per_year = 0;
  std::optional<double> electricity_usd_per_kwh;  ///< absent: the region's price in the catalog
  double load = 0.75;                             ///< mean over maximum power of the machines
  double pue = 1.3;                               ///< facility power over machine power
  double residual_fraction = 0.2;                 ///< of the servers' price, at the horizon
};

struct PlanOptions {
  double top = 5;
  std::optional<double> draws;
  std::optional<double> seed;
  bool explain = false;
};

struct PlanRequest {
  std::vector<PlanWorkload> workloads;
  PlanConstraints constraints;
  PlanEconomics economics;
  PlanOptions options;
};

/// True where a workload answers requests.
inline bool serves(const PlanRequest& request) {
  for (const PlanWorkload& workload : request.workloads)
    if (workload.type == WorkloadType::serving) return true;
  return false;
}

}  // namespace podwright
