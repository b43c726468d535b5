#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/cost_table.h"
#include "api/cost_terms.h"

namespace podwright {
namespace {

constexpr DisplayUnit kJoules{"", "J", 1.0};
constexpr DisplayUnit kPerSecondAndMegawatt{"", "1/s/MW", 1.0};

void describe_idle_hours(auto& v, const OwnedBill<Trace>& bill) {
  describe_idle(v, bill.idle);
  v.number({"idle_gpu_hours_per_year", "Idle GPU-hours per year", unit::kHours}, bill.idle_time);
}

/// Ways that were asked for and have no total, with the first reason.
std::vector<std::string> not_compared(const CostSides& sides) {
  std::vector<std::string> ways;
  if (sides.owned && !sides.owned->cost.total) ways.push_back("own: " + sides.owned->cost.missing.front());
  if (sides.rented && !sides.rented->years)
    ways.push_back("rent: " + (sides.rented->possible() ? sides.rented->cost.missing.front()
                                                        : sides.rented->asked.problems.front().message.text()));
  if (sides.hosted && !sides.hosted->rate) ways.emplace_back("hosted-api: the number of tokens is not given.");
  return ways;
}

void describe_decision(auto& v, const CostSides& sides) {
  const Decision<Trace>& decision = sides.decision;
  v.word(
      {"cheapest", "Cheapest option"}, [&] { return decision.ways.front().way; }, kCostWayWords);
  v.number({"saving_usd", "Saving over all years", unit::kUsd}, decision.saving);
  v.number({"saving_fraction", "Saving, share of the more expensive option"}, decision.saved);
  if (const auto part = v.when(decision.saving.has_value()))
    v.flag({"nearly_equal", "Practically equal"}, decision.nearly_equal);
  v.list({"ways", "Options, the cheapest first"}, decision.ways, [&](const PricedWay<Trace>& way) {
    v.word({"way"}, way.way, kCostWayWords);
    describe_present_value(v, way.present_value);
    v.number({"usd_per_year", "Total per year", unit::kUsdPerYear}, way.yearly);
  });
  v.fields(member_of(sides.owned, &OwnedSide<Trace>::bill), [&](const auto& bill) { describe_idle_hours(v, bill); });
  v.texts({"not_compared"}, [&] { return not_compared(sides); });
}

void describe_owned_total(auto& v, Trace& trace, const OwnedSide<Trace>& owned, const OwnedBill<Trace>& bill) {
  describe_owned_bill(v, bill.yearly, bill.available, bill.used, [&] { describe_idle_hours(v, bill); });
  describe_present_value(v, member_of(owned.cost.total, &OwnedTotal<Trace>::net_present_cost));
  if (const auto part = v.when(owned.asked.capital == CapitalMethod::annuity))
    v.number(
        {"usd_per_gpu_hour_available_straight_line", "One available GPU-hour, without interest", unit::kUsdPerHour},
        owned.cost.straight_line_available);
  v.fields(owned.work, [&](const OwnedWork<Trace>& work) {
    describe(v, work.prices);
    v.number({"joules_per_token", "Electricity of a token", kJoules}, work.energy_per_token);
    v.number({"tokens_per_s_per_mw", "Tokens per second and megawatt", kPerSecondAndMegawatt},
             work.tokens_per_s_per_megawatt);
  });
  if (const auto part = v.when(!bill.by_year.empty())) describe_owned_years(v, trace, bill.by_year);
}

void describe_owned_side(auto& v, Trace& trace, const OwnedSide<Trace>& owned) {
  v.fields(owned.cost.capital, [&](const OwnedCapital<Trace>& capital) {
    describe_capital(v, capital, owned.bill ? owned.bill->capital : capital.yearly);
  });
  v.fields(owned.cost.operation, [&](const auto& operation) { describe(v, operation); });
  v.fields(owned.bill, [&](const auto& bill) { describe_owned_total(v, trace, owned, bill); });
  v.object({"tax", "Tax saved by deductions"}, owned.tax, [&](const TaxNumbers<Trace>& tax) {
    v.number({"shield_usd", "Tax saved, value today", unit::kUsd}, tax.shield);
    v.column({"deductions_usd", "Deductions, year by year", unit::kUsd}, tax.years,
             [](const TaxYear<Trace>& year) { return year.deduction; });
  });
  v.texts({"missing"}, owned.cost.missing);
  v.texts({"cautions"}, owned.asked.cautions);
}

void describe_rented_years(auto& v, Trace& trace, const CloudCost<Trace>& cost, const CloudYears<Trace>& bills) {
  describe_rented_parts(v, cost, true);
  v.number({"usd_per_year", "Total per year", unit::kUsdPerYear}, cost.total);
  v.number({"usd_per_gpu_hour_used", "One used GPU-hour", unit::kUsdPerHour}, cost.total_per_used);
  v.number({"total_usd", "All years", unit::kUsd}, bills.total);
  describe_present_value(v, bills.present_value);
  int count = 0;
  v.list({"by_year", "Year by year"}, bills.years, [&](const CloudYear<Trace>& year) {
    describe_year(v, trace, ++count);
    v.number({"usd", "Bill", unit::kUsd}, year.bill);
    v.number({"discounted_usd", "In today's money", unit::kUsd}, year.discounted);
  });
}

void describe_rented_side(auto& v, Trace& trace, const CostRequest& r, const RentedSide<Trace>& rented) {
  const RentedTerms<Trace>& terms = rented.asked.terms;
  const CloudCost<Trace>& cost = rented.cost;
  if (const auto part = v.when(rented.years.has_value())) v.text({"summary"}, [&] { return rent_summary(r, rented); });
  v.word({"term"}, terms.term, kRentTermWords);
  if (const auto part = v.when(terms.commitment_years > 0))
    v.number({"commitment_years", "Years of the commitment", unit::kYears}, [&] {
      return r.cloud->commitment_years ? trace.input("/cloud/commitment_years", terms.commitment_years)
                                       : trace.constant("term_years", terms.commitment_years, "years of the term");
    });
  if (const auto part = v.when(rented.asked.row != nullptr))
    describe_aged_offer(v, rented.asked.row, rented.asked.age_days);
  v.fields(cost.price_per_gpu, [&](const auto& price) {
    v.number({"gpus_billed", "GPUs that are billed"}, terms.billed_gpus);
    v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour}, price);
  });
  v.object({"spot", "Interruptions"}, cost.spot, [&](const Goodput<Trace>& spot) {
    v.number({"checkpoint_interval_s", unit::kSeconds}, spot.interval);
    v.number({"goodput", "Goodput (productive share of time)"}, spot.share);
    v.number({"share_of_time", "Share of the time for which machines are rented"}, cost.spot_share_of_time);
    v.number({"usd_per_gpu_hour_effective", "One GPU-hour of progress", unit::kUsdPerHour},
             cost.effective_price_per_gpu);
  });
  v.fields(rented.years, [&](const auto& bills) { describe_rented_years(v, trace, cost, bills); });
  v.fields(rented.work, [&](const auto& work) { describe(v, work); });
  v.texts({"missing"}, cost.missing);
  v.texts({"cautions"}, rented.asked.cautions);
}

