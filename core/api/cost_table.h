#pragma once
/// Fields of costs, the same wherever they stand: owning, renting, the two against each other, how sure that is,
/// failures of a fleet, greenhouse gases.
#include <string>
#include <vector>

#include "api/answer_field.h"
#include "api/common_table.h"
#include "catalog/price_tables.h"
#include "cost/break_even.h"
#include "cost/carbon.h"
#include "cost/cloud_cost.h"
#include "cost/cloud_market.h"
#include "cost/fleet_cost.h"
#include "cost/hosted.h"
#include "cost/hybrid.h"
#include "cost/owned_cluster.h"
#include "cost/provider_name.h"
#include "cost/uncertainty_numbers.h"
#include "cost/work.h"

namespace podwright {

/// Of all payments.
void describe_present_value(auto& v, const auto& value) {
  v.number({"npv_usd", "All payments, present value", unit::kUsd}, value);
}

/// Part of a bill that pays for hours in which nobody uses the machines.
void describe_idle(auto& v, const auto& rate) {
  v.number({"idle_usd_per_year", "Paid for idle hours", unit::kUsdPerYear}, rate);
}

/// Purchase, what is left of it, and its `yearly` amount, which has several methods.
template <class Table, class Tracer>
void describe_capital(Table& v, const OwnedCapital<Tracer>& capital, const Known<Tracer, UsdPerSecond>& yearly) {
  v.number({"capex_usd", "Purchase", unit::kUsd}, capital.capex);
  v.number({"installation_usd", unit::kUsd}, capital.installation);
  v.number({"residual_usd", "Residual value of the servers at the end", unit::kUsd}, capital.residual);
  v.number({"network_and_storage_residual_usd", "Residual value of network and storage at the end", unit::kUsd},
           capital.fabric_residual);
  v.number({"annual_capital_usd", "Purchase as an annuity, per year", unit::kUsdPerYear}, yearly);
}

template <class Table, class Tracer>
void describe(Table& v, const OwnedOperation<Tracer>& operation) {
  v.number({"annual_opex_usd", "Running costs, per year", unit::kUsdPerYear}, operation.yearly);
  v.number({"facility_power_mean_kw", "The site on average, cooling included", unit::kKw}, operation.facility_power);
  v.number({"energy_per_year_kwh", "Electricity per year", unit::kKwh}, operation.energy_per_year);
  v.number({"energy_usd_per_year", "Electricity", unit::kUsdPerYear}, operation.energy);
  v.number({"energy_first_year_usd_per_year", "Electricity, first year", unit::kUsdPerYear},
           operation.energy_first_year);
  v.number({"facility_usd_per_year", unit::kUsdPerYear}, operation.facility);
  v.number({"support_usd_per_year", unit::kUsdPerYear}, operation.support);
  v.number({"license_usd_per_year", "Licences", unit::kUsdPerYear}, operation.licences);
  v.number({"staff_usd_per_year", unit::kUsdPerYear}, operation.staff);
  v.number({"connection_usd_per_year", unit::kUsdPerYear}, operation.connection);
}

/// What a year of owning costs, with `part_of_it`, and what that makes a GPU-hour.
template <class Table, class Rate, class UsedRate, class PartOfIt>
void describe_owned_bill(Table& v, const Rate& yearly, const Rate& available, const UsedRate& used,
                         const PartOfIt& part_of_it) {
  v.number({"annual_usd", "Owning, per year", unit::kUsdPerYear}, yearly);
  part_of_it();
  v.number({"usd_per_gpu_hour_available", "One available GPU-hour", unit::kUsdPerHour}, available);
  v.number({"usd_per_gpu_hour_used", "One used GPU-hour", unit::kUsdPerHour}, used);
}

void describe_year(auto& v, auto& trace, int year) {
  v.number({"year"},
           [&] { return trace.constant("year_" + std::to_string(year), static_cast<double>(year), "count of years"); });
}

template <class Table, class Tracer>
void describe_owned_years(Table& v, Tracer& trace, const std::vector<OwningYear<Tracer>>& by_year) {
  v.list({"by_year", "Year by year"}, by_year, [&](const OwningYear<Tracer>& year) {
    describe_year(v, trace, static_cast<int>(year.year));
    v.number({"capital_usd", unit::kUsdPerYear}, year.capital);
    v.number({"energy_usd", "Electricity", unit::kUsdPerYear}, year.energy);
    v.number({"opex_usd", "Running costs", unit::kUsdPerYear}, year.operation);
    v.number({"total_usd", "All years", unit::kUsdPerYear}, year.total);
  });
}

inline constexpr DisplayUnit kUsdPerMonth{"", "USD/month", 1.0 / 2628000.0};
inline constexpr DisplayUnit kWholeDays{"", "d", 1.0};

/// A row of the price table; `named` adds how the provider writes its name.
void describe_offer(auto& v, const CloudPrice* offer, bool named) {
  v.text({"provider"}, [&] { return offer->provider; });
  if (named) v.text({"provider_name", "Provider"}, [&] { return provider_name(offer->provider); });
  v.text({"instance"}, [&] { return offer->instance; });
  v.text({"region"}, [&] { return offer->region; });
  v.text({"country"}, [&] { return offer->country.empty() ? "not printed" : offer->country; });
  v.word(
      {"segment", "Kind of provider"}, [&] { return offer->segment; }, kCloudSegmentWords);
  v.text({"as_of", "Price as of"}, [&] { return offer->as_of; });
}

/// Parts of the bill at the prices of the start; `idle` is part of the machines.
template <class Table, class Tracer>
void describe_rented_parts(Table& v, const CloudCost<Tracer>& cost, bool with_idle) {
  v.number({"compute_usd_per_year", unit::kUsdPerYear}, cost.compute);
  if (with_idle) describe_idle(v, cost.idle);
  v.number({"license_usd_per_year", "Licences", unit::kUsdPerYear}, cost.license);
  v.number({"storage_usd_per_year", unit::kUsdPerYear}, cost.storage);
  v.number({"egress_usd_per_year", unit::kUsdPerYear}, cost.egress);
  v.number({"support_usd_per_year", unit::kUsdPerYear}, cost.support);
}

void describe_output_tokens(auto& v, const auto& price) {
  v.number({"usd_per_million_output_tokens", "One million output tokens", unit::kUsd}, price);
}

template <class Table, class Tracer>
void describe(Table& v, const WorkPrices<Tracer>& work) {
  describe_output_tokens(v, work.million_output_tokens);
  v.number({"usd_per_million_input_tokens", "One million input tokens", unit::kUsd}, work.million_input_tokens);
  v.number({"usd_per_million_tokens", "One million tokens, input and output", unit::kUsd}, work.million_tokens);
  v.number({"usd_per_1000_requests", "1,000 requests", unit::kUsd}, work.thousand_requests);
  v.number({"usd_per_training_run", "One training run", unit::kUsd}, work.training_run);
}

/// Of the catalog, with its age on the day that is asked about.
void describe_aged_offer(auto& v, const CloudPrice* row, const auto& age_days) {
  describe_offer(v, row, false);
  v.number({"age_days", "Age of the price", kWholeDays}, age_days);
  v.text({"source"}, [&] { return row->source; });
}

template <class Table, class Tracer>
void describe(Table& v, const MarketNumbers<Tracer>& numbers) {
  v.word({"term"}, numbers.market.term, kRentTermWords);
  v.number({"offers"}, numbers.offers);
  v.number({"providers"}, numbers.providers);
  v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour}, numbers.chosen);
  v.number({"lowest_usd_per_gpu_hour", "Lowest price of a GPU-hour", unit::kUsdPerHour}, numbers.lowest);
  v.number({"median_usd_per_gpu_hour", "Median price of a GPU-hour", unit::kUsdPerHour}, numbers.median);
  v.number({"highest_usd_per_gpu_hour", "Highest price of a GPU-hour", unit::kUsdPerHour}, numbers.highest);
  v.text({"oldest_as_of", "Oldest price"}, unless_empty(numbers.market.summary.oldest_as_of));
  v.text({"newest_as_of", "Newest price"}, unless_empty(numbers.market.summary.newest_as_of));
  v.number({"stale_offers"}, numbers.stale_offers);
  v.list({"ranking", "Offers, smallest bill first"}, numbers.ranking, [&](const RankedOffer<Tracer>& offer) {
    describe_aged_offer(v, offer.row, offer.age_days);
    v.number({"instances"}, offer.rent.instances);
    v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour}, offer.rent.per_gpu);
    v.number({"usd_per_hour", "All GPUs, per hour", unit::kUsdPerHour}, offer.rent.rent);
  });
}

