#include "api/write_uncertainty.h"

namespace podwright {
namespace {

template <class Spread>
void write_spread(JsonWriter& out, std::string_view key, const DisplayUnit& unit, const Spread& spread) {
  out.begin_object(key);
  out.quantity_as("p10", unit, spread.p10);
  out.quantity_as("p50", unit, spread.p50);
  out.quantity_as("p90", unit, spread.p90);
  out.end_object();
}

template <class Fan>
void write_fan(JsonWriter& out, std::string_view key, const Fan& fan) {
  out.begin_object(key);
  for (std::size_t i = 0; i < fan.size(); ++i) out.quantity_as(kFanNames[i], unit::kUsd, fan[i]);
  out.end_object();
}

template <class Tracer>
void write_paid(JsonWriter& out, Tracer& trace, const UncertaintyNumbers<Tracer>& numbers, bool rented) {
  if (numbers.paid.empty()) return;
  out.begin_list("paid_by_year");
  for (const auto& year : numbers.paid) {
    out.begin_object();
    const std::string name = "year_" + std::to_string(year.years);
    out.quantity_as("year", unit::kNone, trace.constant(name, static_cast<double>(year.years), "count of years"));
    write_fan(out, "own_usd", year.own);
    if (rented) write_fan(out, "rent_usd", year.rent);
    out.end_object();
  }
  out.end_list();
}

}  // namespace

template <class Tracer>
void write_distribution(JsonWriter& out, Tracer& trace, const typename Tracer::template Known<double>& draws,
                        const UncertaintyNumbers<Tracer>& numbers, bool rented) {
  out.begin_object("distribution");
  out.quantity_as("draws", unit::kNone, draws);
  write_spread(out, "usd_per_gpu_hour_used", unit::kUsdPerHour, numbers.used_gpu);
  write_spread(out, "own_usd_per_year", unit::kUsdPerYear, numbers.own);
  if (rented) {
    write_spread(out, "rent_usd_per_year", unit::kUsdPerYear, numbers.rent);
    write_spread(out, "own_minus_rent_usd_per_year", unit::kUsdPerYear, numbers.own_minus_rent);
    out.quantity("probability_owning_is_cheaper", unit::kNone, numbers.probability_owning_is_cheaper);
  }
  write_paid(out, trace, numbers, rented);
  out.end_object();
}

template <class Tracer>
void write_tornado(JsonWriter& out, const UncertaintyNumbers<Tracer>& numbers) {
  out.begin_list("tornado");
  for (const auto& bar : numbers.tornado) {
    out.begin_object();
    out.text("input", kCostInputWords[index_of(bar.input)].name);
    out.quantity_as("usd_per_gpu_hour_used_at_low", unit::kUsdPerHour, bar.at_low);
    out.quantity_as("usd_per_gpu_hour_used_at_high", unit::kUsdPerHour, bar.at_high);
    out.quantity_as("swing_usd_per_gpu_hour", unit::kUsdPerHour, bar.swing);
    out.end_object();
  }
  out.end_list();
}

template <class Tracer>
void write_flips(JsonWriter& out, const UncertaintyNumbers<Tracer>& numbers) {
  out.begin_list("decision_flips");
  for (const auto& flip : numbers.flips) {
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

template void write_distribution(JsonWriter&, NoTrace&, const double&, const UncertaintyNumbers<NoTrace>&, bool);
template void write_distribution(JsonWriter&, Trace&, const Traced<double>&, const UncertaintyNumbers<Trace>&, bool);
template void write_tornado(JsonWriter&, const UncertaintyNumbers<NoTrace>&);
template void write_tornado(JsonWriter&, const UncertaintyNumbers<Trace>&);
template void write_flips(JsonWriter&, const UncertaintyNumbers<NoTrace>&);
template void write_flips(JsonWriter&, const UncertaintyNumbers<Trace>&);

}  // namespace podwright
