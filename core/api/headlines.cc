#include "api/headlines.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "api/answer_field.h"
#include "base/number_text.h"
#include "sizing/latency_limit.h"

namespace podwright {
namespace {

std::string days_text(Seconds time) {
  const double count = time / days(1);
  return human_number(count, count == std::floor(count) ? 12 : 3) + (count == 1 ? " day" : " days");
}

std::optional<ShownNumber> shown(std::string place, const std::optional<double>& value, std::string (*text)(double)) {
  if (!value) return std::nullopt;
  return ShownNumber{std::move(place), text(*value)};
}

std::string share_text(double share) { return percent_text(share); }

/// The 95th percentile where it is what a limit is on, as then its interval and odds are known; else the mean.
void add_latency(std::vector<Headline>& all, std::string_view id, std::string_view key, sizing::LatencyKind kind,
                 const PlacedWorkload& placed, const std::string& at, const ServingPerformance<NoTrace>& speed,
                 const std::optional<ServingBounds<NoTrace>>& bounds) {
  const bool first = kind == sizing::LatencyKind::ttft;
  const std::optional<Seconds>& mean = first ? speed.ttft : speed.tpot;
  if (!mean) return;
  const auto limit = std::find_if(placed.limits.begin(), placed.limits.end(),
                                  [&](const sizing::LimitCertainty& one) { return one.limit.latency == kind; });
  const std::string estimate = "/estimates/" + at + "/latency/" + std::string(key);
  if (limit == placed.limits.end()) {
    Headline headline{.id = id, .statistic = "mean", .value = {estimate, duration_text(mean->base_units())}};
    if (const auto interval = !bounds ? std::nullopt : first ? bounds->ttft : bounds->tpot) {
      headline.low = {estimate + "_low", duration_text(interval->low.base_units())};
      headline.high = {estimate + "_high", duration_text(interval->high.base_units())};
    }
    return all.push_back(std::move(headline));
  }
  const std::string place = "/layouts/" + at + "/limits/" + std::to_string(std::distance(placed.limits.begin(), limit));
  const auto time = [&](const char* name, const std::optional<Seconds>& value) {
    return shown(place + name, value ? std::optional(value->base_units()) : std::nullopt, duration_text);
  };
  all.push_back({.id = id,
                 .statistic = "p95",
                 .value = {speed.percentiles ? estimate + "_p95" : place + "/reached_s",
                           duration_text(limit->reached.base_units())},
                 .low = time("/reached_s_low", limit->low),
                 .high = time("/reached_s_high", limit->high),
                 .target = time("/limit_s", limit->limit.most),
                 .probability = shown(place + "/probability", limit->probability, share_text)});
}

void add_run(std::vector<Headline>& all, const std::string& at, double deadline_days,
             const WorkloadNumbers<NoTrace>& numbers) {
  if (!numbers.run_time) return;
  const std::string place = "/estimates/" + at + "/run/";
  Headline headline{
      .id = "run_time", .statistic = "typical", .value = {place + "time_days", days_text(*numbers.run_time)}};
  if (numbers.training->step_bounds) {
    const auto interval = numbers.training->step_bounds->factors.of("plan.run_time_bound", *numbers.run_time);
    headline.low = {place + "time_days_low", days_text(interval.low)};
    headline.high = {place + "time_days_high", days_text(interval.high)};
  }
  headline.target = {"/workloads/" + at + "/deadline_days", days_text(days(deadline_days))};
  headline.probability = shown(place + "deadline_probability", numbers.deadline_probability, share_text);
  all.push_back(std::move(headline));
}

std::string memory_text(Bytes size) { return fixed_number(size / gib(1), 1) + " GiB"; }

/// Only where it may not fit: what surely does is no matter of the decision.
void add_memory(std::vector<Headline>& all, const std::string& at, const TrainingEstimate<NoTrace>& estimate) {
  if (!may_not_fit(estimate)) return;
  const std::string place = "/estimates/" + at + "/memory_per_gpu/";
  const auto size = [&](const char* name, Bytes bytes) { return ShownNumber{place + name, memory_text(bytes)}; };
  all.push_back({.id = "memory",
                 .statistic = "typical",
                 .value = size("total_gib", estimate.memory->total),
                 .low = size("total_gib_low", estimate.memory_bounds->low),
                 .high = size("total_gib_high", estimate.memory_bounds->high),
                 .target = size("capacity_gib", estimate.memory->capacity),
                 .probability = shown(place + "fit_probability", estimate.fit_probability, share_text)});
}

struct WayPlaces {
  std::string_view per_year;
  std::string_view draws;
  std::string_view capex;
};
/// By Way. No draws vary the price of a commitment.
constexpr std::array<WayPlaces, 4> kWayPlaces{
    {{"/cost/cloud/as_needed_usd_per_year", "rent_usd_per_year", ""},
     {"/cost/committed/usd_per_year", "", ""},
     {"/cost/on_premises/annual_usd", "own_usd_per_year", "/cost/on_premises/capex_usd"},
     {"/cost/hybrid/usd_per_year", "hybrid_usd_per_year", "/cost/hybrid/capex_usd"}}};

void set_interval(Headline& headline, const std::string& draws, double low, double high) {
  headline.low = {draws + "/p5", dollars_text(low)};
  headline.high = {draws + "/p95", dollars_text(high)};
}

/// Absent where nothing is drawn for this way, as for the fixed price of a commitment.
const CostSpread* spread_of(const Plan& plan, Way way) {
  if (!plan.uncertainty) return nullptr;
  const CostDistribution& drawn = plan.uncertainty->drawn;
  if (way == Way::own) return &drawn.own;
  if (way == Way::rent_on_demand) return &drawn.rent;
  return way == Way::hybrid && drawn.mixed ? &*drawn.mixed : nullptr;
}

void add_yearly_cost(std::vector<Headline>& all, const PlanRequest& request, const Plan& plan, Way way) {
  if (!plan.verdict.usd_per_year) return;
  const bool alone = request.constraints.sites == 1;
  const WayPlaces& places = kWayPlaces[static_cast<std::size_t>(way)];
  Headline headline{.id = "cost_per_year",
                    .statistic = "typical",
                    .value = {alone ? std::string(places.per_year) : "/all_sites/usd_per_year",
                              dollars_text(*plan.verdict.usd_per_year)}};
  const auto yearly = [](UsdPerSecond rate) { return rate * years(1) / usd(1); };
  if (const CostSpread* spread = spread_of(plan, way); spread != nullptr && alone)
    set_interval(headline, "/cost/distribution/" + std::string(places.draws), yearly(spread->p5), yearly(spread->p95));
  headline.target = shown("/constraints/budget_usd_per_year", request.constraints.budget_usd_per_year, dollars_text);
  all.push_back(std::move(headline));
}

void add_purchase(std::vector<Headline>& all, const PlanRequest& request, const Plan& plan, Way way) {
  const PlanCost<NoTrace>& cost = plan.numbers.cost;
  const bool owns = way == Way::own;
  const double sites = request.constraints.sites;
  std::optional<Usd> capex;
  if (owns && cost.owning.capital) capex = cost.owning.capital->capex * sites;
  if (way == Way::hybrid && sites == 1) capex = cost.hybrid_capex;
  if (!capex) return;
  const std::string place(sites == 1 ? kWayPlaces[static_cast<std::size_t>(way)].capex : "/all_sites/sites_capex_usd");
  Headline headline{.id = "purchase", .statistic = "typical", .value = {place, dollars_text(*capex / usd(1))}};
  // What is paid before the first year.
  if (sites == 1 && plan.uncertainty && !plan.uncertainty->drawn.paid.empty()) {
    const PaidFan& start = plan.uncertainty->drawn.paid.front();
    const FanQuantiles& paid = owns ? start.own : start.mixed;
    set_interval(headline, std::string("/cost/distribution/paid_by_year/0/") + (owns ? "own_usd" : "hybrid_usd"),
                 paid.front() / usd(1), paid.back() / usd(1));
  }
  headline.target = shown("/constraints/budget_usd", request.constraints.budget_usd, dollars_text);
  all.push_back(std::move(headline));
}

}  // namespace

std::vector<Headline> headlines_of(const PlanRequest& request, const Plan& plan) {
  std::vector<Headline> all;
  all.push_back({.id = "gpus", .value = {"/gpu_count", human_number(plan.numbers.demand.gpu_count, 12)}});
  for (std::size_t i = 0; i < plan.decision.placed.size(); ++i) {
    const PlacedWorkload& placed = plan.decision.placed[i];
    const PlanWorkload& workload = request.workloads[placed.index];
    const WorkloadNumbers<NoTrace>& numbers = plan.numbers.demand.workloads[i];
    const std::size_t before = all.size();
    const std::string at = std::to_string(i);
    if (placed.serving() != nullptr && numbers.serving && numbers.serving->performance) {
      const ServingPerformance<NoTrace>& speed = *numbers.serving->performance;
      add_latency(all, "first_token", "ttft_s", sizing::LatencyKind::ttft, placed, at, speed, numbers.serving->bounds);
      add_latency(all, "output_token", "tpot_s", sizing::LatencyKind::tpot, placed, at, speed, numbers.serving->bounds);
    }
    if (const TrainingNeed* need = workload.training()) {
      add_run(all, at, need->deadline_days, numbers);
      add_memory(all, at, *numbers.training);
    }
    for (std::size_t k = before; k < all.size(); ++k) all[k].workload = workload.name;
  }
  if (const std::optional<Way>& way = plan.verdict.decision.way) {
    add_yearly_cost(all, request, plan, *way);
    add_purchase(all, request, plan, *way);
  }
  return all;
}

}  // namespace podwright