template <class Table, class Tracer>
void describe_bands(Table& v, Tracer& trace, const PriceBands& found) {
  v.list({"bands", "Prices by kind of provider", unit::kNone,
          "Quartiles over the providers, marketplaces and sold-out offers too, although they set no price"},
         found.bands, [&](const PriceBand& band) {
           const auto told = [&](std::string_view what, auto value) {
             return trace.method("cost.band_" + std::string(what) + "_" +
                                     std::string(word_of(band.segment, kCloudSegmentWords)) + "_" +
                                     std::string(word_of(found.term, kRentTermWords)),
                                 value, kBandPage);
           };
           v.word({"segment", "Kind of provider"}, band.segment, kCloudSegmentWords);
           v.number({"providers"}, told("providers", band.providers));
           v.fields(band.quartiles, [&](const Quartiles& prices) {
             v.number({"lower_quartile_usd_per_gpu_hour", "Lower quartile", unit::kUsdPerHour},
                      told("lower_quartile", prices.lower));
             v.number({"median_usd_per_gpu_hour", "Median price of a GPU-hour", unit::kUsdPerHour},
                      told("median", prices.median));
             v.number({"upper_quartile_usd_per_gpu_hour", "Upper quartile", unit::kUsdPerHour},
                      told("upper_quartile", prices.upper));
           });
         });
  if (const auto part = v.when(!found.outliers.empty()))
    v.list({"outliers", "Outliers of these prices"}, found.outliers, [&](const CloudPrice* row) {
      v.text({"provider"}, [&] { return row->provider; });
      v.word(
          {"segment", "Kind of provider"}, [&] { return row->segment; }, kCloudSegmentWords);
      v.number({"outlying_usd_per_gpu_hour", "Outlying price of a GPU-hour", unit::kUsdPerHour},
               [&] { return rent_per_gpu(trace, *row, found.term); });
    });
}

