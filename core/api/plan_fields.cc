#include "api/common_fields.h"
#include "api/requests.h"
#include "api/serving_fields.h"
#include "api/training_exports.h"
#include "api/training_fields.h"
#include "base/math.h"
#include "base/number_text.h"
#include "catalog/price_problems.h"
#include "plan/asked_load.h"
#include "plan/growth.h"
#include "plan/rent_offers.h"
#include "sizing/workload.h"

namespace podwright {
namespace {

/// Where owned machines may stand: somewhere.
constexpr std::array kOwnedWords{kFacilityModeWords[0], kFacilityModeWords[1], kFacilityModeWords[2]};

/// Peak over mean where tokens of a day are all that is known: the days of the catalog's traffic have 1.3 to 2.2.
constexpr double kUsualPeakOverMean = 2;
constexpr Range kRates = within(1e-6, 1e9);

/// Traffic and limits are known.
void describe_mean(FieldVisitor& v, ServingNeed& w) {
  LoadNeed& load = w.load;
  Field ratio{"peak_over_mean", "Rate at the busiest time over the mean; absent: of the mean that is given",
              within(1, 1000)};
  const bool hours = w.traffic && !w.traffic->hours.empty();
  if (load.tokens_per_day) {
    load.peak_over_mean = hours ? 1 / mean_over_peak(*w.traffic) : kUsualPeakOverMean;
    ratio.default_source = hours ? "the hours of traffic" : "between the days of published traffic";
  }
  v.number(ratio, load.peak_over_mean);
  NoTrace none;
  const bool timed = w.ttft_s_max && w.tpot_s_max;
  if (load.users && timed) w.peak_requests_per_s = raw(peak_requests(none, w));
  if (load.tokens_per_day) w.peak_requests_per_s = raw(peak_requests(none, w));
  if (hours && !load.peak_over_mean) w.mean_requests_per_s = w.peak_requests_per_s * mean_over_peak(*w.traffic);
  v.number(
      {"mean_requests_per_s", "Requests per second on average; absent: that of the hours of traffic, else the peak",
       within(0, 1e9), "the hours of traffic, of which the busiest has the peak"},
      w.mean_requests_per_s);
  v.rule(!load.users || timed, "users", "How many requests the users send follows from how long their answers take.",
         "Give ttft_s_p95_max and tpot_s_p95_max, or the load as peak_requests_per_s.");
  v.rule(!w.mean_requests_per_s || !load.peak_over_mean, "peak_over_mean",
         "\"mean_requests_per_s\" and \"peak_over_mean\" or \"tokens_per_day\" both say what the mean is.",
         "Leave one of them out.");
  v.rule(!w.mean_requests_per_s || *w.mean_requests_per_s == 0 || *w.mean_requests_per_s >= kRates.min,
         "mean_requests_per_s", "A mean above 0 must be at least 0.000001 requests/s.", "Give more, or 0.");
  if (const auto mean = mean_requests(none, w); mean && load.peak_over_mean) w.mean_requests_per_s = raw(*mean);
  v.rule(!w.mean_requests_per_s || *w.mean_requests_per_s <= w.peak_requests_per_s, "mean_requests_per_s",
         "The mean is above the peak.", "Give a mean at or below peak_requests_per_s.");
  v.rule(kRates.min <= w.peak_requests_per_s && w.peak_requests_per_s <= kRates.max,
         load.users ? "users" : "tokens_per_day",
         "The load comes to " + human_number(w.peak_requests_per_s, 3) + " requests/s at the peak.",
         "It must come to between 0.000001 and 1000000000 requests/s.");
}

/// One way to give the load.
void describe_load(FieldVisitor& v, ServingNeed& w) {
  std::optional<double> peak;
  v.number({"peak_requests_per_s", "Requests per second at the peak; or users, or tokens_per_day", kRates}, peak);
  v.number({"users",
            "People who use it at once at the busiest time, each with a request in work or thinking about its answer",
            within(1e-3, 1e12)},
           w.load.users);
  Field think{"think_time_s", "From an answer to the next request of the same user, mean, s", within(0, 1e6)};
  if (v.has("users")) think.default_source = kPlainCase;
  v.number(think, w.load.think_time_s);
  v.number({"tokens_per_day", "Tokens of all prompts and answers of a day", within(1, 1e18)}, w.load.tokens_per_day);
  v.rule(peak.has_value() + w.load.users.has_value() + w.load.tokens_per_day.has_value() == 1, "peak_requests_per_s",
         "Exactly one of \"peak_requests_per_s\", \"users\" and \"tokens_per_day\" must be given.",
         "Write {\"peak_requests_per_s\": r}, {\"users\": n} or {\"tokens_per_day\": n}.");
  w.peak_requests_per_s = peak.value_or(0);
}

void describe_serving(FieldVisitor& v, const Catalog& catalog, const std::optional<Model>& model, ServingNeed& w) {
  describe_load(v, w);
  TrafficDefaults known = describe_traffic(v, catalog, w.traffic);
  describe_lengths(v, model, known, w.input_tokens, w.output_tokens);
  describe_spread(v, kInputSpread, known.input, w.input_tokens_cv);
  describe_spread(v, kOutputSpread, known.output, w.output_tokens_cv);
  describe_prefix_hits(v, known, w.traffic && shares_prompts(*w.traffic), w.prefix_hit_ratio);
  check_traffic(v, w.traffic, w.input_tokens, w.output_tokens, w.prefix_hit_ratio);
  v.number({"replica_start_s",
            "From starting a rented instance until its replica answers, s; absent: instance, engine and loading of the "
            "weights as published",
            within(0, 3600), "docs/method/decision.md#hours-of-the-day"},
           w.replica_start_s);
  v.number({"ttft_s_p95_max", "Longest time to the first token, 95th percentile, s", kPositive}, w.ttft_s_max);
  v.number({"tpot_s_p95_max", "Longest time per output token, 95th percentile, s", kPositive}, w.tpot_s_max);
  describe_mean(v, w);
  v.word({"engine", "Serving engine", kConvention, Aliases{"engines"}}, w.engine, ids(catalog.engines));
  describe_tuning(v, w.tuning);
  v.words({"weight_precisions",
           "Weight formats that may be used; absent: the model's own and fp8 where the GPU computes it",
           Aliases{"precisions"}},
          w.weight_precisions, ids(catalog.weight_formats));
  describe_draft(v, w.draft, w.draft_tokens);
  check_context(v, model, w.input_tokens, w.output_tokens, {});
}

void describe_training(FieldVisitor& v, TrainingNeed& w) {
  word(v, {"method", "Full training or adapters", kConvention}, w.method, kTrainingMethodWords);
  v.number({"tokens", "Tokens to train on", kRequired, within(1, 1e18)}, w.tokens);
  v.number({"deadline_days", "Days until the run must be done", kRequired, within(1e-3, 1e5)}, w.deadline_days);
  v.number({"runs_per_year", "How often a year the run happens", within(0, 1e6), kConvention}, w.runs_per_year);
  describe_batch(v, w.sequence_length, w.global_batch_size);
  word(v, {"precision", "Precision of the matrix products", kConvention, Aliases{"precisions"}}, w.precision,
       kPrecisionWords);
  describe_tuning(v, w.tuning);
  describe_interruptions(v, w.interruptions);
}

void describe_workload(FieldVisitor& v, const Catalog& catalog, PlanWorkload& w) {
  v.text({"name", "Name in the answer"}, w.name);
  describe_model(v, w.model);
  word(v, {"sovereignty", "Where its data may be; absent: as in the constraints"}, w.sovereignty, kSovereigntyWords);
  std::size_t type = w.need.index();
  forms(v, {"type", "serving or training", kRequired}, type, sizing::kWorkloadTypeWords, [&](std::size_t chosen) {
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

void describe_goal(FieldVisitor& v, PlanRequest& r) {
  word(v,
       {"goal",
        "The least cost, or the most of one workload that the limits give; a largest model is at least the one named",
        kNotAsked},
       r.goal, kPlanGoalWords);
  if (r.goal == PlanGoal::least_cost) return;
  const PlanConstraints& c = r.constraints;
  v.rule(c.budget_usd_per_year || c.budget_usd || c.site_power_kw, "goal", "Nothing bounds the goal.",
         "Give constraints a budget_usd_per_year, a budget_usd or a site_power_kw.");
  v.rule(r.workloads.size() <= 1, "goal", "There are several workloads.", "The most can be asked of one workload.");
  if (r.workloads.size() != 1) return;
  const bool trains = r.workloads.front().training() != nullptr;
  v.rule(r.goal != PlanGoal::largest_load || !trains, "goal", "The workload trains, so it has no load.",
         "For training: shortest-run or largest-model.");
  v.rule(r.goal != PlanGoal::shortest_run || trains, "goal", "The workload serves, so it has no end.",
         "For serving: largest-load or largest-model.");
}

void describe_workloads(FieldVisitor& v, const Catalog& catalog, std::vector<PlanWorkload>& all) {
  list_of(v, {"workloads", "What the GPUs must do", kRequired, kWorkloads}, all,
          [&](PlanWorkload& workload) { describe_workload(v, catalog, workload); });
  complete_names(v, all, "/workloads");
}

void describe_rent_quote(FieldVisitor& v, RentQuote& rent) {
  v.count({"gpus_per_machine", "GPUs that one machine joins; whole machines are billed", kAtLeastOne, kConvention},
          rent.gpus_per_machine);
  v.flag({"cluster_network", "The machines share a cluster network", kPlainCase}, rent.cluster_network);
  v.text({"country", "Country of the machines, ISO 3166 alpha-3"}, rent.country);
  word(v, {"term", "How long the price binds", kConvention}, rent.term, kRentTermWords);
  v.number({"contract_days_least", "Shortest contract, days", within(1, 3660)}, rent.contract_days_least);
  v.number({"contract_days_most", "Longest contract, days", within(1, 3660)}, rent.contract_days_most);
  const bool contract = rent.term == RentTerm::contract;
  v.rule(contract == rent.contract_days_least.has_value(), "contract_days_least",
         "The term contract has a shortest contract, and no other term has one.",
         "Give contract_days_least with the term contract: the days that one lasts at least.");
  v.rule(contract == rent.contract_days_most.has_value(), "contract_days_most",
         "The term contract has a longest contract, and no other term has one.",
         "Give contract_days_most with the term contract: the days that one lasts at most.");
  v.rule(!rent.contract_days_least || !rent.contract_days_most || *rent.contract_days_least <= *rent.contract_days_most,
         "contract_days_most", "The longest contract is shorter than the shortest.",
         "Give contract_days_most from contract_days_least on.");
  v.number({"usd_per_gpu_hour", "Price of a GPU-hour, USD", kRequired, within(kLeastUsdPerGpuHour, kMostUsdPerGpuHour)},
           rent.usd_per_gpu_hour);
  v.count({"min_gpus", "Smallest order, GPUs", kAtLeastOne, kPlainCase}, rent.min_gpus);
}

void describe_quote(FieldVisitor& v, const Catalog& catalog, Quote& quote) {
  v.text({"name", "Name of the quote; no other has the same", kRequired}, quote.name);
  v.text({"provider", "Who quotes; an id of the price table takes its prices of data from there", kRequired},
         quote.provider);
  v.word({"gpu", "GPU of the machines", kRequired, Aliases{"gpus"}}, quote.gpu, ids(catalog.gpus));
  v.text({"as_of", "Day of the quote, e.g. 2026-10-01", kRequired}, quote.as_of);
  v.text({"valid_until", "Last day on which it holds; absent: not said"}, quote.valid_until);
  std::size_t type = quote.what.index();
  forms(v, {"type", "rent or server", kRequired}, type, kQuoteTypeWords, [&](std::size_t chosen) {
    if (chosen == 0) return describe_rent_quote(v, quote.what.emplace<RentQuote>());
    ServerQuote& server = quote.what.emplace<ServerQuote>();
    v.word({"system", "System that is quoted", kRequired, Aliases{"systems"}}, server.system, ids(catalog.systems));
    v.number({"usd_per_system", "Price of one, USD", kRequired, within(1000, 1e9)}, server.usd_per_system);
  });
  Errors problems;
  check_day(problems, "/as_of", quote.as_of);
  if (!quote.valid_until.empty()) check_day(problems, "/valid_until", quote.valid_until);
  v.problems(problems);
  if (!problems.empty()) return;
  v.rule(holds_on(quote, quote.as_of), "valid_until", "The quote ends before it begins.",
         "Give a day at or after as_of.");
  if (const RentQuote* rent = quote.rent()) {
    const EnergyRegion* country = row_with_id(catalog.energy_regions, rent->country);
    v.rule(rent->country.empty() || (country != nullptr && country->kind == "country"), "country",
           "\"" + rent->country + "\" is no country of the energy table.", "Three letters, such as USA or DEU.");
  }
  if (const ServerQuote* server = quote.server()) {
    const System* system = row_with_id(catalog.systems, server->system);
    v.rule(system == nullptr || quote.gpu.empty() || holds_gpu(*system, quote.gpu), "gpu",
           "The system " + server->system + " holds no such GPU.", "Name a GPU that it is built with.");
  }
}

void describe_quotes(FieldVisitor& v, const Catalog& catalog, std::vector<Quote>& quotes) {
  list_of(v, {"quotes", "Prices that you have been offered; they come before those of the catalog", within(0, 1000)},
          quotes, [&](Quote& quote) { describe_quote(v, catalog, quote); });
  std::vector<std::string> names;
  for (const Quote& quote : quotes) names.push_back(quote.name);
  check_names(v, names, "/quotes");
}

void describe_constraints(FieldVisitor& v, bool trains, PlanConstraints& c) {
  v.enter({"constraints", "What is fixed in advance"});
  v.gpus({"gpus", "GPUs to choose from; absent: the data-centre GPUs that come in a system of the catalog"}, c.gpus);
  v.count(
      {"max_gpus", "GPUs that one workload may have at most; absent: as many as the search tries", within(1, 16384)},
      c.max_gpus);
  word(v, {"ownership", "Who builds and owns the machines", kNotAsked}, c.ownership, kOwnershipWords);
  word(v, {"fabric", "Network between the nodes", kNotAsked}, c.fabric, kFabricFamilyWords);
  v.number({"rack_power_kw", "Power of one rack, kW", within(0.1, 10000)}, c.rack_power_kw);
  v.flag({"liquid_cooling", "Liquid cooling is available", kNotAsked}, c.liquid_cooling);
  v.number({"site_power_kw", "Power of the site for this project, kW", within(0.1, 1e7)}, c.site_power_kw);
  word(v, {"sovereignty", "Where data may be", kNotAsked}, c.sovereignty, kSovereigntyWords);
  word(v, {"services", "Who runs it", kConvention}, c.services, kServicesWords);
  v.number({"budget_usd", "Money for the purchase, USD", kPositive}, c.budget_usd);
  v.number({"budget_usd_per_year", "Money for a year, purchases as their annuity, USD", kPositive},
           c.budget_usd_per_year);
  v.flag({"no_capital", "Nothing can be bought up front", kNotAsked}, c.no_capital);
  v.flag({"no_staff", "No one can look after machines", kNotAsked}, c.no_staff);
  v.flag({"sensitive_data", "Data are regulated or secret, without a rule where they must be", kNotAsked},
         c.sensitive_data);
  v.number({"confidence", "Probability with which every limit on latency and every deadline is kept; 0.5: as predicted",
            within(0.5, 0.99), "docs/method/decision.md#confidence"},
           c.confidence);
  v.number({"start_within_days", "Days until the first use", kNotNegative}, c.start_within_days);
  v.flag({"separate_workloads", "No workload runs on GPUs of another; else training fills what serving leaves free",
          kNotAsked},
         c.separate_workloads);
  v.count({"spare_machines", "Machines that may be out at once while the others carry the work; N+1 is 1",
           within(0, 1000), kNotAsked},
          c.spare_machines);
  v.number({"maintenance_share", "Share of the GPUs in maintenance", within(0, 0.5), kNotAsked}, c.maintenance_share);
  v.count({"sites",
           "Sites that share the load of serving equally; budgets are of all, other amounts and limits of one site",
           within(1, 16), kNotAsked},
          c.sites);
  v.flag({"survives_site_loss", "The other sites carry the whole load when one is lost", kNotAsked},
         c.survives_site_loss);
  v.number(
      {"site_round_trip_s",
       "Round trip between two sites, s: what requests of a lost one wait longer; absent: not known", within(0, 10)},
      c.site_round_trip_s);
  v.rule(c.sites > 1 || !c.survives_site_loss, "survives_site_loss", "A single site has no other to carry its load.",
         "Give at least 2 sites.");
  v.rule(c.sites == 1 || !trains, "sites", "A training run cannot be spread over sites.",
         "Leave sites out, or plan the training by itself.");
  v.leave();
}

void describe_owning(FieldVisitor& v, PlanEconomics& e) {
  v.number({"servers_discount", "Discount on the catalog's price of systems, as a share of it", kShare, kNotAsked},
           e.servers_discount);
  v.number(
      {"installation_fraction",
       "Setting up the servers, as a share of their price, without the network; absent: by the size of the cluster",
       kNotNegative},
      e.installation_fraction);
  v.number({"spares_fraction", "Spare parts kept in stock, as a share of the servers' price; absent: none", kShare},
           e.spares_fraction);
  v.number({"support_fraction_per_year",
            "Yearly support of the servers as a share of their price; absent: by the size of the cluster", kShare},
           e.support_fraction_per_year);
  v.number(
      {"staff_fte", "Full-time people who look after owned machines; absent: by the size of the cluster", kNotNegative},
      e.staff_fte);
  v.number(
      {"network_usd_per_gpu",
       "Price of the compute network for each GPU, USD; absent: that of the design's items, else a rule", kNotNegative},
      e.network_usd_per_gpu);
  v.number({"staff_usd_per_year", "What one of them costs per year, USD; absent: the catalog's", kNotNegative},
           e.staff_usd_per_year);
}

/// `in_country`: data of a workload must stay in the country of the region.
void describe_economics(FieldVisitor& v, const Catalog& catalog, bool in_country, PlanEconomics& e) {
  v.enter({"economics", "Money and time"});
  v.number({"horizon_years", "Years of use", within(0.1, 30), kConvention}, e.horizon_years);
  v.word({"region", "Region of the energy table", kConvention}, e.region, ids(catalog.energy_regions));
  const EnergyRegion* region = row_with_id(catalog.energy_regions, e.region);
  v.rule(!in_country || region == nullptr || !country_of_region(catalog, e.region).empty(), "region",
         "Data must stay in a country or union (sovereignty in-country), and " +
             (region == nullptr ? "" : region->name) + " is none.",
         "Name a country, such as USA or DEU, a cloud's region in one, or EU27.");
  v.number({"discount_rate", "Yearly discount rate", kShare, kConvention}, e.discount_rate);
  v.number({"demand_growth_per_year", "Yearly growth of demand, 0.2 is 20 %", within(-0.9, 10), kNotAsked},
           e.demand_growth_per_year);
  v.number({"electricity_usd_per_kwh", "Price of electricity, USD/kWh; absent: the region's price", within(0, 10)},
           e.electricity_usd_per_kwh);
  v.number({"load",
            "Mean over maximum power of the machines; absent: what the predicted power of serving comes to, and 0.75 "
            "of training while it runs",
            within(0.01, 1)},
           e.load);
  describe_pue(v, e.pue);
  v.number({"residual_fraction",
            "Share of the servers' price left at the horizon; absent: the resale bands of the catalog", kShare},
           e.residual_fraction);
  describe_owning(v, e);
  word(v,
       {"facility", "Where owned machines are housed; sunk: in an existing building that is paid for",
        "rented space, so that no building is taken for free"},
       e.facility, kOwnedWords);
  v.number(
      {"colocation_usd_per_kw_month", "Price of a rented kilowatt per month, USD; absent: the catalog's", kNotNegative},
      e.colocation_usd_per_kw_month);
  v.rule(!e.colocation_usd_per_kw_month || e.facility == FacilityMode::colocation, "colocation_usd_per_kw_month",
         "No space is rented.", "Leave it out, or set facility to colocation.");
  v.number({"storage_tb", "Usable storage for all workloads, TB; absent: none is counted", kPositive}, e.storage_tb);
  v.number({"storage_usd_per_gb_month",
            "Its price in a cloud, USD per GB and month; absent: the provider's in the catalog", kNotNegative},
           e.storage_usd_per_gb_month);
  describe_egress(v, e.egress);
  describe_price_policy(v, catalog, e.price_policy);
  word(v,
       {"license", "Software whose licence every GPU has, owned or rented",
        "free engines; a licence counts on both sides alike, docs/method/decision.md#ways"},
       e.license, kLicenceWords);
  v.number({"cloud_support_fraction", "Support plan of the cloud as a share of its bill", kShare, kNotAsked},
           e.cloud_support_fraction);
  v.number({"cloud_support_usd_per_month", "Support plan of the cloud, USD per month", kNotNegative, kNotAsked},
           e.cloud_support_usd_per_month);
  v.number(
      {"gpu_hours_per_failure", "GPU-hours per failure; absent: those of the closest fleet in the catalog", kPositive},
      e.gpu_hours_per_failure);
  v.number(
      {"repair_hours", "Hours from a failure of an owned machine until it is back; absent: no availability, no spares",
       within(0.01, 8760)},
      e.repair_hours);
  v.number({"rent_change_per_year", "Yearly change of the price of rented GPUs, -0.1 is a fall of 10 %",
            within(-0.9, 1), kNotAsked},
           e.rent_change_per_year);
  v.number({"migration_friction_usd_per_gpu_hour",
            "What moving work between owned and rented GPUs costs, USD per owned GPU-hour", kNotNegative, kNotAsked},
           e.migration_friction_usd_per_gpu_hour);
  check_growth(v, e);
  v.leave();
}

void describe_options(FieldVisitor& v, PlanOptions& o) {
  v.enter({"options", "How the answer is made"});
  v.count({"top", "Maximum number of plans in the answer", within(1, 100)}, o.top);
  v.count({"draws", "Draws of the Monte Carlo for the cost of the first plan; 0: none", within(0, kMostDraws),
           "docs/method/uncertainty.md#draws"},
          o.draws);
  v.count({"seed", "Seed of the Monte Carlo", within(0, 9e15), kConvention}, o.seed);
  describe_explain(v, o.explain);
  v.flag({"roofline", "Also give the steps of serving workloads under the roofs of the GPU"}, o.roofline);
  v.flag({"launch", "Also give how each workload is started"}, o.launch);
  v.leave();
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, PlanRequest& r) {
  describe_head(v, "plan");
  describe_workloads(v, catalog, r.workloads);
  const bool trains = std::any_of(r.workloads.begin(), r.workloads.end(),
                                  [](const PlanWorkload& workload) { return workload.training() != nullptr; });
  describe_constraints(v, trains, r.constraints);
  describe_goal(v, r);
  describe_economics(v, catalog, in_country(r), r.economics);
  describe_quotes(v, catalog, r.quotes);
  describe_options(v, r.options);
  describe_training_exports(v, "the first training workload of the first plan", r.exports, r.deploy);
  v.rule(r.exports.empty() || trains, "exports", "No workload trains.", "A search writes the files that serve.");
  describe_calibration(v);
}

}  // namespace podwright
