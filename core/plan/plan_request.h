#pragma once
/// What a planner asks for: workloads, constraints, economics. The contract's `plan` request with names resolved.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/site_terms.h"
#include "cost/cloud_data.h"
#include "cost/ownership_prices.h"
#include "cost/quote.h"
#include "memory/serving_run.h"
#include "memory/training_run.h"
#include "perf/calendar_request.h"
#include "sizing/launch_names.h"

namespace podwright {

/// How the load of a workload is given: as users or as tokens of a day, or neither where it is a rate of requests.
struct LoadNeed {
  std::optional<double> users;           ///< at the busiest time
  double think_time_s = 0;               ///< from an answer to the next request of the user
  std::optional<double> tokens_per_day;  ///< of prompts and answers
  std::optional<double> peak_over_mean;
};

struct ServingNeed {
  LoadNeed load;
  double peak_requests_per_s = 0;             ///< what the load comes to
  std::optional<double> mean_requests_per_s;  ///< absent: as the peak
  double input_tokens = 0;
  double output_tokens = 0;
  std::optional<double> input_tokens_cv;   ///< standard deviation over mean; absent: as usual
  std::optional<double> output_tokens_cv;  ///< the same
  std::optional<double> ttft_s_max;        ///< time to first token, 95th percentile
  std::optional<double> tpot_s_max;        ///< time per output token, 95th percentile
  double prefix_hit_ratio = 0;
  std::optional<TrafficPattern> traffic;  ///< what prefix_hit_ratio follows from, where it is not given
  std::optional<double> replica_start_s;  ///< of a rented one, until it answers; absent: replica_start()
  std::string engine = "vllm";
  Tuning tuning = Tuning::typical;
  std::vector<std::string> weight_precisions;  ///< allowed; empty: 16 bit and fp8 where the GPU computes it
  std::optional<Speculative> draft;            ///< beside running without one; its draft_tokens are chosen
  std::vector<double> draft_tokens;            ///< to choose from
};

struct TrainingNeed {
  TrainingMethod method = TrainingMethod::full;
  double tokens = 0;
  double deadline_days = 0;
  double runs_per_year = 1;
  double sequence_length = 4096;
  double global_batch_size = 256;
  Precision precision = Precision::bf16;
  Tuning tuning = Tuning::typical;
  CalendarRequest interruptions;  ///< checkpoints, restarts and stragglers alone
};

struct PlanWorkload {
  std::string name;
  std::optional<Model> model;
  std::optional<Sovereignty> sovereignty;        ///< absent: that of the constraints
  std::variant<ServingNeed, TrainingNeed> need;  ///< in the order of kWorkloadTypeWords