/// A model through somebody else's interface.
template <class Table, class Tracer>
void describe(Table& v, const HostedCost<Tracer>& hosted) {
  v.number({"usd_per_million_tokens", "One million tokens, input and output", unit::kUsd}, hosted.million_tokens);
  v.number({"usd_per_1000_requests", "1,000 requests", unit::kUsd}, hosted.thousand_requests);
  v.number({"usd_per_month", "Total per month", kUsdPerMonth}, hosted.rate);
  v.number({"usd_per_year", "Total per year", unit::kUsdPerYear}, hosted.rate);
}

/// A month of contracts is 730 hours.
inline constexpr DisplayUnit kMonths730{"", "months of 730 h", 730.0 * 3600.0};

/// What is never reached is null, with a reason.
template <class Table, class Tracer>
void describe(Table& v, const BreakEven<Tracer>& found) {
  v.nullable({"utilization", "Utilisation"}, found.utilization);
  v.nullable({"hours", "Hours in full use", unit::kHours}, found.time);
  v.nullable({"months", "Months of 730 hours", kMonths730}, found.time);
  if (const auto part = v.when(found.time.has_value()))
    v.number({"sensitivity_to_rent", "Change in this time per 1 % of rent, %"}, found.sensitivity);
  if (const auto part = v.when(!found.time)) v.text({"reason"}, found.reason);
  describe_messages(v, {"cautions"}, found.cautions);
}

