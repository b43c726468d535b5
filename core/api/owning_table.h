#pragma once
/// Fields of owned machines, the same wherever they stand.
#include <string>
#include <vector>

#include "api/answer_field.h"
#include "cost/owned_cluster.h"

namespace podwright {

/// Of all payments.
template <class Table, class Value>
void describe_present_value(Table& v, const Value& value) {
  v.number({"npv_usd", "All payments, present value", unit::kUsd}, value);
}

/// Part of a bill that pays for hours in which nobody uses the machines.
template <class Table, class Rate>
void describe_idle(Table& v, const Rate& rate) {
  v.number({"idle_usd_per_year", "Paid for idle hours", unit::kUsdPerYear}, rate);
}

/// Purchase, what is left of it, and its `yearly` amount, which has several methods.
template <class Table, class Tracer>
void describe_capital(Table& v, const OwnedCapital<Tracer>& capital, const Known<Tracer, UsdPerSecond>& yearly) {
  v.number({"capex_usd", "Purchase", unit::kUsd}, capital.capex);
  v.number({"installation_usd", unit::kUsd}, capital.installation);
  v.number({"residual_usd", "Residual value of the servers", unit::kUsd}, capital.residual);
  v.number({"network_and_storage_residual_usd", "Residual value of network and storage", unit::kUsd},
           capital.fabric_residual);
  v.number({"annual_capital_usd", "Purchase, per year of use", unit::kUsdPerYear}, yearly);
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

template <class Table, class Tracer>
void describe_year(Table& v, Tracer& trace, int year) {
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

}  // namespace podwright
