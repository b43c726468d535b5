#pragma once
/// The `cost` request: what owning and renting the same GPUs costs. Prices and uses that are given; the rest comes from
/// the catalog. Plain data; quantities are in the units of their keys.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "catalog/site_terms.h"
#include "cost/cloud_data.h"
#include "cost/cost_inputs.h"
#include "cost/owned_side.h"
#include "cost/ownership_prices.h"
#include "cost/rent.h"

namespace podwright {

/// Where the machines stand.
struct CostFacility {
  FacilityMode mode = FacilityMode::none;
  std::optional<double> committed_kw;      ///< colocation; absent: the machines' power
  std::optional<double> usd_per_kw_month;  ///< colocation; absent: the catalog's price
  bool power_included = false;             ///< colocation: electricity is in the price
  double building_usd_per_w = 0;           ///< own building, per watt of the machines
  double building_years = 20;
  double building_usd_per_w_month = 0.05;  ///< its operation
  double occupancy = 1;                    ///< share of the building in use; its fixed costs are divided by it
};

enum class TaxMethod { none, straight_line, macrs, bonus };
inline constexpr std::array<std::string_view, 4> kTaxMethodWords{"none", "straight-line", "macrs", "bonus"};

struct ResidualPoint {
  double age_years = 0;
  double fraction = 0;  ///< of the servers' price
};

struct CostOnPremises {
  double servers_usd = 0;
  double network_usd = 0;
  double storage_usd = 0;
  double installation_usd = 0;
  double installation_fraction = 0;  ///< of `servers_usd`, beside installation_usd
  double spares_usd = 0;
  double residual_fraction = 0;                ///< of `servers_usd`, at the horizon
  std::vector<ResidualPoint> residual_by_age;  ///< in place of residual_fraction; rising age
  std::optional<double> next_generation_age_years;
  double next_generation_loss = 0;  ///< share of the value lost when the next generation ships
  double network_residual_fraction = 0;
  double storage_residual_fraction = 0;
  CapitalMethod capital = CapitalMethod::annuity;
  TaxMethod tax = TaxMethod::none;
  double tax_rate = 0;