template <class Table, class Tracer>
void describe(Table& v, const Hybrid<Tracer>& hybrid) {
  v.number({"own_gpus", "Owned GPUs"}, hybrid.own_gpus);
  v.number({"rented_gpus_mean", "Rented GPUs on average"}, hybrid.rented_gpus_mean);
  v.number({"rented_gpus_peak", "Rented GPUs at most"}, hybrid.rented_gpus_peak);
  v.number({"rented_instances_mean", "Rented instances on average"}, hybrid.rented_instances_mean);
  v.number({"rented_instances_peak", "Rented instances at most"}, hybrid.rented_instances_peak);
  v.number({"own_usd_per_year", "Owning, per year", unit::kUsdPerYear}, hybrid.own_cost);
  v.number({"rent_usd_per_year", "Renting, per year", unit::kUsdPerYear}, hybrid.rent_cost);
  v.number({"usd_per_year", "Total per year", unit::kUsdPerYear}, hybrid.total);
  v.number({"all_rented_usd_per_year", "Renting everything, per year", unit::kUsdPerYear}, hybrid.all_rented);
  v.number({"all_owned_usd_per_year", "Owning everything, per year", unit::kUsdPerYear}, hybrid.all_owned);
}

void describe_spread(auto& v, const AnswerField& field, const auto& spread) {
  v.group(field, [&] {
    v.number({"p5", field.unit}, spread.p5);
    v.number({"p50", field.unit}, spread.p50);
    v.number({"p95", field.unit}, spread.p95);
  });
}

void describe_fan(auto& v, const AnswerField& field, const auto& fan) {
  v.group(field, [&] {
    for (std::size_t i = 0; i < fan.size(); ++i) v.number({kFanNames[i], unit::kUsd}, fan[i]);
  });
}

