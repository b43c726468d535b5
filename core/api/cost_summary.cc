#include "api/cost_terms.h"
#include "base/number_text.h"
#include "base/words.h"
#include "cost/provider_name.h"

namespace podwright {
namespace {

/// Whole dollars from 1,000 up: two ways of the same size are told apart.
std::string dollars(Usd amount) {
  const double x = amount / usd(1);
  return x >= 1000 || x <= -1000 ? "$" + fixed_number(x, 0) : dollars_text(x);
}
std::string dollars_a_year(UsdPerSecond rate) { return dollars(rate * years(1)) + " a year"; }

std::string_view doing(CostWay way) {
  return way == CostWay::own ? "owning" : way == CostWay::rent ? "renting" : "a hosted interface";
}

std::string when(const CostRequest& r) {
  return "Over " + human_number(r.horizon_years) + (r.horizon_years == 1 ? " year" : " years") + " at " +
         percent_text(r.utilization) + " use, ";
}

std::string gpus(const CostRequest& r) { return human_number(r.gpu_count, 15) + (r.gpu_count == 1 ? " GPU" : " GPUs"); }

/// Which way is cheaper, and by how much.
std::string compared(const CostRequest& r, const Decision<Trace>& decision) {
  const PricedWay<Trace>& first = decision.ways[0];
  const std::string of_first = dollars(first.present_value.value);
  if (decision.ways.size() == 1)
    return when(r) + std::string(doing(first.way)) + (first.way == CostWay::hosted_api ? "" : " " + gpus(r)) +
           " costs " + of_first + " in today's money, " + dollars_a_year(first.yearly.value) + ".";
  const PricedWay<Trace>& second = decision.ways[1];
  const std::string of_second = dollars(second.present_value.value);
  std::string text = when(r);
  if (decision.nearly_equal)
    text += std::string(doing(first.way)) + " and " + std::string(doing(second.way)) +
            " cost the same to within 1 %: " + of_first + " and " + of_second + " in today's money for " + gpus(r);
  else
    text += std::string(doing(first.way)) + " is cheaper than " + std::string(doing(second.way)) + " by " +
            dollars(decision.saving->value) + " (" + percent_text(decision.saved->value) + "): " + of_first +
            " against " + of_second + " in today's money for " + gpus(r);
  for (std::size_t i = 2; i < decision.ways.size(); ++i)
    text += "; " + std::string(doing(decision.ways[i].way)) + " costs " + dollars(decision.ways[i].present_value.value);
  return text + ".";
}

/// A side that was asked for and has no total.
void add_missing(const CostSides& sides, std::vector<std::string>& sentences) {
  const auto add = [&](const std::string& side, const std::vector<std::string>& missing) {
    if (missing.empty()) return;
    sentences.push_back(side + " has no total: " + missing.front());
    if (missing.size() > 1) sentences.back() += " Also missing: " + std::to_string(missing.size() - 1) + ".";
  };
  if (sides.owned && !sides.owned->cost.total) add("Owning", sides.owned->cost.missing);
  if (sides.hosted && !sides.hosted->rate)
    sentences.emplace_back("The hosted API has no total: the number of tokens is not given.");
  if (!sides.rented || sides.rented->years) return;
  if (!sides.rented->asked.problems.empty())
    sentences.push_back("Renting is not possible as requested: " + sides.rented->asked.problems.front().message.text());
  else
    add("Renting", sides.rented->cost.missing);
}

/// From when on owning is cheaper, or that it never is.
void add_break_even(const CostRequest& r, const CostSides& sides, std::vector<std::string>& sentences) {
  if (!sides.break_even || !sides.break_even->priced) return;
  const BreakEven<Trace>& found = *sides.break_even;
  const bool committed = sides.rented && sides.rented->asked.terms.commitment_years > 0;
  const bool drifts = r.cloud && r.cloud->price_change_per_year != 0;
  if (found.utilization && !committed) {
    if (found.utilization->value > 1)
      sentences.emplace_back(drifts ? "At the rent of today renting is cheaper at every utilisation."
                                    : "Renting is cheaper at every utilisation.");
    else
      sentences.push_back(std::string(drifts ? "At the rent of today owning" : "Owning") + " is cheaper above " +
                          percent_text(found.utilization->value) + " utilisation.");
  }
  if (!found.time) {
    sentences.push_back("Owning never earns its purchase back. " + found.reason);
    return;
  }
  const bool hosted = !r.cloud;
  sentences.push_back(std::string(hosted ? "At the requested utilisation" : "At full utilisation") +
                      " the purchase is earned back after " + human_number(found.time->value / hours(730)) + " months" +
                      (found.time->value > years(r.horizon_years) ? ", later than the years it is planned for." : "."));
  if (found.sensitivity && found.sensitivity->value >= kIllConditioned)
    sentences.push_back("That time is ill-conditioned: 1 % of rent moves it by " +
                        human_number(found.sensitivity->value, 2) + " %.");
}

/// "all 20,000 draws"; nearly all are not all.
std::string share_of_draws(double share, double draws) {
  const std::string count = human_number(draws, 7) + " draws";
  if (!(share < 1)) return "all " + count;
  return (share > 0.9995 ? "more than 99.9 %" : percent_text(share)) + " of " + count;
}

/// How often the draws agree with the cheapest of owning and renting.
void add_certainty(const CostRequest& r, const CostSides& sides, std::vector<std::string>& sentences) {
  if (!sides.uncertainty || !sides.uncertainty->numbers || !sides.uncertainty->rented) return;
  const double owning = sides.uncertainty->numbers->probability_owning_is_cheaper.value;
  const bool mostly_own = owning >= 0.5;
  std::string text = std::string(mostly_own ? "Owning" : "Renting") + " is cheaper in " +
                     share_of_draws(mostly_own ? owning : 1 - owning, r.uncertainty.draws) + " of the uncertain inputs";
  for (const PricedWay<Trace>& way : sides.decision.ways) {
    if (way.way == CostWay::hosted_api) continue;
    if ((way.way == CostWay::own) != mostly_own) text += ", unlike with the typical numbers";
    break;
  }
  sentences.push_back(text + ".");
}

void add_hybrid(const CostSides& sides, std::vector<std::string>& sentences) {
  if (!sides.hybrid) return;
  const Hybrid<Trace>& hybrid = *sides.hybrid;
  std::string text = "For the demand given, owning " + human_number(hybrid.own_gpus.value) +
                     " GPUs and renting the rest costs " + dollars_a_year(hybrid.total.value);
  if (hybrid.all_rented) text += ", renting all of it " + dollars(hybrid.all_rented->value * years(1));
  if (hybrid.all_owned) text += ", owning all of it " + dollars(hybrid.all_owned->value * years(1));
  sentences.push_back(text + ".");
}

void add_idle(const CostRequest& r, const CostSides& sides, std::vector<std::string>& sentences) {
  if (!sides.owned || !sides.owned->bill || !(sides.owned->bill->idle.value > UsdPerSecond(0)) || r.utilization >= 1)
    return;
  sentences.push_back("Of owning, " + dollars_a_year(sides.owned->bill->idle.value) + " pays for unused hours.");
}

/// What failures do in a year, and what they take of each bill.
void add_fleet(const CostSides& sides, std::vector<std::string>& sentences) {
  if (!sides.fleet || !sides.fleet->numbers) return;
  const FleetSide<Trace>& fleet = *sides.fleet;
  std::string text = "GPUs fail " + human_number(fleet.numbers->failures.failures_per_year.value) + " times a year; " +
                     human_number(fleet.numbers->failures.spares->value, 15) + " spare servers are enough for " +
                     percent_text(fleet.numbers->failures.spares_suffice->value) + " of the time";
  if (fleet.goodput && fleet.goodput->share.value > 0) {
    text += "; a run moves on for " + percent_text(fleet.goodput->share.value) + " of its time";
    if (fleet.own) text += ", and the rest takes " + dollars_a_year(fleet.own->lost.value) + " of owning";
    if (fleet.rent)
      text += std::string(fleet.own ? " or " : ", and the rest takes ") + dollars_a_year(fleet.rent->lost.value) +
              " of renting";
  }
  sentences.push_back(text + ".");
}

}  // namespace

std::string cost_summary(const CostRequest& request, const CostSides& sides) {
  std::vector<std::string> sentences;
  if (!sides.decision.ways.empty()) sentences.push_back(compared(request, sides.decision));
  add_missing(sides, sentences);
  add_break_even(request, sides, sentences);
  add_certainty(request, sides, sentences);
  add_idle(request, sides, sentences);
  add_hybrid(sides, sentences);
  add_fleet(sides, sentences);
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
  return text.empty() ? "Nothing that was requested has a total." : text;
}

std::string rent_summary(const CostRequest& r, const RentedSide<Trace>& side) {
  const CloudPrice* row = side.asked.row;
  const std::string where =
      row == nullptr ? "" : " at " + provider_name(row->provider) + " (" + row->instance + ", " + row->region + ")";
  return gpus(r) + where + ", " + std::string(word_of(r.cloud->term, kRentTermWords)) + " at " +
         dollars_text(side.cost.price_per_gpu->value / usd_per_hour(1)) +
         " per GPU-hour: " + dollars_text(side.cost.total->value * years(1) / usd(1)) + " a year at " +
         human_number(100 * r.utilization) + " % use, " +
         dollars_text(side.cost.total_per_used->value / usd_per_hour(1)) + " per GPU-hour used.";
}

}  // namespace podwright