/// Why the split of the demand is not known.
std::vector<std::string> hybrid_missing(const CostSides& sides) {
  std::vector<std::string> missing;
  if (!sides.owned->cost.total) missing = sides.owned->cost.missing;
  for (const std::string& reason : sides.rented->cost.missing) missing.push_back(reason);
  for (const Infeasible& reason : sides.rented->asked.problems) missing.push_back(reason.message.text());
  return missing;
}

void describe_hybrid(auto& v, const CostSides& sides) {
  v.fields(sides.hybrid, [&](const auto& hybrid) { describe(v, hybrid); });
  if (const auto part = v.when(!sides.hybrid)) v.texts({"missing"}, [&] { return hybrid_missing(sides); });
}

void describe_uncertainty(auto& v, Trace& trace, const CostRequest& request, const UncertaintyAnswer& uncertainty) {
  v.texts({"not_drawn"}, uncertainty.problems);
  v.fields(uncertainty.numbers, [&](const auto& numbers) {
    describe_distribution(v, trace, trace.input("/uncertainty/draws", request.uncertainty.draws), numbers, true,
                          uncertainty.rented);
    describe_tornado(v, numbers);
    if (const auto part = v.when(uncertainty.rented)) describe_flips(v, numbers);
  });
}

void describe_prices_elsewhere(auto& v, Trace& trace, const CostRequest& request, const CostSides& sides) {
  if (const auto part = v.when(!sides.published.empty()))
    v.list({"published_break_evens", "Published break-evens"}, sides.published, [&](const PublishedRent& published) {
      v.text({"name"}, published.name);
      v.number({"break_even_hours", "Break-even", unit::kHours}, published.time);
      v.number({"implied_usd_per_hour", "Rent that it implies", unit::kUsdPerHour}, published.rent);
    });
  if (const auto part = v.when(!sides.markets.empty()))
    v.group({"market", "List prices"}, [&] {
      v.text({"gpu"}, [&] { return request.gpu->id; });
      v.text({"note"}, kListPriceNote);
      v.text({"as_of", "Price as of"}, unless_empty(request.as_of));
      v.list({"terms"}, sides.markets, [&](const MarketNumbers<Trace>& numbers) {
        describe(v, numbers);
        describe_bands(v, trace, numbers.market.bands);
      });
    });
}

