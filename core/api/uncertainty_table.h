#pragma once
/// Fields that say how sure a comparison of costs is.
#include <array>
#include <string_view>

#include "api/answer_field.h"
#include "api/owning_table.h"
#include "cost/uncertainty_numbers.h"

namespace podwright {

template <class Table, class Spread>
void describe_spread(Table& v, const AnswerField& field, const Spread& spread) {
  v.group(field, [&] {
    v.number({"p10", field.unit}, spread.p10);
    v.number({"p50", field.unit}, spread.p50);
    v.number({"p90", field.unit}, spread.p90);
  });
}

template <class Table, class Fan>
void describe_fan(Table& v, const AnswerField& field, const Fan& fan) {
  v.group(field, [&] {
    for (std::size_t i = 0; i < fan.size(); ++i) v.number({kFanNames[i], unit::kUsd}, fan[i]);
  });
}

/// Without a rented side only that of owning.
template <class Table, class Tracer>
void describe_distribution(Table& v, Tracer& trace, const typename Tracer::template Known<double>& draws,
                           const UncertaintyNumbers<Tracer>& numbers, bool rented) {
  v.group({"distribution", "How certain this is"}, [&] {
    v.number({"draws"}, draws);
    describe_spread(v, {"usd_per_gpu_hour_used", "One used GPU-hour", unit::kUsdPerHour}, numbers.used_gpu);
    describe_spread(v, {"own_usd_per_year", "Owning, per year", unit::kUsdPerYear}, numbers.own);
    if (const auto part = v.when(rented)) {
      describe_spread(v, {"rent_usd_per_year", "Renting, per year", unit::kUsdPerYear}, numbers.rent);
      describe_spread(v, {"own_minus_rent_usd_per_year", "Owning minus renting, per year", unit::kUsdPerYear},
                      numbers.own_minus_rent);
      v.number({"probability_owning_is_cheaper", "Owning is cheaper in"}, numbers.probability_owning_is_cheaper);
    }
    if (const auto part = v.when(!numbers.paid.empty()))
      v.list({"paid_by_year", "Paid by the end of each year"}, numbers.paid, [&](const auto& year) {
        describe_year(v, trace, year.years);
        describe_fan(v, {"own_usd"}, year.own);
        if (const auto of_rent = v.when(rented)) describe_fan(v, {"rent_usd"}, year.rent);
      });
  });
}

template <class Table, class Tracer>
void describe_tornado(Table& v, const UncertaintyNumbers<Tracer>& numbers) {
  v.list({"tornado", "What moves the cost most"}, numbers.tornado, [&](const auto& bar) {
    v.text({"input"}, kCostInputWords[index_of(bar.input)].name);
    v.number({"usd_per_gpu_hour_used_at_low", "One used GPU-hour, input low", unit::kUsdPerHour}, bar.at_low);
    v.number({"usd_per_gpu_hour_used_at_high", "One used GPU-hour, input high", unit::kUsdPerHour}, bar.at_high);
    v.number({"swing_usd_per_gpu_hour", "Swing", unit::kUsdPerHour}, bar.swing);
  });
}

/// At which value of each input the cheaper way changes.
template <class Table, class Tracer>
void describe_flips(Table& v, const UncertaintyNumbers<Tracer>& numbers) {
  using Flip = typename UncertaintyNumbers<Tracer>::Flip;
  std::vector<Flip> known;
  for (const Flip& flip : numbers.flips)
    if (flip.value) known.push_back(flip);
  v.list({"decision_flips", "Where the decision flips"}, known, [&](const Flip& flip) {
    const CostInputWord& word = kCostInputWords[index_of(flip.input)];
    v.text({"input"}, word.name);
    v.text({"unit"}, word.unit.sign);
    v.number({"value"}, or_empty(flip.value));
    v.flag({"inside_range", "Within its range"}, flip.inside_range);
  });
}

}  // namespace podwright
