#include "api/write_uncertainty.h"

namespace podwright {
namespace {

using Numbers = UncertaintyNumbers<Trace>;

void write_spread(JsonWriter& out, std::string_view key, const DisplayUnit& unit, const Numbers::Spread& spread) {
  out.begin_object(key);
  out.quantity_as("p10", unit, spread.p10);
  out.quantity_as("p50", unit, spread.p50);
  out.quantity_as("p90", unit, spread.p90);
  out.end_object();
}

}  // namespace

void write_distribution(JsonWriter& out, const Traced<double>& draws, const Numbers& numbers, bool rented) {
  out.begin_object("distribution");
  out.quantity_as("draws", unit::kNone, draws);
  write_spread(out, "usd_per_gpu_hour_used", unit::kUsdPerHour, numbers.used_gpu);
  write_spread(out, "own_usd_per_year", unit::kUsdPerYear, numbers.own);
  if (rented) {
    write_spread(out, "rent_usd_per_year", unit::kUsdPerYear, numbers.rent);
    write_spread(out, "own_minus_rent_usd_per_year", unit::kUsdPerYear, numbers.own_minus_rent);
    out.quantity("probability_owning_is_cheaper", unit::kNone, numbers.probability_owning_is_cheaper);
  }
  out.end_object();
}

void write_tornado(JsonWriter& out, const Numbers& numbers) {
  out.begin_list("tornado");
  for (const Numbers::Bar& bar : numbers.tornado) {
    out.begin_object();
    out.text("input", kCostInputWords[index_of(bar.input)].name);
    out.quantity_as("usd_per_gpu_hour_used_at_low", unit::kUsdPerHour, bar.at_low);
    out.quantity_as("usd_per_gpu_hour_used_at_high", unit::kUsdPerHour, bar.at_high);
    out.quantity_as("swing_usd_per_gpu_hour", unit::kUsdPerHour, bar.swing);
    out.end_object();
  }
  out.end_list();
}

void write_flips(JsonWriter& out, const Numbers& numbers) {
  out.begin_list("decision_flips");
  for (const Numbers::Flip& flip : numbers.flips) {
    if (!flip.value) continue;
    const CostInputWord& word = kCostInputWords[index_of(flip.input)];
    out.begin_object();
    out.text("input", word.name);
    out.text("unit", word.unit.sign);
    out.quantity("value", unit::kNone, *flip.value);
    out.boolean("inside_range", flip.inside_range);
    out.end_object();
  }
  out.end_list();
}

}  // namespace podwright
