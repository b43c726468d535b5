#include "plan/sentences.h"

#include "base/number_text.h"

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
std::string milliseconds_text(Seconds time) { return human_number(time.base_units() * 1e3, 3) + " ms"; }
std::string yearly_text(UsdPerSecond rate) { return dollars_text(raw(rate * years(1))); }
std::string hourly_text(UsdPerSecond rate) { return dollars_text(raw(rate * hours(1))); }
std::string percent_text(double share) { return human_number(share * 100, 2) + " %"; }

std::string machines_text(const Plan& plan) {
  if (!plan.numbers.design) return "";
  return " in " + count_text(*plan.numbers.design->size.nodes) + " x " + plan.decision.design->parts.system->name;
}

std::string serving_text(const PlanWorkload& workload, const WorkloadNumbers<NoTrace>& numbers) {
  std::string text =
      "serve " + human_number(workload.peak_requests_per_s, 4) + " requests/s of " + workload.model->name;
  if (numbers.serving->performance && numbers.serving->performance->tpot)
    text += " at " + milliseconds_text(*numbers.serving->performance->tpot) + " per output token (mean)";
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
    reasons.push_back("Time per output token " + milliseconds_text((*percentiles->tpot)[kP95]) +
                      " at the 95th percentile, limit " + milliseconds_text(Seconds(*workload.tpot_s_max)) + ".");
  if (workload.ttft_s_max)
    reasons.push_back("Time to the first token " + milliseconds_text(percentiles->ttft[kP95]) +
                      " at the 95th percentile, limit " + milliseconds_text(Seconds(*workload.ttft_s_max)) + ".");
}

bool above_budget(const PlanRequest& request, const Plan& plan) {
  const std::optional<double>& budget = request.constraints.budget_usd;
  return budget && plan.numbers.machines && plan.numbers.machines->typical > usd(*budget);
}

bool above_site_power(const PlanRequest& request, const Plan& plan) {
  const std::optional<double>& site = request.constraints.site_power_kw;
  return site && plan.numbers.energy && plan.numbers.energy->facility_power_max > kw(*site);
}

template <class Memory>
std::string memory_reason(const Memory& memory) {
  return "Each GPU holds " + gib_text(memory.total) + " of " + gib_text(memory.capacity) + " GiB.";
}

}  // namespace

std::string summary_of(const PlanRequest& request, const Plan& plan) {
  std::string text = count_text(plan.numbers.gpu_count) + " x " + plan.decision.gpu->name + machines_text(plan);
  for (std::size_t i = 0; i < plan.decision.placed.size(); ++i) {
    const PlanWorkload& workload = request.workloads[plan.decision.placed[i].index];
    const WorkloadNumbers<NoTrace>& numbers = plan.numbers.workloads[i];
    text += i == 0 ? " " : i + 1 == plan.decision.placed.size() ? " and " : ", ";
    text += workload.type == WorkloadType::serving ? serving_text(workload, numbers) : training_text(workload, numbers);
  }
  if (plan.numbers.million_output_tokens) {
    text += " for " + dollars_text(plan.numbers.million_output_tokens->base_units()) +
            " per million output tokens, rented on demand";
  } else if (plan.numbers.rent) {
    text += " for " + hourly_text(plan.numbers.rent->rent) + " an hour, rented on demand";
  }
  text += ".";
  if (const Binding* binding = binding_of_plan(plan.numbers.workloads.front()))
    text += " Limit: " + words_of_code(binding->code) + ".";
  return text;
}

std::string decision_of(const PlanRequest& request, const Plan& plan) {
  const BuyOrRent<NoTrace>& compared = plan.numbers.buy_or_rent;
  if (!compared.own || !compared.rent || above_budget(request, plan) || above_site_power(request, plan)) return "";
  const std::string sums = "Renting on demand all year costs " + yearly_text(*compared.rent) +
                           ", servers and electricity " + yearly_text(*compared.own) + " a year. ";
  if (*compared.break_even_utilization >= 1) return sums + "Renting is cheaper even at full use.";
  return sums + "Above " + percent_text(*compared.break_even_utilization) +
         " use owning costs less, before network, storage, staff and licences, which are not in this sum.";
}