  double it_power_kw = 0;  ///< all machines at full load
  double load = kMeanLoad;
  double pue = 1.3;
  std::optional<double> electricity_usd_per_kwh;  ///< absent: the region's; 0 without a region
  std::string region;                             ///< of the energy table
  std::optional<double> usd_per_currency;         ///< for regions priced in another currency
  double electricity_escalation_per_year = 0;
  CostFacility facility;
  double support_fraction_per_year = 0;  ///< of `servers_usd`
  double license_usd_per_gpu_year = 0;
  double staff_fte = 0;
  double staff_usd_per_year = 0;
  double network_usd_per_year = 0;  ///< links to the outside
  double decommissioning_usd = 0;   ///< at the horizon
};

/// Interruptions of spot machines, as the one who rents them sees them.
struct CostSpot {
  double interruptions_per_hour = 0;
  double checkpoint_s = 0;
  double restart_s = 0;
  std::optional<double> checkpoint_interval_s;  ///< absent: the best one
};

struct CostCloud {
  std::optional<double> usd_per_gpu_hour;  ///< absent: by the policy, from the catalog
  RentTerm term = RentTerm::on_demand;
  std::optional<double> commitment_years;  ///< absent: those of the term
  std::string region;
  PricePolicy policy;  ///< its day and its age are those of the request
  double min_instance_gpus = 1;
  double price_change_per_year = 0;
  double discount = 0;
  std::optional<CostSpot> spot;
  double license_usd_per_gpu_hour = 0;
  double storage_gb = 0;
  std::optional<double> storage_usd_per_gb_month;  ///< absent: the provider's in the catalog
  EgressRequest egress;
  double support_fraction = 0;  ///< of the bill
  double support_usd_per_month = 0;
};

struct CostHostedApi {
  double input_usd_per_million_tokens = 0;
  std::optional<double> cached_input_usd_per_million_tokens;  ///< absent: as any input
  double output_usd_per_million_tokens = 0;
  std::optional<double> output_share;  ///< absent: by the rates of `workload`
  double cached_share = 0;
  double discount = 0;
  std::optional<double> tokens_per_month;  ///< absent: by the rates of `workload` and the utilisation
  std::optional<double> input_tokens_per_request;
  std::optional<double> output_tokens_per_request;
};

/// What the GPUs do while they are in use, all of them together.
struct CostWorkload {
  std::optional<double> input_tokens_per_s;
  std::optional<double> output_tokens_per_s;
  std::optional<double> requests_per_s;
  std::optional<double> training_gpu_hours;  ///< of one run without failures
  double goodput = 1;                        ///< of that run
};

/// Share of the time in which demand is above a number of GPUs.
struct CostDemandPoint {
  double gpus = 0;
  double share_of_time = 0;
};

/// Work that may not go everywhere.
struct CostDemandWorkload {
  std::string name;
  double gpus = 0;
  double share_of_time = 1;
  Sovereignty sovereignty = Sovereignty::none;
  bool burst = false;  ///< comes and goes; steady otherwise
};

struct CostDemand {
  std::vector<CostDemandPoint> curve;  ///< rising GPUs, falling shares, straight between the points
  std::vector<CostDemandWorkload> workloads;
  double migration_friction_usd_per_gpu_hour = 0;
};

struct CostRange {
  std::optional<double> low;
  std::optional<double> high;
};
/// What the Monte Carlo draws and the tornado moves, named as in the request.
struct CostRangeWord {
  std::string_view name;
  CostInput input;
};
inline constexpr std::array<CostRangeWord, 13> kCostRanges{{{"utilization", CostInput::utilization},
                                                            {"horizon_years", CostInput::life_years},
                                                            {"discount_rate", CostInput::discount_rate},
                                                            {"servers_usd", CostInput::servers},
                                                            {"network_usd", CostInput::network},
                                                            {"residual_fraction", CostInput::residual_fraction},
                                                            {"pue", CostInput::pue},
                                                            {"electricity_usd_per_kwh", CostInput::electricity_price},
                                                            {"support_fraction_per_year", CostInput::support_fraction},
                                                            {"license_usd_per_gpu_year", CostInput::license_per_gpu},
                                                            {"staff_fte", CostInput::staff_fte},
                                                            {"usd_per_gpu_hour", CostInput::rent_per_gpu},
                                                            {"price_change_per_year", CostInput::rent_growth}}};

struct CostUncertainty {
  double draws = 20000;
  double seed = 1;
  std::optional<double> price_utilization_correlation;
  std::array<CostRange, kCostRanges.size()> ranges{};  ///< in the order of kCostRanges
};

struct CostCarbon {
  std::optional<double> grid_gco2_per_kwh;  ///< absent: that of on_premises.region
  std::optional<double> embodied_kg_per_gpu;
};

/// A training run on the fleet. Every failure of one of its GPUs stops it.
struct CostFleetRun {
  std::optional<double> gpu_count;  ///< absent: all
  double checkpoint_s = 0;
  std::optional<double> restart_s;              ///< absent: the catalog's figure
  std::optional<double> checkpoint_interval_s;  ///< absent: the best one
};

struct CostFleet {
  double gpus_per_server = 8;
  std::optional<double> gpu_hours_per_failure;  ///< absent: of a published fleet
  double repair_hours = 0;
  double spare_deviations = 1.645;
  std::optional<CostFleetRun> run;
};

/// A break-even that somebody published, to be solved for the price of the cloud.
struct PublishedBreakEven {
  std::string name;
  double capex_usd = 0;
  double operation_usd_per_hour = 0;
  double break_even_months = 0;
  double hours_per_month = 730;
};

struct CostRequest {
  double gpu_count = 0;
  std::optional<Gpu> gpu;
  double horizon_years = 4;
  double discount_rate = 0.08;
  double utilization = 0.6;
  std::string as_of{kPriceDay};  ///< day from which ages of prices count
  double stale_days = kMostAgeDays;
  double top = 10;  ///< rows of the market for each term
  std::optional<CostOnPremises> on_premises;
  std::optional<CostCloud> cloud;
  std::optional<CostHostedApi> hosted_api;
  std::optional<CostWorkload> workload;
  std::optional<CostDemand> demand;
  std::vector<PublishedBreakEven> published_break_evens;
  CostUncertainty uncertainty;
  std::optional<CostCarbon> carbon;
  std::optional<CostFleet> fleet;
  std::vector<std::string> exports;  ///< files beside the answer
  double export_days = 365;          ///< that a table of days is written for, from `as_of` on
  bool explain = false;
};

inline constexpr std::array<std::string_view, 1> kCostExportWords{"focus"};

void describe(FieldVisitor& visitor, const Catalog& catalog, CostRequest& request);

Answer answer_cost(const Asked& asked, const CostRequest& request);

/// Its fields.
void describe_cost_answer(AnswerShape& v);

/// Parts of the table.
void describe(FieldVisitor& visitor, const Catalog& catalog, CostOnPremises& owned);
/// `has_gpu`: the request names a GPU whose prices the catalog may have.
void describe(FieldVisitor& visitor, const Catalog& catalog, CostCloud& cloud, bool has_gpu);
/// `has_rates`: the request's workload says how many tokens come in and go out.
void describe(FieldVisitor& visitor, CostHostedApi& hosted, bool has_rates);

}  // namespace podwright
