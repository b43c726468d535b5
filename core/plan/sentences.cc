#include "plan/planner.h"

#include <algorithm>
#include <cmath>

#include "base/append.h"
#include "base/number_text.h"
#include "cost/price_trend.h"
#include "cost/provider_name.h"
#include "plan/asked_load.h"
#include "plan/unsure_memory.h"
#include "plan/ways_left.h"
#include "sizing/limit_certainty.h"

namespace podwright {
namespace {

/// Of a plan whose machines rented by the hour follow the day.
Message followed_day(const PlanNumbers<NoTrace>& numbers) {
  Seconds start{};
  for (const WorkloadNumbers<NoTrace>& workload : numbers.demand.workloads)
    if (workload.day) start = std::max(start, workload.day->start);
  const PlanCost<NoTrace>& cost = numbers.cost;
  return say("followed-day", "paid"_v = cost.on_demand->inputs.utilization,
             "less_usd_per_year"_v = cost.followed->saved * years(1) / usd(1), "start_s"_v = start.base_units());
}

/// Of a plan whose machines rented by the hour do not stand all the time.
void add_paid_hours(const PlanCost<NoTrace>& cost, std::vector<Message>& reasons) {
  if (!cost.on_demand || cost.on_demand->inputs.utilization >= 1) return;
  const double gpus = cost.rent->billed_gpus;
  const double mean = gpus * cost.on_demand->inputs.utilization;
  const double hours_of_year = years(1) / hours(1);
  reasons.push_back(say("follows-load", "paid_gpu_hours"_v = mean * hours_of_year,
                        "all_gpu_hours"_v = gpus * hours_of_year, "mean_gpus"_v = mean, "gpus"_v = gpus));
}

/// "2 billion", "15 trillion"; smaller numbers in digits.
std::string large_text(double count) {
  if (count >= 1e12) return human_number(count / 1e12, 3) + " trillion";
  if (count >= 1e9) return human_number(count / 1e9, 3) + " billion";
  if (count >= 1e6) return human_number(count / 1e6, 3) + " million";
  return human_number(count, 6);
}

std::string count_text(double count) { return human_number(count, 12); }
/// Machines at once above which a list price on demand promises nothing; chosen here.
constexpr double kManyMachines = 32;

double usd_an_hour(UsdPerSecond rate) { return raw(rate * hours(1)); }

/// Of a plan that owns machines.
std::string machines_text(const Plan& plan) {
  const std::optional<Way>& way = plan.verdict.decision.way;
  const bool rents = way && (*way == Way::rent_on_demand || *way == Way::rent_committed);
  if (!plan.numbers.design || rents) return "";
  if (way == Way::hybrid && plan.numbers.cost.hybrid)
    return " (" + count_text(plan.numbers.cost.hybrid->own_gpus) + " of them owned)";
  const auto& [gpus, nodes] = std::pair(*plan.numbers.design->size.gpus, *plan.numbers.design->size.nodes);
  return " in " + count_text(nodes) + " x " + plan.decision.design->parts.system->name +
         (gpus > plan.numbers.demand.gpu_count ? ", which hold " + count_text(gpus) + "," : "");
}

std::string serving_text(const PlanWorkload& workload, const WorkloadNumbers<NoTrace>& numbers) {
  std::string text =
      "serve " + human_number(workload.serving()->peak_requests_per_s, 4) + " requests/s of " + workload.model->name;
  if (numbers.serving->performance && numbers.serving->performance->tpot)
    text += " at " + duration_text(numbers.serving->performance->tpot->base_units()) + " per output token (mean)";
  return text;
}

std::string training_text(const PlanWorkload& workload, const WorkloadNumbers<NoTrace>& numbers) {
  std::string text = "train " + workload.model->name + " on " + large_text(workload.training()->tokens) + " tokens";
  if (numbers.run_time) text += " in " + human_number(*numbers.run_time / days(1), 3) + " days";
  return text;
}

const Binding* binding_of_plan(const WorkloadNumbers<NoTrace>& numbers) {
  if (numbers.serving && numbers.serving->performance) return &numbers.serving->performance->binding;
  if (numbers.training && numbers.training->step) return &numbers.training->step->binding;
  return nullptr;
}

/// "-" in a code reads as a space in a sentence.
std::string words_of_code(std::string code) {
  for (char& c : code)
    if (c == '-') c = ' ';
  return code;
}

/// The odds of each limit, and of the load. Limits are those of a plan, at the 95th percentile.
void serving_reasons(std::vector<Message>& reasons, const PlacedWorkload& placed,
                     const WorkloadNumbers<NoTrace>& numbers) {
  const ServingPerformance<NoTrace> speed = numbers.serving->performance.value_or(ServingPerformance<NoTrace>());
  const auto number_of = [](const std::optional<Seconds>& time) { return time.value_or(Seconds()).base_units(); };
  for (const sizing::LimitCertainty& one : placed.limits) {
    const auto limit = "limit_s"_v = one.limit.most.base_units();
    const double reached = one.reached.base_units();
    if (one.limit.latency == sizing::LatencyKind::tpot) {
      const auto time = "tpot_s"_v = reached;
      const auto mean = "mean_s"_v = number_of(speed.tpot);
      reasons.push_back(one.probability ? say("tpot-p95/odds", mean, time, limit, "probability"_v = *one.probability)
                                        : say("tpot-p95", mean, time, limit));
    } else {
      const auto time = "ttft_s"_v = reached;
      const auto mean = "mean_s"_v = number_of(speed.ttft);
      const auto wait = "wait_s"_v = number_of(speed.wait);
      reasons.push_back(one.probability
                            ? say("ttft-p95/odds", mean, wait, time, limit, "probability"_v = *one.probability)
                            : say("ttft-p95", mean, wait, time, limit));
    }
  }
  if (const auto& prefix = numbers.serving->prefix)
    reasons.push_back(say("prefix-reuse", "found"_v = prefix->hit_ratio, "unlimited"_v = prefix->unlimited,
                          "kept_s"_v = prefix->kept.base_units()));
  if (const auto& host = numbers.serving->host)
    reasons.push_back(say("host-memory", "host_gb"_v = placed.serving()->traffic->host_cache / gb(1),
                          "loaded"_v = *numbers.serving->prefix->host_hit_ratio,
                          "load_gb_per_s"_v = *numbers.serving->prefix->host_load / gb_per_s(1),
                          "link_gb_per_s"_v = host->token / Seconds(host->token_s) / gb_per_s(1),
                          "kept_s"_v = numbers.serving->prefix->host_kept->base_units()));
  if (placed.max_requests_per_s && placed.max_requests_per_s_at_90)
    reasons.push_back(say("carried-load", "peak_requests_per_s"_v = placed.serving()->load.value,
                          "most_requests_per_s"_v = placed.max_requests_per_s->base_units(),
                          "sure_requests_per_s"_v = placed.max_requests_per_s_at_90->base_units()));
}

void deadline_reason(std::vector<Message>& reasons, const TrainingNeed& need, const WorkloadNumbers<NoTrace>& numbers) {
  if (!numbers.deadline_probability || !numbers.run_time || !numbers.training->step_bounds) return;
  const BoundFactors<NoTrace>& factors = numbers.training->step_bounds->factors;
  reasons.push_back(say("deadline-odds", "deadline_days"_v = need.deadline_days,
                        "probability"_v = *numbers.deadline_probability,
                        "time_days_low"_v = *numbers.run_time / days(1) * factors.below,
                        "time_days_high"_v = *numbers.run_time / days(1) * factors.above));
}

constexpr std::string_view kWayEndings[] = {"rented on demand", "rented with a commitment", "owned",
                                            "the base owned and the rest rented"};

/// "for $0.51 per million output tokens, rented on demand", "for $112,000 a run, rented on demand"
std::string price_text(const PlanRequest& request, const Plan& plan) {
  const PlanVerdict& verdict = plan.verdict;
  if (!verdict.decision.way || !verdict.usd_per_year) return "";
  const std::string way(kWayEndings[static_cast<std::size_t>(*verdict.decision.way)]);
  const UsdPerSecond bill = usd(*verdict.usd_per_year / request.constraints.sites) / years(1);
  if (const auto tokens = million_output_tokens(plan.numbers.cost, bill))
    return " for " + dollars_text(tokens->base_units()) + " per million output tokens, " + way;
  // What is rented for one run is given back after it.
  const TrainingNeed* run = request.workloads.size() == 1 ? request.workloads.front().training() : nullptr;
  if (run != nullptr && run->runs_per_year > 0 && *verdict.decision.way == Way::rent_on_demand)
    return " for " + dollars_text(*verdict.usd_per_year / run->runs_per_year) + " a run, " + way;
  return " for " + dollars_text(*verdict.usd_per_year) + " a year, " + way;
}

/// "16 x H100 SXM5 80GB, owning"; of a plan that has a way.
Message in_short(const Plan& plan) {
  return say("plan-in-short", "gpus"_v = plan.numbers.demand.gpu_count, "gpu"_v = plan.decision.gpu->name,
             "way"_v = say_word<"way-phrase">(word_of(*plan.verdict.decision.way, kWayWords)));
}

/// May the plan be paid for in this way?
bool open(const Plan& plan, Way way) {
  const std::vector<ExcludedWay>& excluded = plan.verdict.decision.excluded;
  return std::none_of(excluded.begin(), excluded.end(), [&](const ExcludedWay& item) { return item.way == way; });
}

template <class Memory>
Message memory_reason(const Memory& memory) {
  return say("gpu-memory", "used_gib"_v = memory.total / gib(1), "capacity_gib"_v = memory.capacity / gib(1));
}

/// Of a training whose memory has an interval.
Message memory_risk(const PlanRequest& request, const Plan& plan, std::size_t place) {
  const auto& training = plan.numbers.demand.workloads[place].training;
  return say("memory-may-not-do", "workload"_v = request.workloads[plan.decision.placed[place].index].name,
             "used_gib"_v = training->memory->total / gib(1), "low_gib"_v = training->memory_bounds->low / gib(1),
             "high_gib"_v = training->memory_bounds->high / gib(1),
             "capacity_gib"_v = training->memory->capacity / gib(1), "probability"_v = *training->fit_probability);
}

}  // namespace

void name_next_plan(std::vector<Plan>& plans) {
  if (plans.size() < 2) return;
  WayChoice& first = plans[0].verdict.decision;
  const std::optional<double>& next = plans[1].verdict.usd_per_year;
  if (first.next || first.excluded.empty() || !next || !plans[0].verdict.usd_per_year) return;
  std::get<std::vector<Message>>(first.says.values.front().second)
      .push_back(say("next-plan", "next"_v = in_short(plans[1]), "next_usd_per_year"_v = *next,
                     "more"_v = *next / *plans[0].verdict.usd_per_year - 1));
}

std::string summary_of(const PlanRequest& request, const Plan& plan) {
  std::string text;
  for (const UncheckedLimit& unchecked : plan.verdict.unchecked) text += unchecked.says.text() + " ";
  text += count_text(plan.numbers.demand.gpu_count) + " x " + plan.decision.gpu->name + machines_text(plan);
  if (request.constraints.sites > 1) text += " on each of " + count_text(request.constraints.sites) + " sites";
  for (std::size_t i = 0; i < plan.decision.placed.size(); ++i) {
    const PlanWorkload& workload = request.workloads[plan.decision.placed[i].index];
    const WorkloadNumbers<NoTrace>& numbers = plan.numbers.demand.workloads[i];
    text += i == 0 ? " " : i + 1 == plan.decision.placed.size() ? " and " : ", ";
    text += workload.serving() != nullptr ? serving_text(workload, numbers) : training_text(workload, numbers);
  }
  text += price_text(request, plan);
  text += ".";
  if (const Binding* binding = binding_of_plan(plan.numbers.demand.workloads.front()))
    text += " Bottleneck: " + words_of_code(std::string(binding->code)) + ".";
  return text;
}

std::vector<Message> reasons_of(const PlanRequest& request, const std::vector<Plan>& plans, std::size_t index) {
  const Plan& plan = plans[index];
  std::vector<Message> reasons;
  const std::optional<std::size_t> unsure = unsure_memory(request, plan.numbers);
  if (unsure) reasons.push_back(memory_risk(request, plan, *unsure));
  const auto yearly = [&](std::size_t i) { return plans[i].verdict.usd_per_year; };
  if (plans.size() > 1 && yearly(index) && yearly(0)) {
    if (index == 0 && yearly(1) && !unsure)
      reasons.push_back(say("lowest-cost", "usd_per_year"_v = *yearly(0), "next_usd_per_year"_v = *yearly(1),
                            "next"_v = in_short(plans[1])));
    else if (index > 0 && *yearly(0) > 0)
      reasons.push_back(say("costs-more", "usd_per_year"_v = *yearly(index), "times"_v = *yearly(index) / *yearly(0)));
  }
  if (const double sites = request.constraints.sites; sites > 1) {
    const auto count = "sites"_v = sites;
    const auto gpus = "gpus"_v = sites * plan.numbers.demand.gpu_count;
    const auto share = "share"_v = 1 / request.constraints.carrying_sites();
    reasons.push_back(request.constraints.survives_site_loss ? say("sites/one-lost", count, gpus, share)
                                                             : say("sites", count, gpus, share));
    if (yearly(index)) reasons.push_back(say("cost-of-sites", count, "usd_per_year"_v = *yearly(index)));
  }
  if (plan.numbers.demand.shared && plan.numbers.demand.shared->shared)
    reasons.push_back(plan.numbers.demand.shared->reason);
  if (const auto& reserve = plan.numbers.demand.reserve)
    reasons.push_back(
        say("reserve", "reserve_gpus"_v = *reserve, "needed_gpus"_v = plan.numbers.demand.gpu_count - *reserve));
  if (plan.numbers.cost.followed)
    reasons.push_back(followed_day(plan.numbers));
  else if (plan.verdict.decision.way == Way::rent_on_demand)
    add_paid_hours(plan.numbers.cost, reasons);
  for (std::size_t i = 0; i < plan.numbers.demand.workloads.size(); ++i) {
    const WorkloadNumbers<NoTrace>& numbers = plan.numbers.demand.workloads[i];
    const PlanWorkload& workload = request.workloads[plan.decision.placed[i].index];
    if (numbers.serving) serving_reasons(reasons, plan.decision.placed[i], numbers);
    if (numbers.training) deadline_reason(reasons, *workload.training(), numbers);
    if (numbers.serving && numbers.serving->memory) reasons.push_back(memory_reason(*numbers.serving->memory));
    if (numbers.training && numbers.training->memory) reasons.push_back(memory_reason(*numbers.training->memory));
    if (const Binding* binding = binding_of_plan(numbers)) reasons.push_back(binding->says);
  }
  return reasons;
}

namespace {

/// Whose price the rent is, and what may become of it.
void add_rent_risks(const Catalog& catalog, const PlanRequest& request, const Plan& plan, std::vector<Message>& risks) {
  const auto& committed = plan.numbers.cost.committed;
  const auto& way = plan.verdict.decision.way;
  const RentMarket& market = way == Way::rent_committed && committed ? committed->offer.market
                             : way == Way::hybrid                    ? plan.numbers.cost.hybrid_market
                                                                     : plan.decision.pricing.market;
  if (market.chosen == nullptr) return;
  const CloudPrice& row = *market.chosen;
  const auto provider = "provider"_v = provider_name(row.provider);
  const auto as_of = "as_of"_v = row.as_of;
  const auto price = "usd_per_gpu_hour"_v = usd_an_hour(*market.chosen_per_gpu);
  const auto providers = "providers"_v = market.providers;
  const auto median = "median_usd_per_gpu_hour"_v = usd_an_hour(*market.median_per_gpu);
  if (row.segment == CloudSegment::quote) {
    const auto name = "name"_v = row.instance;
    risks.push_back(market.providers == 0 ? say("quoted-price/alone", provider, name, as_of, price)
                                          : say("quoted-price", provider, name, as_of, price, providers, median));
  } else {
    risks.push_back(market.providers == 1 ? say("list-price/alone", provider, as_of, price)
                                          : say("list-price", provider, as_of, price, providers,
                                                "lowest_usd_per_gpu_hour"_v = usd_an_hour(*market.lowest_per_gpu),
                                                "lowest_provider"_v = provider_name(market.lowest->provider), median));
    if (way == Way::rent_committed && committed->offer.term == RentTerm::contract)
      risks.push_back(say("contract-price", "terms"_v = row.contract_terms));
    if (market.providers < 3) risks.push_back(say("thin-market", providers));
    if (row.segment == CloudSegment::marketplace) risks.push_back(say("marketplace", provider));
    if (const auto trend = price_trend(catalog, row.gpu_id, request.economics.price_policy.as_of))
      risks.push_back(say("prices-move", "series"_v = trend->to->series, "before"_v = usd_an_hour(trend->from->low),
                          "after"_v = usd_an_hour(trend->to->low), "date"_v = trend->to->date));
  }
  const auto& rent = plan.numbers.cost.rent;
  const double machines = rent ? std::ceil(rent->billed_gpus / row.machine_gpus) : 0;
  if (plan.verdict.decision.way == Way::rent_on_demand && machines > kManyMachines)
    risks.push_back(say("many-machines", "machines"_v = machines));
}

/// A median further than this from the figure that is compared is told.
constexpr double kMedianAside = 0.02;

/// Of the ways that are drawn, where the figure compared is not the median.
void add_medians(const Plan& plan, std::vector<Message>& risks) {
  if (!plan.uncertainty) return;
  const auto& [costs, drawn, owned, rented] = *plan.uncertainty;
  const PlanCost<NoTrace>& cost = plan.numbers.cost;
  const auto tell = [&](Way way, UsdPerSecond compared, const CostSpread& spread) {
    if (!open(plan, way) || std::fabs(spread.p50 / compared - 1) < kMedianAside) return;
    risks.push_back(say("medians", "median_usd_per_year"_v = spread.p50 * years(1) / usd(1),
                        "way"_v = say_word<"way-phrase">(word_of(way, kWayWords)),
                        "usd_per_year"_v = compared * years(1) / usd(1)));
  };
  if (owned) tell(Way::own, cost.owning.total->yearly, drawn.own);
  if (rented) tell(Way::rent_on_demand, *cost.on_demand->yearly, drawn.rent);
  if (drawn.mixed) tell(Way::hybrid, cost.hybrid->total, *drawn.mixed);
}

/// Where the interval of a training's memory reaches above the GPU.
void add_memory_risks(const PlanRequest& request, const Plan& plan, std::vector<Message>& risks) {
  for (std::size_t i = 0; i < plan.numbers.demand.workloads.size(); ++i)
    if (const auto& training = plan.numbers.demand.workloads[i].training; training && may_not_fit(*training))
      risks.push_back(memory_risk(request, plan, i));
}

/// People read an answer before they ask again; this stands for such a pause.
constexpr Seconds kPause(60);

/// Where the request says less of its load than a plan depends on.
void add_load_risks(const PlanRequest& request, std::vector<Message>& risks) {
  for (const PlanWorkload& workload : request.workloads) {
    const ServingNeed* need = workload.serving();
    if (need == nullptr) continue;
    if (need->load.users && need->load.think_time_s == 0) {
      ServingNeed slower = *need;
      slower.load.think_time_s = kPause / seconds(1);
      NoTrace none;
      risks.push_back(say("users-at-once", "users"_v = *need->load.users,
                          "peak_requests_per_s"_v = need->peak_requests_per_s, "think_time_s"_v = kPause.base_units(),
                          "slower_requests_per_s"_v = peak_requests(none, slower).base_units()));
    }
    if (!need->mean_requests_per_s) risks.push_back(say("always-at-peak", "workload"_v = workload.name));
  }
}

}  // namespace

std::vector<Message> risks_of(const Catalog& catalog, const PlanRequest& request, const Plan& plan) {
  std::vector<Message> risks;
  const auto add = [&](const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) risks.push_back(as_written(sentence));
  };
  add_load_risks(request, risks);
  add_rent_risks(catalog, request, plan, risks);
  const bool owns = open(plan, Way::own) || open(plan, Way::hybrid);
  if (const std::string& caution = plan.decision.pricing.machines.caution; owns && !caution.empty())
    risks.push_back(say("price-of-machines", "caution"_v = as_written(caution)));
  add_memory_risks(request, plan, risks);
  if (serves(request)) risks.push_back(say("serving-times"));
  add_medians(plan, risks);
  if (const double growth = request.economics.demand_growth_per_year; growth != 0)
    risks.push_back(growth > 0 ? say("growth-in-costs/growing", "growth_per_year"_v = growth)
                               : say("growth-in-costs/shrinking", "shrinking_per_year"_v = -growth));
  if (plan.verdict.decision.way == Way::own && *plan.numbers.design->size.nodes == 1)
    risks.push_back(say("one-server"));
  for (const Infeasible& broken :
       broken_site_limits(request.constraints, need_of_owning(request.constraints, plan.numbers)))
    risks.push_back(say("not-all-owned", "limit"_v = broken.message));
  add(plan.numbers.cost.cautions);
  const auto add_messages = [&](const std::vector<Message>& more) { append(risks, more); };
  if (plan.numbers.cost.break_even) add_messages(plan.numbers.cost.break_even->cautions);
  if (plan.decision.design) add_messages(plan.decision.design->notes);
  return risks;
}

}  // namespace podwright
