#include <array>

#include "api/write_common.h"
#include "api/write_cost.h"
#include "cost/default_ranges.h"
#include "cost/monte_carlo.h"
#include "cost/tornado.h"
#include "cost/uncertain_owning.h"

namespace podwright {
namespace {

constexpr const char* kTornadoPage = "docs/method/uncertainty.md#tornado";

/// The inputs that a request may give a range for, in the order of kCostRangeNames, and the unit of their numbers.
struct RangedInput {
  CostInput input;
  double base_units;
};
constexpr std::array<RangedInput, kCostRangeNames.size()> kRangedInputs{{{CostInput::utilization, 1},
                                                                         {CostInput::life_years, 1},
                                                                         {CostInput::discount_rate, 1},
                                                                         {CostInput::servers, 1},
                                                                         {CostInput::network, 1},
                                                                         {CostInput::residual_fraction, 1},
                                                                         {CostInput::pue, 1},
                                                                         {CostInput::electricity_price, 1.0 / 3.6e6},
                                                                         {CostInput::support_fraction, 1},
                                                                         {CostInput::license_per_gpu, 1.0 / 31536000},
                                                                         {CostInput::staff_fte, 1},
                                                                         {CostInput::rent_per_gpu, 1.0 / 3600},
                                                                         {CostInput::rent_growth, 1}}};

/// The rent of the request beside the owned machines; without one the owned side is drawn alone.
void add_rent(const CostRequest& request, const CostSides& sides, UncertainCosts& costs) {
  if (!sides.cloud || !sides.cloud->cost.price_per_gpu) return;
  const CloudCost<Trace>& cost = sides.cloud->cost;
  const auto& each = cost.effective_price_per_gpu ? cost.effective_price_per_gpu : cost.price_per_gpu;
  costs[CostInput::rent_per_gpu] = certain(each->value);
  costs[CostInput::rent_growth] = certain(request.cloud->price_change_per_year);
  if (cost.steady) costs[CostInput::rent_other] = certain(cost.steady->value);
  costs.commitment_years = sides.cloud->inputs.commitment_years;
}

void add_ranges(const Catalog& catalog, const CostRequest& request, UncertainCosts& costs) {
  for (std::size_t i = 0; i < kRangedInputs.size(); ++i) {
    const auto [input, base] = kRangedInputs[i];
    UncertainNumber& number = costs[input];
    const CostRange& asked = request.uncertainty.ranges[i];
    if (asked.low || asked.high)
      number = between(asked.low ? *asked.low * base : number.typical, number.typical,
                       asked.high ? *asked.high * base : number.typical);
    else if (number.typical != 0)
      number = default_range(catalog, input, number.typical).number;
  }
  costs.utilization_rent_correlation = request.uncertainty.price_utilization_correlation.value_or(0);
}

class UncertaintyWriter {
 public:
  UncertaintyWriter(JsonWriter& out, Trace& trace, const UncertainCosts& costs, bool rented)
      : out_(out), trace_(trace), costs_(costs), rented_(rented) {}

  void distribution(const CostRequest& request) {
    const CostDistribution drawn = draw_costs(costs_, static_cast<std::size_t>(request.uncertainty.draws),
                                              static_cast<std::uint64_t>(request.uncertainty.seed));
    out_.begin_object("distribution");
    out_.number("draws", static_cast<double>(drawn.draws));
    spread("usd_per_gpu_hour_used", unit::kUsdPerHour, drawn.used_gpu);
    spread("own_usd_per_year", unit::kUsdPerYear, drawn.own);
    if (rented_) {
      spread("rent_usd_per_year", unit::kUsdPerYear, drawn.rent);
      spread("own_minus_rent_usd_per_year", unit::kUsdPerYear, drawn.own_minus_rent);
      out_.quantity(
          "probability_owning_is_cheaper", unit::kNone,
          trace_.method("cost.probability_owning_is_cheaper", drawn.probability_owning_is_cheaper, kDrawsPage));
    }
    out_.end_object();
  }

  void tornado_bars() {
    out_.begin_list("tornado");
    for (const TornadoBar& bar : tornado(costs_, CostResult::used_gpu)) {
      out_.begin_object();
      out_.text("input", kCostInputWords[index_of(bar.input)].name);
      rate("usd_per_gpu_hour_used_at_low", unit::kUsdPerHour, bar.at_low, kTornadoPage);
      rate("usd_per_gpu_hour_used_at_high", unit::kUsdPerHour, bar.at_high, kTornadoPage);
      rate("swing_usd_per_gpu_hour", unit::kUsdPerHour, bar.swing, kTornadoPage);
      out_.end_object();
    }
    out_.end_list();
  }

  void flips() {
    if (!rented_) return;
    out_.begin_list("decision_flips");
    for (const DecisionFlip& flip : decision_flips(costs_)) {
      if (!flip.value) continue;
      const CostInputWord& word = kCostInputWords[index_of(flip.input)];
      out_.begin_object();
      out_.text("input", word.name);
      number("typical", word.unit, flip.typical);
      number("at", word.unit, *flip.value);
      out_.boolean("inside_range", flip.inside_range);
      out_.end_object();
    }
    out_.end_list();
  }

 private:
  void number(std::string_view key, const DisplayUnit& unit, double base) {
    out_.quantity(key, unit, trace_.method("cost.decision_flip", base, kTornadoPage));
  }
  void rate(std::string_view key, const DisplayUnit& unit, UsdPerSecond value, const char* page) {
    out_.quantity_as(key, unit, trace_.method("cost.tornado", value, page));
  }
  void spread(std::string_view key, const DisplayUnit& unit, const CostSpread& spread) {
    out_.begin_object(key);
    out_.quantity_as("p10", unit, trace_.method("cost.drawn", spread.p10, kDrawsPage));
    out_.quantity_as("p50", unit, trace_.method("cost.drawn", spread.p50, kDrawsPage));
    out_.quantity_as("p90", unit, trace_.method("cost.drawn", spread.p90, kDrawsPage));
    out_.end_object();
  }

  JsonWriter& out_;
  Trace& trace_;
  const UncertainCosts& costs_;
  bool rented_;
};

}  // namespace

void write_uncertainty(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request,
                       const CostSides& sides) {
  if (!sides.owned) return;
  std::optional<UncertainCosts> costs = certain_owning(sides.owned->inputs);
  if (!costs) return;
  add_rent(request, sides, *costs);
  add_ranges(catalog, request, *costs);
  CostInput input{};
  if (const std::string_view problem = uncertain_costs_problem(*costs, input); !problem.empty()) {
    write_texts(out, "not_drawn", {std::string(kCostInputWords[index_of(input)].name) + ": " + std::string(problem)});
    return;
  }
  UncertaintyWriter writer(out, trace, *costs, (*costs)[CostInput::rent_per_gpu].typical > 0);
  writer.distribution(request);
  writer.tornado_bars();
  writer.flips();
}

}  // namespace podwright