  /// Null where the workload is of the other type.
  const ServingNeed* serving() const { return std::get_if<ServingNeed>(&need); }
  const TrainingNeed* training() const { return std::get_if<TrainingNeed>(&need); }
};

struct PlanConstraints {
  std::vector<Gpu> gpus;  ///< candidates; empty: the data-centre GPUs of the catalog that come in a catalog system
  Ownership ownership = Ownership::any;
  FabricFamily fabric = FabricFamily::any;
  std::optional<double> max_gpus;  ///< that one workload may have; absent: as many as the search tries
  std::optional<double> rack_power_kw;
  bool liquid_cooling = true;
  std::optional<double> site_power_kw;
  Sovereignty sovereignty = Sovereignty::none;
  Services services = Services::self;
  std::optional<double> budget_usd;           ///< for the purchase
  std::optional<double> budget_usd_per_year;  ///< for everything, level over the horizon
  bool no_capital = false;                    ///< nothing can be bought up front
  bool no_staff = false;                      ///< no one can look after machines
  bool sensitive_data = false;                ///< regulated or secret, without a rule where it must be
  std::optional<double> start_within_days;
  double confidence = 0.8;          ///< probability with which every limit on latency and every deadline is kept
  bool separate_workloads = false;  ///< no workload runs on another's GPUs
  double spare_machines = 0;        ///< that may fail at once while the others carry the work
  double maintenance_share = 0;     ///< of the GPUs, that is out for maintenance at any time
  double sites = 1;                 ///< that share the load of serving; all else is of one of them
  bool survives_site_loss = false;  ///< the others carry the whole load when one is lost
  std::optional<double> site_round_trip_s;  ///< between sites; absent: not known
  /// That carry the whole load.
  double carrying_sites() const { return survives_site_loss ? sites - 1 : sites; }
};

struct PlanEconomics {
  double horizon_years = 4;
  std::string region = "USA";
  double discount_rate = 0.08;
  double demand_growth_per_year = 0;
  std::optional<double> electricity_usd_per_kwh;    ///< absent: the region's price in the catalog
  std::optional<double> load;                       ///< mean over maximum power of the machines; absent: plan_load()
  double pue = 1.3;                                 ///< facility power over machine power
  std::optional<double> residual_fraction;          ///< of the servers' price, at the horizon; absent: the resale curve
  double servers_discount = 0;                      ///< off the catalog's price of systems
  std::optional<double> installation_fraction;      ///< of the servers' price, beside the network; absent: by size
  std::optional<double> spares_fraction;            ///< of the servers' price; absent: none are kept
  std::optional<double> support_fraction_per_year;  ///< of the servers' price; absent: by size
  std::optional<double> staff_fte;                  ///< full-time people for the owned machines; absent: by size
  std::optional<double> staff_usd_per_year;         ///< of one; absent: the catalog's
  std::optional<double> network_usd_per_gpu;        ///< of the compute network; absent: of the design
  FacilityMode facility = FacilityMode::colocation;   ///< where owned machines stand
  std::optional<double> colocation_usd_per_kw_month;  ///< absent: the catalog's
  std::optional<double> storage_tb;                   ///< usable, for all workloads
  std::optional<double> storage_usd_per_gb_month;     ///< of the cloud; absent: the provider's in the catalog
  EgressRequest egress;                               ///< of the cloud
  PricePolicy price_policy;                           ///< of rented machines
  Licence license = Licence::none;                    ///< of every GPU, owned or rented
  double cloud_support_fraction = 0;                  ///< of the bill
  double cloud_support_usd_per_month = 0;
  std::optional<double> gpu_hours_per_failure;     ///< absent: of the fleet in the catalog that stands closest
  std::optional<double> repair_hours;              ///< from a failure of a machine until it is back
  double rent_change_per_year = 0;                 ///< of the price of rented GPUs
  double migration_friction_usd_per_gpu_hour = 0;  ///< of moving work between owned and rented GPUs
};

struct PlanOptions {
  double top = 5;
  double draws = 20000;  ///< 0: no Monte Carlo
  double seed = 1;
  bool explain = false;
  bool roofline = false;  ///< with the steps of serving workloads under the roofs of the GPU
  bool launch = false;    ///< with how each workload is started
};

/// What a plan is asked for: the least cost of its workloads, or the most of one that its limits give.
enum class PlanGoal { least_cost, largest_load, shortest_run, largest_model };
inline constexpr std::array<std::string_view, 4> kPlanGoalWords{"least-cost", "largest-load", "shortest-run",
                                                                "largest-model"};

struct PlanRequest {
  PlanGoal goal = PlanGoal::least_cost;
  std::vector<PlanWorkload> workloads;
  std::vector<Quote> quotes;
  PlanConstraints constraints;
  PlanEconomics economics;
  PlanOptions options;
  std::vector<std::string> exports;  ///< files that start the first training workload of the first plan
  sizing::TrainingNames deploy;      ///< what they name
};

/// True where a workload answers requests.
inline bool serves(const PlanRequest& request) {
  for (const PlanWorkload& workload : request.workloads)
    if (workload.serving() != nullptr) return true;
  return false;
}

inline bool trains(const PlanRequest& request) {
  for (const PlanWorkload& workload : request.workloads)
    if (workload.training() != nullptr) return true;
  return false;
}

}  // namespace podwright