/// Of the sides that are there.
template <class Table, class Tracer>
void describe_distribution(Table& v, Tracer& trace, const Known<Tracer, double>& draws,
                           const UncertaintyNumbers<Tracer>& numbers, bool owned, bool rented) {
  v.group({"distribution", "How certain this is"}, [&] {
    v.number({"draws"}, draws);
    if (const auto part = v.when(owned)) {
      describe_spread(v, {"usd_per_gpu_hour_used", "One used GPU-hour", unit::kUsdPerHour}, numbers.used_gpu);
      describe_spread(v, {"own_usd_per_year", "Owning, per year", unit::kUsdPerYear}, numbers.own);
    }
    if (const auto part = v.when(rented))
      describe_spread(v, {"rent_usd_per_year", "Renting, per year", unit::kUsdPerYear}, numbers.rent);
    if (const auto part = v.when(owned && rented)) {
      describe_spread(v, {"own_minus_rent_usd_per_year", "Owning minus renting, per year", unit::kUsdPerYear},
                      numbers.own_minus_rent);
      v.number({"probability_owning_is_cheaper", "Owning all is cheaper than renting all in"},
               numbers.probability_owning_is_cheaper);
      v.fields(numbers.mixed, [&](const auto& mixed) {
        describe_spread(v, {"hybrid_usd_per_year", "Own the base and rent the rest, per year", unit::kUsdPerYear},
                        mixed);
      });
    }
    if (const auto part = v.when(!numbers.paid.empty()))
      v.list({"paid_by_year", "Paid by the end of each year"}, numbers.paid, [&](const auto& year) {
        describe_year(v, trace, year.years);
        if (const auto of_own = v.when(owned)) describe_fan(v, {"own_usd"}, year.own);
        if (const auto of_rent = v.when(rented)) describe_fan(v, {"rent_usd"}, year.rent);
        v.fields(numbers.mixed, [&](const auto&) { describe_fan(v, {"hybrid_usd"}, year.mixed); });
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

/// At which value of each input the cheaper of owning and renting changes.
template <class Table, class Tracer>
void describe_flips(Table& v, const UncertaintyNumbers<Tracer>& numbers) {
  using Flip = typename UncertaintyNumbers<Tracer>::Flip;
  std::vector<Flip> known;
  for (const Flip& flip : numbers.flips)
    if (flip.value) known.push_back(flip);
  v.list({"decision_flips", "Where owning and renting cost the same"}, known, [&](const Flip& flip) {
    const CostInputWord& word = kCostInputWords[index_of(flip.input)];
    v.text({"input"}, word.name);
    v.text({"unit"}, word.unit.sign);
    v.number({"value"}, or_empty(flip.value));
    v.flag({"inside_range", "Within its range"}, flip.inside_range);
  });
}

template <class Table, class Tracer>
void describe(Table& v, const FleetLoss<Tracer>& loss) {
  v.number({"lost_usd_per_year", "Paid without progress, per year", unit::kUsdPerYear}, loss.lost);
  v.number({"usd_per_gpu_hour_of_progress", "One GPU-hour of progress", unit::kUsdPerHour}, loss.per_gpu_of_progress);
}

template <class Table, class Tracer>
void describe(Table& v, const FleetSide<Tracer>& fleet) {
  v.fields(fleet.numbers, [&](const FleetCost<Tracer>& cost) {
    v.number({"servers"}, cost.servers);
    v.number({"failures_per_year"}, cost.failures.failures_per_year);
    v.number({"server_mean_time_between_failures_hours", "Between failures of a server", unit::kHours},
             cost.failures.mean_time_between_failures);
    v.number({"availability", "Share of time a server is up"}, cost.failures.availability);
    v.number({"servers_working_mean", "Servers up, on average"}, cost.working_servers);
    v.number({"servers_in_repair_mean", "Servers under repair, on average"}, cost.failures.in_repair);
    v.number({"spares", "Spare servers"}, cost.failures.spares);
    v.number({"spares_suffice", "Share of time they suffice"}, cost.failures.spares_suffice);
    v.number({"spares_usd", "Price of the spares", unit::kUsd}, cost.spares_cost);
  });
  v.object({"run", "The run"}, fleet.goodput, [&](const Goodput<Tracer>& goodput) {
    v.number({"mean_time_between_failures_hours", "Time between failures", unit::kHours}, fleet.mean_time_of_run);
    v.number({"checkpoint_interval_s", unit::kSeconds}, goodput.interval);
    v.number({"goodput", "Goodput (productive share of time)"}, goodput.share);
    v.object({"on_premises", "Owned"}, fleet.own);
    v.object({"cloud", "Rented"}, fleet.rent);
  });
  v.texts({"missing"}, fleet.missing);
  v.texts({"cautions"}, fleet.cautions);
}

inline constexpr DisplayUnit kKgCo2e{"", "kgCO2e", 1.0};

/// Of a year and of the making, as far as they are known.
template <class Table, class Tracer>
void describe(Table& v, const Carbon<Tracer>& carbon) {
  v.number({"kg_co2e_per_year", "CO2 equivalent per year", kKgCo2e}, carbon.kg_per_year);
  v.number({"operation_kg_per_year", "Of which from electricity, per year", kKgCo2e}, carbon.operation_kg_per_year);
  v.number({"embodied_kg", "In making the machines", kKgCo2e}, carbon.embodied_kg);
  v.number({"embodied_kg_per_year", "Of which per year", kKgCo2e}, carbon.embodied_kg_per_year);
}

}  // namespace podwright
