#include "api/check_serving_request.h"
#include "api/describe_egress.h"
#include "api/describe_head.h"
#include "api/describe_training_options.h"
#include "api/duplicates.h"
#include "api/host_calibration_text.h"
#include "api/requests.h"
#include "base/math.h"
#include "base/number_text.h"
#include "plan/growth.h"
#include "sizing/workload.h"

namespace podwright {
namespace {

/// Where owned machines may stand: somewhere.
constexpr std::array kOwnedWords{kFacilityModeWords[0], kFacilityModeWords[1], kFacilityModeWords[2]};

void describe_serving(FieldVisitor& v, const Catalog& catalog, const std::optional<Model>& model, ServingNeed& w) {
  v.number(
      {.key = "peak_requests_per_s", .help = "Requests per second at the peak", .required = true, .range = {1e-6, 1e9}},
      w.peak_requests_per_s);
  v.number({.key = "mean_requests_per_s", .help = "Requests per second on average", .range = {0, 1e9}},
           w.mean_requests_per_s);
  v.count({.key = "input_tokens", .help = "Prompt tokens of a request", .required = true, .range = {1, 1e8}},
          w.input_tokens);
  v.count({.key = "output_tokens", .help = "Generated tokens of a request", .required = true, .range = {1, 1e8}},
          w.output_tokens);
  v.number({.key = "ttft_s_p95_max", .help = "Longest time to the first token, 95th percentile, s", .range = kPositive},
           w.ttft_s_max);
  v.number({.key = "tpot_s_p95_max", .help = "Longest time per output token, 95th percentile, s", .range = kPositive},
           w.tpot_s_max);
  v.word({.key = "engine", .help = "Serving engine", .default_source = kConvention, .aliases = "engines"}, w.engine,
         ids(catalog.engines));
  v.words({.key = "weight_precisions",
           .help = "Weight formats that may be used; absent: the model's own and fp8 where the GPU computes it",
           .aliases = "precisions"},
          w.weight_precisions, ids(catalog.weight_formats));
  v.rule(!w.mean_requests_per_s || *w.mean_requests_per_s <= w.peak_requests_per_s, "mean_requests_per_s",
         "The mean is above the peak.", "Give a mean at or below peak_requests_per_s.");
  check_context(v, model, w.input_tokens, w.output_tokens, {});
}

void describe_training(FieldVisitor& v, TrainingNeed& w) {
  word(v, {.key = "method", .help = "Full training or adapters", .default_source = kConvention}, w.method,
       kTrainingMethodWords);
  v.number({.key = "tokens", .help = "Tokens to train on", .required = true, .range = {1, 1e18}}, w.tokens);
  v.number({.key = "deadline_days", .help = "Days until the run must be done", .required = true, .range = {1e-3, 1e5}},
           w.deadline_days);
  v.number({.key = "runs_per_year",
            .help = "How often a year the run happens",
            .range = {0, 1e6},
            .default_source = kConvention},
           w.runs_per_year);
  describe_batch(v, w.sequence_length, w.global_batch_size);
  word(v,
       {.key = "precision",
        .help = "Precision of the matrix products",
        .default_source = kConvention,
        .aliases = "precisions"},
       w.precision, kPrecisionWords);
  describe_interruptions(v, w.interruptions);
}

void describe_workload(FieldVisitor& v, const Catalog& catalog, PlanWorkload& w) {
  v.text({.key = "name", .help = "Name in the answer"}, w.name);
  v.model({.key = "model",
           .help = "Model: an id of the catalog, an object of the same shape, or a Hugging Face config.json",
           .required = true},
          w.model);
  word(v, {.key = "sovereignty", .help = "Where its data may be; absent: as in the constraints"}, w.sovereignty,
       kSovereigntyWords);
  std::size_t type = w.need.index();
  forms(v, {.key = "type", .help = "serving or training", .required = true}, type, sizing::kWorkloadTypeWords,
        [&](std::size_t chosen) {
          if (chosen == 0)
            describe_serving(v, catalog, w.model, w.need.emplace<ServingNeed>());
          else
            describe_training(v, w.need.emplace<TrainingNeed>());
        });
}

void check_growth(FieldVisitor& v, const PlanEconomics& e) {
  const double factor = growth_of_horizon(e.demand_growth_per_year, e.horizon_years);
  if (factor <= kMostGrowth) return;
  const double whole_years = std::floor(e.horizon_years);
  const double most = std::floor((math::pow(kMostGrowth, 1.0 / whole_years) - 1.0) * 100.0) / 100.0;
  v.rule(false, "demand_growth_per_year",
         "Demand would grow " + human_number(factor, 3) + " times over " + human_number(whole_years, 3) + " years.",
         "A growth of 20 % a year is 0.2; at most " + human_number(most, 4) + " for this horizon.");
}

void describe_workloads(FieldVisitor& v, const Catalog& catalog, std::vector<PlanWorkload>& all) {
  const std::size_t workloads = v.enter_list({.key = "workloads", .help = "What the GPUs must do", .required = true});
  for (std::size_t i = 0; i < workloads; ++i) {
    if (all.size() <= i) all.push_back({});
    v.enter_item(i);
    describe_workload(v, catalog, all[i]);
    v.leave_item();
    if (all[i].name.empty()) all[i].name = "workload-" + std::to_string(i + 1);
  }
  v.leave_list();
  std::vector<std::string> names;
  for (const PlanWorkload& workload : all) names.push_back(workload.name);
  v.problems(duplicate_names(names, "/workloads", "name"));
}

void describe_constraints(FieldVisitor& v, PlanConstraints& c) {
  v.enter({.key = "constraints", .help = "What is fixed in advance"});
  v.gpus(
      {.key = "gpus", .help = "GPUs to choose from; absent: the data-centre GPUs that come in a system of the catalog"},
      c.gpus);
  word(v, {.key = "ownership", .help = "Who builds and owns the machines", .default_source = kNotAsked}, c.ownership,
       kOwnershipWords);
  word(v, {.key = "fabric", .help = "Network between the nodes", .default_source = kNotAsked}, c.fabric,
       kFabricFamilyWords);
  v.number({.key = "rack_power_kw", .help = "Power of one rack, kW", .range = {0.1, 10000}}, c.rack_power_kw);
  v.flag({.key = "liquid_cooling", .help = "Liquid cooling is available", .default_source = kNotAsked},
         c.liquid_cooling);
  v.number({.key = "site_power_kw", .help = "Power of the site for this project, kW", .range = {0.1, 1e7}},
           c.site_power_kw);
  word(v, {.key = "sovereignty", .help = "Where data may be", .default_source = kNotAsked}, c.sovereignty,
       kSovereigntyWords);
  word(v, {.key = "services", .help = "Who runs it", .default_source = kConvention}, c.services, kServicesWords);
  v.number({.key = "budget_usd", .help = "Money for the purchase, USD", .range = kPositive}, c.budget_usd);
  v.flag({.key = "no_capital", .help = "Nothing can be bought up front", .default_source = kNotAsked}, c.no_capital);
  v.flag({.key = "no_staff", .help = "No one can look after machines", .default_source = kNotAsked}, c.no_staff);
  v.flag({.key = "sensitive_data",
          .help = "Data are regulated or secret, without a rule where they must be",
          .default_source = kNotAsked},
         c.sensitive_data);
  v.number({.key = "start_within_days", .help = "Days until the first use", .range = kNotNegative},
           c.start_within_days);
  v.flag({.key = "separate_workloads",
          .help = "No workload runs on GPUs of another; else training fills what serving leaves free",
          .default_source = kNotAsked},
         c.separate_workloads);
  v.leave();
}

void describe_economics(FieldVisitor& v, const Catalog& catalog, PlanEconomics& e) {
  std::vector<std::string> regions;
  for (const EnergyRegion& region : catalog.energy_regions) regions.push_back(region.id);
  v.enter({.key = "economics", .help = "Money and time"});
  v.number({.key = "horizon_years", .help = "Years of use", .range = {0.1, 30}, .default_source = kConvention},
           e.horizon_years);
  v.word({.key = "region", .help = "Region of the energy table", .default_source = kConvention}, e.region, regions);
  v.number({.key = "discount_rate", .help = "Yearly discount rate", .range = kShare, .default_source = kConvention},
           e.discount_rate);
  v.number({.key = "demand_growth_per_year",
            .help = "Yearly growth of demand, 0.2 is 20 %",
            .range = {-0.9, 10},
            .default_source = kNotAsked},
           e.demand_growth_per_year);
  v.number({.key = "electricity_usd_per_kwh",
            .help = "Price of electricity, USD/kWh; absent: the region's price",
            .range = {0, 10}},
           e.electricity_usd_per_kwh);
  describe_mean_power(v, e.load, e.pue);
  v.number({.key = "residual_fraction",
            .help = "Share of the servers' price left at the horizon; absent: the resale bands of the catalog",
            .range = kShare},
           e.residual_fraction);
  word(v,
       {.key = "facility",
        .help = "Where owned machines are housed; sunk: in an existing building that is paid for",
        .default_source = "rented space, so that no building is taken for free"},
       e.facility, kOwnedWords);
  v.number({.key = "storage_tb",
            .help = "Usable storage for all workloads, TB; absent: none is counted",
            .range = kPositive},
           e.storage_tb);
  v.number({.key = "storage_usd_per_gb_month",
            .help = "Its price in a cloud, USD per GB and month; absent: the provider's in the catalog",
            .range = kNotNegative},
           e.storage_usd_per_gb_month);
  describe_egress(v, e.egress);
  word(v,
       {.key = "license",
        .help = "Software whose licence every GPU has, owned or rented",
        .default_source = "free engines; a licence counts on both sides alike, docs/method/decision.md#ways"},
       e.license, kLicenceWords);
  v.number({.key = "cloud_support_fraction",
            .help = "Support plan of the cloud as a share of its bill",
            .range = kShare,
            .default_source = kNotAsked},
           e.cloud_support_fraction);
  v.number({.key = "cloud_support_usd_per_month",
            .help = "Support plan of the cloud, USD per month",
            .range = kNotNegative,
            .default_source = kNotAsked},
           e.cloud_support_usd_per_month);
  v.number({.key = "gpu_hours_per_failure",
            .help = "GPU-hours per failure; absent: those of the closest fleet in the catalog",
            .range = kPositive},
           e.gpu_hours_per_failure);
  v.number({.key = "repair_hours",
            .help = "Hours from a failure of an owned machine until it is back; absent: no availability, no spares",
            .range = {0.01, 8760}},
           e.repair_hours);
  v.number({.key = "rent_change_per_year",
            .help = "Yearly change of the price of rented GPUs, -0.1 is a fall of 10 %",
            .range = {-0.9, 1},
            .default_source = kNotAsked},
           e.rent_change_per_year);
  v.number({.key = "migration_friction_usd_per_gpu_hour",
            .help = "What moving work between owned and rented GPUs costs, USD per owned GPU-hour",
            .range = kNotNegative,
            .default_source = kNotAsked},
           e.migration_friction_usd_per_gpu_hour);
  check_growth(v, e);
  v.leave();
}

void describe_options(FieldVisitor& v, PlanOptions& o) {
  v.enter({.key = "options", .help = "How the answer is made"});
  v.count({.key = "top", .help = "Maximum number of plans in the answer", .range = {1, 100}}, o.top);
  v.count({.key = "draws",
           .help = "Draws of the Monte Carlo for the cost of the first plan; 0: none",
           .range = {0, 1e7},
           .default_source = "docs/method/uncertainty.md#draws"},
          o.draws);
  v.count({.key = "seed", .help = "Seed of the Monte Carlo", .range = {0, 9e15}, .default_source = kConvention},
          o.seed);
  describe_explain(v, o.explain);
  v.flag({.key = "roofline", .help = "Also give the steps of serving workloads under the roofs of the GPU"},
         o.roofline);
  v.leave();
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, PlanRequest& r) {
  describe_head(v, "plan");
  describe_workloads(v, catalog, r.workloads);
  describe_constraints(v, r.constraints);
  describe_economics(v, catalog, r.economics);
  describe_options(v, r.options);
  describe_calibration(v);
}

}  // namespace podwright