/// `reasons`: why nothing can be rented.
void describe_answer(auto& v, Trace& trace, const Asked& asked, const CostRequest& request, const CostSides& sides,
                     const std::vector<Infeasible>& reasons, bool feasible) {
  const auto reason_of_renting = [&](const Infeasible& reason) {
    describe_reason(v, reason, trace, kCloudPage, "cost.shortfall");
  };
  v.text({"kind"}, "cost");
  v.flag({"feasible"}, feasible);
  v.text({"summary"}, [&] { return cost_summary(request, sides); });
  if (const auto part = v.when(!feasible)) v.list({"reasons"}, reasons, reason_of_renting);
  if (const auto part = v.when(feasible && !reasons.empty())) v.list({"rejected"}, reasons, reason_of_renting);
  if (const auto part = v.when(!sides.decision.ways.empty()))
    v.group({"decision"}, [&] { describe_decision(v, sides); });
  v.object({"on_premises", "Owned"}, sides.owned, [&](const auto& owned) { describe_owned_side(v, trace, owned); });
  v.object({"cloud", "Rented"}, sides.rented,
           [&](const auto& rented) { describe_rented_side(v, trace, request, rented); });
  v.object({"hosted_api", "Hosted API"}, sides.hosted);
  v.object({"break_even", "Break-even"}, sides.break_even);
  if (const auto part = v.when(request.demand.has_value()))
    v.group({"hybrid", "Own the base and rent the rest"}, [&] { describe_hybrid(v, sides); });
  v.fields(sides.uncertainty, [&](const auto& uncertainty) { describe_uncertainty(v, trace, request, uncertainty); });
  v.object({"carbon"}, sides.carbon, [&](const CarbonSide& carbon) {
    describe(v, carbon.year);
    v.texts({"missing"}, carbon.missing);
    v.texts({"cautions"}, carbon.cautions);
  });
  v.object({"fleet", "Failures of the fleet"}, sides.fleet);
  describe_prices_elsewhere(v, trace, request, sides);
  if (const auto part = v.when(!request.exports.empty()))
    describe_exports(v, v.real() ? cost_files(asked.catalog, request, sides) : ExportFiles{});
  describe_foot(v, asked, sides.assumed);
  describe_trace(v, request.explain ? &trace : nullptr);
}

}  // namespace

Answer answer_cost(const Asked& asked, const CostRequest& request) {
  Trace trace(sources_of(asked.assumptions));
  const CostSides sides = cost_sides(trace, asked.catalog, request);
  std::vector<Infeasible> reasons;
  if (sides.rented) reasons = sides.rented->asked.problems;
  for (Infeasible& reason : reasons) reason.ways_out = rented_ways_out(asked.catalog, asked.document, request);
  // Not where something else of what was asked can be done.
  const bool feasible = reasons.empty() || request.on_premises || request.hosted_api;
  return written_answer(&trace, feasible,
                        [&](AnswerWriter& v) { describe_answer(v, trace, asked, request, sides, reasons, feasible); });
}

void describe_cost_answer(AnswerShape& v) {
  Trace none;
  describe_answer(v, none, nothing_asked(), CostRequest{}, CostSides{}, {}, true);
}

}  // namespace podwright
