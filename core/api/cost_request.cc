#include "api/cost_request.h"

#include "api/common_fields.h"
#include "base/number_text.h"
#include "catalog/fact_date.h"

namespace podwright {
namespace {

void describe_run(FieldVisitor& v, CostFleet& fleet) {
  optional_object(
      v, {"run", "A training run on the fleet: the share of its time lost to failures; absent: not given"}, fleet.run,
      [&](CostFleetRun& run) {
        v.count({"gpu_count", "GPUs that stop together when one fails; absent: all", kAtLeastOne}, run.gpu_count);
        v.number({"checkpoint_s", "Pause of one checkpoint, s", kRequired, within(0, 1e6)}, run.checkpoint_s);
        v.number({"restart_s", "From a failure to the first new step, s; absent: the catalog's figure", within(0, 1e7)},
                 run.restart_s);
        v.number(
            {"checkpoint_interval_s", "Training between two checkpoints, s; absent: what loses least", within(1, 1e9)},
            run.checkpoint_interval_s);
      });
}

void describe_fleet(FieldVisitor& v, std::optional<CostFleet>& fleet) {
  optional_object(
      v, {"fleet", "Failures of the GPUs in a year: repairs, spares, goodput and what they cost"}, fleet,
      [&](CostFleet& f) {
        v.count({"gpus_per_server", "GPUs that are out together while their server is repaired", within(1, 1e4),
                 "servers of eight GPUs"},
                f.gpus_per_server);
        v.number({"gpu_hours_per_failure",
                  "GPU-hours between failures; absent: those of a published fleet with the GPU of the request",
                  within(1e-3, 1e12)},
                 f.gpu_hours_per_failure);
        v.number({"repair_hours", "Hours from a failure until the server works again, mean over all failures",
                  kRequired, within(1e-3, 8760)},
                 f.repair_hours);
        v.number({"spare_deviations", "Spares above the mean of servers under repair, in its standard deviations",
                  within(0, 10), "95 % of a normal distribution lie below 1.645; spares_suffice gives the exact share"},
                 f.spare_deviations);
        describe_run(v, f);
      });
}

void check_fleet(const CostRequest& request, Errors& problems) {
  if (!request.fleet) return;
  const CostFleet& fleet = *request.fleet;
  if (!request.gpu && !fleet.gpu_hours_per_failure)
    problems.push_back({"missing", "/fleet/gpu_hours_per_failure",
                        "How often GPUs fail is not known: neither \"gpu\" nor \"gpu_hours_per_failure\" is given.",
                        "Name the GPU in /gpu, or give the GPU-hours between failures."});
  if (fleet.run && fleet.run->gpu_count && *fleet.run->gpu_count > request.gpu_count)
    problems.push_back({"conflict", "/fleet/run/gpu_count", "The run has more GPUs than the fleet.",
                        "Give at most /gpu_count GPUs, or leave \"gpu_count\" of the run out."});
}

void describe_terms(FieldVisitor& v, CostRequest& r) {
  v.count({"gpu_count", "GPUs that are needed", kRequired, kAtLeastOne}, r.gpu_count);
  v.gpu({"gpu", "GPU: an id of the catalog or an object of the same shape; absent: prices are given"}, r.gpu);
  v.number({"horizon_years", "Years of use", within(0.1, 30),
            "economic life behind the published cost of an owned GPU-hour "
            "(semianalysis-inferencex-tco)"},
           r.horizon_years);
  v.number({"discount_rate", "Yearly discount rate", within(0, 0.99),
            "The Datacenter as a Computer, 4th edition, chapter 8"},
           r.discount_rate);
  v.number({"utilization", "Share of the time in which the GPUs are in use", within(0.001, 1),
            "likeliest value of the range 0.3 to 0.8 that the Monte Carlo draws from"},
           r.utilization);
  v.text({"as_of", "Day from which ages of prices are counted; absent: that of the newest row of the catalog"},
         r.as_of);
  v.number({"stale_days", "Age in days after which a price counts no more", within(0, 1e5), kPolicyPage}, r.stale_days);
  v.count({"top", "Maximum number of offers in the answer for each term", within(0, 1000)}, r.top);
}

void describe_workload(FieldVisitor& v, CostRequest& r) {
  optional_object(v, {"workload", "What all GPUs together do while they are in use"}, r.workload, [&](CostWorkload& w) {
    v.number({"input_tokens_per_s", "Prompt tokens per second", kPositive}, w.input_tokens_per_s);
    v.number({"output_tokens_per_s", "Generated tokens per second", kPositive}, w.output_tokens_per_s);
    v.number({"requests_per_s", "Requests per second", kPositive}, w.requests_per_s);
    v.number({"training_gpu_hours", "GPU-hours of one training run without failures", kPositive}, w.training_gpu_hours);
    v.number({"goodput", "Share of the wall time in which that run makes progress", within(0.01, 1),
              w.training_gpu_hours ? kNotAsked : std::string_view()},
             w.goodput);
  });
}

void describe_demand_workloads(FieldVisitor& v, CostDemand& d) {
  list_of(v, {"workloads", "Parts of the demand that may not go everywhere, in place of the curve"}, d.workloads,
          [&](CostDemandWorkload& w) {
            v.text({"name", "Name in the answer"}, w.name);
            v.number({"gpus", "GPUs at work", kRequired, kPositive}, w.gpus);
            v.number({"share_of_time", "Share of the time in which they are in use", within(1e-6, 1), kNotAsked},
                     w.share_of_time);
            word(v, {"sovereignty", "Where its data may be", kNotAsked}, w.sovereignty, kSovereigntyWords);
            v.flag({"burst", "It comes and goes", kNotAsked}, w.burst);
          });
  complete_names(v, d.workloads, "/workloads");
}

void describe_demand(FieldVisitor& v, CostRequest& r) {
  optional_object(v, {"demand", "How demand varies: what to own and what to rent"}, r.demand, [&](CostDemand& d) {
    list_of(v, {"curve", "Load-duration curve, straight between its points; or workloads"}, d.curve, [&](auto& point) {
      v.number({"gpus", "A number of GPUs", kRequired, kNotNegative}, point.gpus);
      v.number({"share_of_time", "Share of the time in which demand is above it", kRequired, kShare},
               point.share_of_time);
    });
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
    v.number({"migration_friction_usd_per_gpu_hour",
              "What moving work costs: only GPUs that save more than this are owned, USD per GPU-hour", kNotNegative,
              kNotAsked},
             d.migration_friction_usd_per_gpu_hour);
  });
}

void describe_published(FieldVisitor& v, CostRequest& r) {
  const auto entry = [&](PublishedBreakEven& p) {
    v.text({"name", "Name in the answer"}, p.name);
    v.number({"capex_usd", "Purchase, USD", kRequired, kPositive}, p.capex_usd);
    v.number({"operation_usd_per_hour", "Operating what was bought, USD per hour", kRequired, kNotNegative},
             p.operation_usd_per_hour);
    v.number({"break_even_months", "Published months", kRequired, kPositive}, p.break_even_months);
    v.number({"hours_per_month", "Hours that their author counts in a month", within(672, 744),
              "8,760 h / 12; the edition of 2025 of the same study has 720"},
             p.hours_per_month);
  };
  list_of(v, {"published_break_evens", "Published break-evens, solved for the cloud's price"}, r.published_break_evens,
          entry);
  name_by_place(r.published_break_evens, "break-even");
}

void describe_uncertainty(FieldVisitor& v, CostUncertainty& u) {
  v.enter({"uncertainty", "Monte Carlo and tornado"});
  v.count({"draws", "Draws of the Monte Carlo", within(100, kMostDraws), kNotAsked}, u.draws);
  v.count({"seed", "Seed of the Monte Carlo", within(0, 9e15), kNotAsked}, u.seed);
  v.number({"price_utilization_correlation", "Correlation of the cloud's price and the utilisation; absent: none",
            within(-0.99, 0.99)},
           u.price_utilization_correlation);
  v.enter({"ranges", "Low and high end of what is not certain; absent: those of the method"});
  for (std::size_t i = 0; i < kCostRanges.size(); ++i) {
    CostRange& range = u.ranges[i];
    if (v.enter({kCostRanges[i].name, "Range of this field"})) {
      v.number({"low", "Low end, in the field's unit", kRequired, within(-1, 1e18)}, range.low);
      v.number({"high", "High end, in the field's unit", kRequired, within(-1, 1e18)}, range.high);
      v.rule(!range.low || !range.high || *range.low <= *range.high, "high", "The high end is below the low one.",
             "Swap them.");
    }
    v.leave();
  }
  v.leave();
  v.leave();
}

void describe_carbon(FieldVisitor& v, CostRequest& r) {
  optional_object(v, {"carbon", "Greenhouse gases of owned machines"}, r.carbon, [&](CostCarbon& c) {
    v.number(
        {"grid_gco2_per_kwh", "Grams of CO2 equivalent per kWh; absent: that of on_premises.region", within(0, 5000)},
        c.grid_gco2_per_kwh);
    v.number(
        {"embodied_kg_per_gpu",
         "Kilograms of CO2 equivalent in making a GPU with its share of the host; absent: not counted", within(0, 1e5)},
        c.embodied_kg_per_gpu);
  });
}

void describe_exports(FieldVisitor& v, CostRequest& r) {
  const std::vector<std::string> exports(kCostExportWords.begin(), kCostExportWords.end());
  v.words({"exports", "Files: focus, planned cost of every day in the columns of FOCUS, from as_of on"}, r.exports,
          exports);
  v.count({"export_days", "Days of that table", within(1, 3660),
           r.exports.empty() ? std::string_view() : "a year, whose rows add up to the yearly costs"},
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
  optional_object(v, {"on_premises", "What owning costs; parts that are left out cost nothing"}, r.on_premises,
                  [&](CostOnPremises& owned) { describe(v, catalog, owned); });
  optional_object(v, {"cloud", "What renting costs"}, r.cloud,
                  [&](CostCloud& cloud) { describe(v, catalog, cloud, r.gpu.has_value()); });
  optional_object(v, {"hosted_api", "What a model costs through a hosted API"}, r.hosted_api,
                  [&](CostHostedApi& hosted) { describe(v, hosted, has_rates); });
  describe_demand(v, r);
  describe_published(v, r);
  describe_uncertainty(v, r.uncertainty);
  describe_carbon(v, r);
  describe_fleet(v, r.fleet);
  describe_exports(v, r);
  describe_explain(v, r.explain);
  Errors problems;
  if (!r.on_premises && !r.cloud)
    problems.push_back({"missing", "/on_premises", "Neither \"on_premises\" nor \"cloud\" is given: nothing to price.",
                        "Add \"on_premises\", \"cloud\", or both."});
  check_day(problems, "/as_of", r.as_of);
  if (r.carbon && !r.on_premises)
    problems.push_back({"conflict", "/carbon", "Carbon is that of owned machines, and none are given.",
                        "Add \"on_premises\", or leave \"carbon\" out."});
  if (r.demand && (!r.on_premises || !r.cloud))
    problems.push_back({"conflict", "/demand", "Owning some and renting the rest needs the price of both.",
                        "Add \"on_premises\" and \"cloud\", or leave \"demand\" out."});
  check_fleet(r, problems);
  check_ranges(r, problems);
  v.problems(problems);
}

}  // namespace podwright
