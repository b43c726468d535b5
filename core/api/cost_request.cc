#include "api/cost_request.h"

#include "api/cost_request_parts.h"
#include "api/describe_head.h"
#include "api/duplicates.h"
#include "base/number_text.h"
#include "catalog/fact_date.h"

namespace podwright {
namespace {

void describe_terms(FieldVisitor& v, CostRequest& r) {
  v.count({.key = "gpu_count", .help = "GPUs that are needed", .required = true, .range = kAtLeastOne}, r.gpu_count);
  v.gpu({.key = "gpu", .help = "GPU: an id of the catalog or an object of the same shape; absent: prices are given"},
        r.gpu);
  v.number({.key = "horizon_years",
            .help = "Years of use",
            .range = {0.1, 30},
            .default_source = "economic life behind the published cost of an owned GPU-hour "
                              "(semianalysis-inferencex-tco)"},
           r.horizon_years);
  v.number({.key = "discount_rate",
            .help = "Yearly discount rate",
            .range = {0, 0.99},
            .default_source = "The Datacenter as a Computer, 4th edition, chapter 8"},
           r.discount_rate);
  v.number({.key = "utilization",
            .help = "Share of the time in which the GPUs are in use",
            .range = {0.001, 1},
            .default_source = "likeliest value of the range 0.3 to 0.8 that the Monte Carlo draws from"},
           r.utilization);
  v.text(
      {.key = "as_of", .help = "Today's date, e.g. 2026-11-21, from which ages of prices are counted; absent: no ages"},
      r.as_of);
  v.number({.key = "stale_days",
            .help = "Age in days after which a price is stale",
            .range = {0, 1e5},
            .default_source = r.as_of.empty() ? std::string_view() : "as in podwright catalog check"},
           r.stale_days);
  v.count({.key = "top", .help = "Maximum number of offers in the answer for each term", .range = {0, 1000}}, r.top);
}

void describe_workload(FieldVisitor& v, CostRequest& r) {
  if (v.enter({.key = "workload", .help = "What all GPUs together do while they are in use"})) {
    CostWorkload w;
    v.number({.key = "input_tokens_per_s", .help = "Prompt tokens per second", .range = kPositive},
             w.input_tokens_per_s);
    v.number({.key = "output_tokens_per_s", .help = "Generated tokens per second", .range = kPositive},
             w.output_tokens_per_s);
    v.number({.key = "requests_per_s", .help = "Requests per second", .range = kPositive}, w.requests_per_s);
    v.number(
        {.key = "training_gpu_hours", .help = "GPU-hours of one training run without failures", .range = kPositive},
        w.training_gpu_hours);
    v.number({.key = "goodput",
              .help = "Share of the wall time in which that run makes progress",
              .range = {0.01, 1},
              .default_source = w.training_gpu_hours ? kNotAsked : std::string_view()},
             w.goodput);
    r.workload = w;
  }
  v.leave();
}

void describe_demand_workloads(FieldVisitor& v, CostDemand& d) {
  const std::size_t workloads = v.enter_list(
      {.key = "workloads", .help = "Parts of the demand that may not go everywhere, in place of the curve"});
  d.workloads.resize(workloads);
  for (std::size_t i = 0; i < workloads; ++i) {
    CostDemandWorkload& w = d.workloads[i];
    v.enter_item(i);
    v.text({.key = "name", .help = "Name in the answer"}, w.name);
    v.number({.key = "gpus", .help = "GPUs at work", .required = true, .range = kPositive}, w.gpus);
    v.number({.key = "share_of_time",
              .help = "Share of the time in which they are in use",
              .range = {1e-6, 1},
              .default_source = kNotAsked},
             w.share_of_time);
    word(v, {.key = "sovereignty", .help = "Where its data may be", .default_source = kNotAsked}, w.sovereignty,
         kSovereigntyWords);
    v.flag({.key = "burst", .help = "It comes and goes", .default_source = kNotAsked}, w.burst);
    v.leave_item();
    if (w.name.empty()) w.name = "workload-" + std::to_string(i + 1);
  }
  v.leave_list();
  std::vector<std::string> names;
  for (const CostDemandWorkload& w : d.workloads) names.push_back(w.name);
  v.problems(duplicate_names(names, "/workloads", "name"));
}

void describe_demand(FieldVisitor& v, CostRequest& r) {
  if (v.enter({.key = "demand", .help = "How demand varies: what to own and what to rent"})) {
    CostDemand d;
    const std::size_t points =
        v.enter_list({.key = "curve", .help = "Load-duration curve, straight between its points; or workloads"});
    d.curve.resize(points);
    for (std::size_t i = 0; i < points; ++i) {
      v.enter_item(i);
      v.number({.key = "gpus", .help = "A number of GPUs", .required = true, .range = kNotNegative}, d.curve[i].gpus);
      v.number({.key = "share_of_time",
                .help = "Share of the time in which demand is above it",
                .required = true,
                .range = kShare},
               d.curve[i].share_of_time);
      v.leave_item();
    }
    v.leave_list();
    bool falling = d.curve.size() > 1;
    for (std::size_t i = 1; i < d.curve.size(); ++i)
      falling =
          falling && d.curve[i].gpus > d.curve[i - 1].gpus && d.curve[i].share_of_time <= d.curve[i - 1].share_of_time;
    v.rule(falling || d.curve.empty(), "curve",
           "The curve needs at least two points; its GPUs rise and its shares do not.",
           "Write [{\"gpus\": 0, \"share_of_time\": 1}, {\"gpus\": 100, \"share_of_time\": 0}].");
    describe_demand_workloads(v, d);
    v.rule(d.curve.empty() != d.workloads.empty(), d.curve.empty() ? "curve" : "workloads",
           "Demand is given by exactly one of \"curve\" and \"workloads\".", "Leave one of them out.");
    v.number({.key = "migration_friction_usd_per_gpu_hour",
              .help = "What moving work costs: only GPUs that save more than this are owned, USD per GPU-hour",
              .range = kNotNegative,
              .default_source = kNotAsked},
             d.migration_friction_usd_per_gpu_hour);
    r.demand = std::move(d);
  }
  v.leave();
}

void describe_published(FieldVisitor& v, CostRequest& r) {
  const std::size_t entries =
      v.enter_list({.key = "published_break_evens", .help = "Published break-evens, solved for the cloud's price"});
  r.published_break_evens.resize(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    PublishedBreakEven& p = r.published_break_evens[i];
    v.enter_item(i);
    v.text({.key = "name", .help = "Name in the answer"}, p.name);
    v.number({.key = "capex_usd", .help = "Purchase, USD", .required = true, .range = kPositive}, p.capex_usd);
    v.number({.key = "operation_usd_per_hour",
              .help = "Operating what was bought, USD per hour",
              .required = true,
              .range = kNotNegative},
             p.operation_usd_per_hour);
    v.number({.key = "break_even_months", .help = "Published months", .required = true, .range = kPositive},
             p.break_even_months);
    v.number({.key = "hours_per_month",
              .help = "Hours that their author counts in a month",
              .range = {672, 744},
              .default_source = "8,760 h / 12; the edition of 2025 of the same study has 720"},
             p.hours_per_month);
    v.leave_item();
    if (p.name.empty()) p.name = "break-even-" + std::to_string(i + 1);
  }
  v.leave_list();
}

void describe_uncertainty(FieldVisitor& v, CostUncertainty& u) {
  v.enter({.key = "uncertainty", .help = "Monte Carlo and tornado"});
  v.count({.key = "draws", .help = "Draws of the Monte Carlo", .range = {100, 1e7}, .default_source = kNotAsked},
          u.draws);
  v.count({.key = "seed", .help = "Seed of the Monte Carlo", .range = {0, 9e15}, .default_source = kNotAsked}, u.seed);
  v.number({.key = "price_utilization_correlation",
            .help = "Correlation of the cloud's price and the utilisation; absent: none",
            .range = {-0.99, 0.99}},
           u.price_utilization_correlation);
  v.enter({.key = "ranges", .help = "Low and high end of what is not certain; absent: those of the method"});
  for (std::size_t i = 0; i < kCostRanges.size(); ++i) {
    CostRange& range = u.ranges[i];
    if (v.enter({.key = kCostRanges[i].name, .help = "Range of this field"})) {
      v.number({.key = "low", .help = "Low end, in the field's unit", .required = true, .range = {-1, 1e18}},
               range.low);
      v.number({.key = "high", .help = "High end, in the field's unit", .required = true, .range = {-1, 1e18}},
               range.high);
      v.rule(!range.low || !range.high || *range.low <= *range.high, "high", "The high end is below the low one.",
             "Swap them.");
    }
    v.leave();
  }
  v.leave();
  v.leave();
}

void describe_carbon(FieldVisitor& v, CostRequest& r) {
  if (v.enter({.key = "carbon", .help = "Greenhouse gases of owned machines"})) {
    CostCarbon c;
    v.number({.key = "grid_gco2_per_kwh",
              .help = "Grams of CO2 equivalent per kWh; absent: that of on_premises.region",
              .range = {0, 5000}},
             c.grid_gco2_per_kwh);
    v.number({.key = "embodied_kg_per_gpu",
              .help = "Kilograms of CO2 equivalent in making a GPU with its share of the host; absent: not counted",
              .range = {0, 1e5}},
             c.embodied_kg_per_gpu);
    r.carbon = c;
  }
  v.leave();
}

void describe_exports(FieldVisitor& v, CostRequest& r) {
  const std::vector<std::string> exports(kCostExportWords.begin(), kCostExportWords.end());
  v.words({.key = "exports", .help = "Files: focus, planned cost of every day in the columns of FOCUS, from as_of on"},
          r.exports, exports);
  v.count({.key = "export_days",
           .help = "Days of that table",
           .range = {1, 3660},
           .default_source = r.exports.empty() ? std::string_view() : "a year, whose rows add up to the yearly costs"},
          r.export_days);
}

/// The numbers of the request that ranges are for, in the order of kCostRanges; absent: not told by the request.
std::array<std::optional<double>, kCostRanges.size()> ranged_numbers(const CostRequest& r) {
  std::array<std::optional<double>, kCostRanges.size()> numbers{r.utilization, r.horizon_years, r.discount_rate};
  if (r.on_premises) {
    const CostOnPremises& o = *r.on_premises;
    numbers[3] = o.servers_usd;
    numbers[4] = o.network_usd;
    if (o.residual_by_age.empty()) numbers[5] = o.residual_fraction;
    numbers[6] = o.pue;
    numbers[7] = o.electricity_usd_per_kwh;
    numbers[8] = o.support_fraction_per_year;
    numbers[9] = o.license_usd_per_gpu_year;
    numbers[10] = o.staff_fte;
  }
  if (r.cloud) {
    numbers[11] = r.cloud->usd_per_gpu_hour;
    numbers[12] = r.cloud->price_change_per_year;
  }
  return numbers;
}

void check_ranges(const CostRequest& r, Errors& problems) {
  const auto numbers = ranged_numbers(r);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const CostRange& range = r.uncertainty.ranges[i];
    if (!range.low || !range.high || !numbers[i] || (*range.low <= *numbers[i] && *numbers[i] <= *range.high)) continue;
    const std::string name(kCostRanges[i].name);
    problems.push_back({"conflict", "/uncertainty/ranges/" + name,
                        "The range of \"" + name + "\" does not hold its value " + shortest_number(*numbers[i]) + ".",
                        "Widen the range, or change \"" + name + "\"."});
  }
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, CostRequest& r) {
  describe_head(v, "cost");
  describe_terms(v, r);
  describe_workload(v, r);
  const bool has_rates = r.workload && r.workload->input_tokens_per_s && r.workload->output_tokens_per_s;
  const bool owned = v.enter({.key = "on_premises", .help = "What owning costs; parts that are left out cost nothing"});
  if (owned) {
    r.on_premises.emplace();
    describe(v, catalog, *r.on_premises);
  }
  v.leave();
  const bool rented = v.enter({.key = "cloud", .help = "What renting costs"});
  if (rented) {
    r.cloud.emplace();
    describe(v, catalog, *r.cloud, r.gpu.has_value());
  }
  v.leave();
  if (v.enter({.key = "hosted_api", .help = "What a model costs through a hosted API"})) {
    r.hosted_api.emplace();
    describe(v, *r.hosted_api, has_rates);
  }
  v.leave();
  describe_demand(v, r);
  describe_published(v, r);
  describe_uncertainty(v, r.uncertainty);
  describe_carbon(v, r);
  describe_fleet(v, r.fleet);
  describe_exports(v, r);
  describe_explain(v, r.explain);
  Errors problems;
  if (!owned && !rented)
    problems.push_back({"missing", "/on_premises", "Neither \"on_premises\" nor \"cloud\" is given: nothing to price.",
                        "Add \"on_premises\", \"cloud\", or both."});
  if (!r.as_of.empty() && !earliest_day(r.as_of))
    problems.push_back(
        {"out-of-range", "/as_of", "\"" + r.as_of.substr(0, 60) + "\" is not a date.", "Write 2026-11-21."});
  if (r.carbon && !owned)
    problems.push_back({"conflict", "/carbon", "Carbon is that of owned machines, and none are given.",
                        "Add \"on_premises\", or leave \"carbon\" out."});
  if (r.demand && (!owned || !rented))
    problems.push_back({"conflict", "/demand", "Owning some and renting the rest needs the price of both.",
                        "Add \"on_premises\" and \"cloud\", or leave \"demand\" out."});
  check_fleet(r, problems);
  check_ranges(r, problems);
  v.problems(problems);
}

}  // namespace podwright