std::vector<std::string> reasons_of(const PlanRequest& request, const std::vector<Plan>& plans, std::size_t index) {
  const Plan& plan = plans[index];
  std::vector<std::string> reasons;
  if (plans.size() > 1 && plan.numbers.rent && plans.front().numbers.rent) {
    const UsdPerSecond rent = plan.numbers.rent->rent;
    const UsdPerSecond first = plans.front().numbers.rent->rent;
    if (index == 0 && plans[1].numbers.rent) {
      reasons.push_back("Lowest rent of the plans that meet every limit: " + hourly_text(rent) + " an hour against " +
                        hourly_text(plans[1].numbers.rent->rent) + " for the next.");
    } else if (index > 0) {
      reasons.push_back("Rent " + hourly_text(rent) + " an hour, " + human_number(rent / first, 3) +
                        " times the first plan's.");
    }
  }
  for (std::size_t i = 0; i < plan.numbers.workloads.size(); ++i) {
    const WorkloadNumbers<NoTrace>& numbers = plan.numbers.workloads[i];
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
  if (plan.decision.market.cheapest != nullptr) {
    const CloudPrice& row = *plan.decision.market.cheapest;
    risks.push_back("The rent is a list price of " + row.provider + " of " + row.as_of + ", the lowest of " +
                    count_text(plan.decision.market.offers) + " offers" +
                    (plan.decision.market.median_per_gpu
                         ? "; the middle of " + count_text(plan.decision.market.providers) + " providers asks " +
                               hourly_text(*plan.decision.market.median_per_gpu) + " per GPU-hour"
                         : "") +
                    ". What is paid may differ.");
  }
  if (!plan.decision.machines.caution.empty())
    risks.push_back("Price of the machines: " + plan.decision.machines.caution);
  if (serves(request))
    risks.push_back(
        "Times of serving come from a step model fitted on published runs; a request of kind serving tells the 90 % "
        "interval of each (docs/method/accuracy.md).");
  const PlanConstraints& site = request.constraints;
  if (above_budget(request, plan))
    risks.push_back("Servers cost about " + dollars_text(plan.numbers.machines->typical.base_units()) +
                    ", above the budget of " + dollars_text(*site.budget_usd) + ": rent, or buy less.");
  if (above_site_power(request, plan))
    risks.push_back("The machines draw " + human_number(plan.numbers.energy->facility_power_max.base_units() / 1e3, 3) +
                    " kW at the meter, above the site's " + human_number(*site.site_power_kw, 3) +
                    " kW: rent, or use less.");
  if (plan.decision.design)
    for (const std::string& note : plan.decision.design->notes) risks.push_back(note);
  return risks;
}

std::vector<std::string> flips_of(const PlanRequest& request, const std::vector<Plan>& plans) {
  std::vector<std::string> flips;
  if (plans.size() > 1 && plans[0].numbers.rent && plans[1].numbers.rent) {
    const double ratio = plans[1].numbers.rent->rent / plans[0].numbers.rent->rent;
    flips.push_back("The second plan (" + plans[1].decision.gpu->name +
                    ") becomes the cheaper one to rent when its GPU-hour falls below " +
                    hourly_text(plans[1].numbers.rent->per_gpu / ratio) + " (now " +
                    hourly_text(plans[1].numbers.rent->per_gpu) + ").");
  }
  if (!plans.empty() && !above_budget(request, plans[0]) && !above_site_power(request, plans[0]) &&
      plans[0].numbers.buy_or_rent.break_even_utilization && *plans[0].numbers.buy_or_rent.break_even_utilization < 1)
    flips.push_back("Below " + percent_text(*plans[0].numbers.buy_or_rent.break_even_utilization) +
                    " use renting by the hour costs less than owning the servers of the first plan.");
  return flips;
}

}  // namespace podwright
