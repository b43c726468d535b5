#include "plan/sentences.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "cost/provider_name.h"
#include "cost/tornado.h"
#include "plan/site_limits.h"

namespace podwright {
namespace {

/// "2 billion", "15 trillion"; smaller numbers in digits.
std::string large_text(double count) {
  if (count >= 1e12) return human_number(count / 1e12, 3) + " trillion";
  if (count >= 1e9) return human_number(count / 1e9, 3) + " billion";
  if (count >= 1e6) return human_number(count / 1e6, 3) + " million";
  return human_number(count, 6);
}

std::string count_text(double count) { return human_number(count, 12); }
std::string gib_text(Bytes amount) { return human_number(amount.base_units() / unit::kGib.base_units, 3); }
/// Milliseconds below a second.
std::string latency_text(Seconds time) {
  const double seconds = time.base_units();
  return seconds < 1 ? human_number(seconds * 1e3, 3) + " ms" : human_number(seconds, 3) + " s";
}
std::string hourly_text(UsdPerSecond rate) { return dollars_text(raw(rate * hours(1))); }

/// Of a plan that owns machines.
std::string machines_text(const Plan& plan) {
  const std::optional<Way>& way = plan.verdict.decision.way;
  const bool rents = way && (*way == Way::rent_on_demand || *way == Way::rent_committed);
  if (!plan.numbers.design || rents) return "";
  if (way == Way::hybrid && plan.numbers.cost.hybrid)
    return " (" + count_text(plan.numbers.cost.hybrid->own_gpus) + " of them owned)";
  return " in " + count_text(*plan.numbers.design->size.nodes) + " x " + plan.decision.design->parts.system->name;
}

std::string serving_text(const PlanWorkload& workload, const WorkloadNumbers<NoTrace>& numbers) {
  std::string text =
      "serve " + human_number(workload.peak_requests_per_s, 4) + " requests/s of " + workload.model->name;
  if (numbers.serving->performance && numbers.serving->performance->tpot)
    text += " at " + latency_text(*numbers.serving->performance->tpot) + " per output token (mean)";
  return text;
}

std::string training_text(const PlanWorkload& workload, const WorkloadNumbers<NoTrace>& numbers) {
  std::string text = "train " + workload.model->name + " on " + large_text(workload.tokens) + " tokens";
  if (numbers.run_time) text += " in " + human_number(*numbers.run_time / days(1), 3) + " days";
  return text;
}

const Binding* binding_of_plan(const WorkloadNumbers<NoTrace>& numbers) {
  if (numbers.serving && numbers.serving->performance) return &numbers.serving->performance->binding;
  if (numbers.training && numbers.training->step) return &numbers.training->step->binding;
  return nullptr;
}

/// "_" in a name reads as a space in a sentence.
std::string words_of_name(std::string_view name) {
  std::string words(name);
  for (char& c : words)
    if (c == '_') c = ' ';
  return words;
}

/// "-" in a code reads as a space in a sentence.
std::string words_of_code(std::string code) {
  for (char& c : code)
    if (c == '-') c = ' ';
  return code;
}

void latency_reasons(std::vector<std::string>& reasons, const PlanWorkload& workload,
                     const WorkloadNumbers<NoTrace>& numbers) {
  const auto& percentiles = numbers.serving->performance->percentiles;
  if (!percentiles) return;
  constexpr std::size_t kP95 = 2;
  static_assert(kPercentiles[kP95] == Percentile::p95);
  if (workload.tpot_s_max && percentiles->tpot)
    reasons.push_back("Time per output token " + latency_text((*percentiles->tpot)[kP95]) +
                      " at the 95th percentile, limit " + latency_text(Seconds(*workload.tpot_s_max)) + ".");
  if (workload.ttft_s_max)
    reasons.push_back("Time to the first token " + latency_text(percentiles->ttft[kP95]) +
                      " at the 95th percentile, limit " + latency_text(Seconds(*workload.ttft_s_max)) + ".");
}

constexpr std::string_view kWayEndings[] = {"rented on demand", "rented with a commitment", "owned",
                                            "owned in part and rented at the peaks"};

/// "for $0.51 per million output tokens, rented on demand"
std::string price_text(const Plan& plan) {
  const PlanVerdict& verdict = plan.verdict;
  if (!verdict.decision.way || !verdict.usd_per_year) return "";
  const std::string way(kWayEndings[static_cast<std::size_t>(*verdict.decision.way)]);
  const UsdPerSecond bill = usd(*verdict.usd_per_year) / years(1);
  if (const auto tokens = million_output_tokens(plan.numbers.cost, bill))
    return " for " + dollars_text(tokens->base_units()) + " per million output tokens, " + way;
  return " for " + dollars_text(*verdict.usd_per_year) + " a year, " + way;
}

/// An input with its unit; "of rent per GPU-hour" follows a sum of dollars, as people speak of it.
struct InputWords {
  std::string name;
  std::string sign;
};
InputWords words_of_input(CostInput input) {
  const CostInputWord& word = kCostInputWords[index_of(input)];
  const std::string_view sign = word.unit.sign;
  switch (input) {
    case CostInput::rent_per_gpu:
      return {"rent per GPU-hour", "USD"};
    case CostInput::license_per_gpu:
      return {"licence per GPU", std::string(sign)};
    case CostInput::pue:
      return {"PUE", ""};
    case CostInput::it_power:
      return {"power of the machines", std::string(sign)};
    case CostInput::staff_fte:
      return {"full-time staff", ""};
    default:
      return {words_of_name(word.name), sign == unit::kNone.sign ? "" : std::string(sign)};
  }
}

/// "$2.34", "$0.08/kWh", "12 kW".
std::string amount_text(double number, const std::string& sign) {
  constexpr std::string_view kUsd = "USD";
  if (sign.rfind(kUsd, 0) != 0) return human_number(number, 3) + (sign.empty() ? "" : " " + sign);
  const std::string sum = std::fabs(number) < 1000 ? dollars_text(number) : "$" + human_number(number, 3);
  return sum + sign.substr(kUsd.size());
}

/// "Owning and renting cost the same at a utilization of 0.41 (now 0.25), which lies inside its range."
std::string flip_text(const DecisionFlip& flip) {
  const InputWords words = words_of_input(flip.input);
  const double unit = kCostInputWords[index_of(flip.input)].unit.base_units;
  const auto shown = [&](double number) { return amount_text(number / unit, words.sign); };
  return "Owning and renting cost the same at " + shown(*flip.value) + " of " + words.name + " (now " +
         shown(flip.typical) + (flip.inside_range ? "), which lies inside its range." : "), outside its range.");
}

/// May the plan be paid for in this way?
bool open(const Plan& plan, Way way) {
  const std::vector<ExcludedWay>& excluded = plan.verdict.decision.excluded;
  return std::none_of(excluded.begin(), excluded.end(), [&](const ExcludedWay& item) { return item.way == way; });
}

template <class Memory>
std::string memory_reason(const Memory& memory) {
  return "Each GPU holds " + gib_text(memory.total) + " of " + gib_text(memory.capacity) + " GiB.";
}

}  // namespace

std::string summary_of(const PlanRequest& request, const Plan& plan) {
  std::string text = count_text(plan.numbers.demand.gpu_count) + " x " + plan.decision.gpu->name + machines_text(plan);
  for (std::size_t i = 0; i < plan.decision.placed.size(); ++i) {
    const PlanWorkload& workload = request.workloads[plan.decision.placed[i].index];
    const WorkloadNumbers<NoTrace>& numbers = plan.numbers.demand.workloads[i];
    text += i == 0 ? " " : i + 1 == plan.decision.placed.size() ? " and " : ", ";
    text += workload.type == WorkloadType::serving ? serving_text(workload, numbers) : training_text(workload, numbers);
  }
  text += price_text(plan);
  text += ".";
  if (const Binding* binding = binding_of_plan(plan.numbers.demand.workloads.front()))
    text += " Limit: " + words_of_code(binding->code) + ".";
  return text;
}

std::vector<std::string> reasons_of(const PlanRequest& request, const std::vector<Plan>& plans, std::size_t index) {
  const Plan& plan = plans[index];
  std::vector<std::string> reasons;
  const auto yearly = [&](std::size_t i) { return plans[i].verdict.usd_per_year; };
  if (plans.size() > 1 && yearly(index) && yearly(0)) {
    if (index == 0 && yearly(1)) {
      reasons.push_back("Lowest cost of the plans that meet every limit: " + dollars_text(*yearly(0)) +
                        " a year against " + dollars_text(*yearly(1)) + " for the next.");
    } else if (index > 0) {
      reasons.push_back("Costs " + dollars_text(*yearly(index)) + " a year, " +
                        human_number(*yearly(index) / *yearly(0), 3) + " times the first plan.");
    }
  }
  if (plan.numbers.demand.shared && plan.numbers.demand.shared->shared)
    reasons.push_back(plan.numbers.demand.shared->reason);
  for (std::size_t i = 0; i < plan.numbers.demand.workloads.size(); ++i) {
    const WorkloadNumbers<NoTrace>& numbers = plan.numbers.demand.workloads[i];
    const PlanWorkload& workload = request.workloads[plan.decision.placed[i].index];
    if (numbers.serving && numbers.serving->performance) latency_reasons(reasons, workload, numbers);
    if (numbers.serving && numbers.serving->memory) reasons.push_back(memory_reason(*numbers.serving->memory));
    if (numbers.training && numbers.training->memory) reasons.push_back(memory_reason(*numbers.training->memory));
    if (const Binding* binding = binding_of_plan(numbers)) reasons.push_back(binding->message);
  }
  return reasons;
}

std::vector<std::string> risks_of(const PlanRequest& request, const Plan& plan) {
  std::vector<std::string> risks;
  if (plan.decision.pricing.market.cheapest != nullptr) {
    const CloudPrice& row = *plan.decision.pricing.market.cheapest;
    risks.push_back("The rent is a list price of " + provider_name(row.provider) + " of " + row.as_of +
                    ", the lowest of " + count_text(plan.decision.pricing.market.offers) + " offers" +
                    (plan.decision.pricing.market.median_per_gpu
                         ? "; the middle of " + count_text(plan.decision.pricing.market.providers) +
                               " providers asks " + hourly_text(*plan.decision.pricing.market.median_per_gpu) +
                               " per GPU-hour"
                         : "") +
                    ". What is paid may differ.");
  }
  if (!plan.decision.pricing.machines.caution.empty())
    risks.push_back("Price of the machines: " + plan.decision.pricing.machines.caution);
  if (serves(request))
    risks.push_back(
        "Times of serving come from a step model fitted on published runs; the estimate of a serving workload by "
        "itself (the page Serving, a request of kind serving) tells the 90 % interval of each.");
  for (const Infeasible& broken : broken_site_limits(request.constraints, need_of_owning(plan.numbers)))
    risks.push_back("Not all of it can be owned: " + broken.message);
  for (const std::string& caution : plan.numbers.cost.cautions) risks.push_back(caution);
  if (plan.numbers.cost.break_even)
    for (const std::string& caution : plan.numbers.cost.break_even->cautions) risks.push_back(caution);
  if (plan.decision.design)
    for (const std::string& note : plan.decision.design->notes) risks.push_back(note);
  return risks;
}

std::vector<std::string> flips_of(const PlanRequest& request, const std::vector<Plan>& plans) {
  std::vector<std::string> flips;
  if (plans.empty()) return flips;
  const Plan& first = plans.front();
  const auto other = std::find_if(plans.begin(), plans.end(),
                                  [&](const Plan& plan) { return plan.decision.gpu->id != first.decision.gpu->id; });
  if (other != plans.end() && first.verdict.decision.way == Way::rent_on_demand && first.numbers.cost.rent &&
      other->numbers.cost.rent && may_rent(request)) {
    const RentCost<NoTrace>& rent = *other->numbers.cost.rent;
    const double ratio = rent.rent / first.numbers.cost.rent->rent;
    if (ratio > 1)
      flips.push_back("The plan on " + other->decision.gpu->name +
                      " becomes the cheaper one to rent when its GPU-hour falls below " +
                      hourly_text(rent.per_gpu / ratio) + " (now " + hourly_text(rent.per_gpu) + ").");
  }
  if (first.uncertainty && open(first, Way::own) && open(first, Way::rent_on_demand))
    for (const DecisionFlip& flip : decision_flips(first.uncertainty->costs))
      if (flip.value) flips.push_back(flip_text(flip));
  return flips;
}

}  // namespace podwright
