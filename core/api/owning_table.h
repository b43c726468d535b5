#pragma once
/// Fields of owned machines, the same wherever they stand.
#include <string>
#include <vector>

#include "api/answer_field.h"
#include "cost/owned_cluster.h"

namespace podwright {

/// Purchase and what is left of it; not the yearly amount, which has several methods.
template <class Table, class Tracer>
void describe(Table& v, const OwnedCapital<Tracer>& capital) {
  v.number({"capex_usd", "Purchase", unit::kUsd}, capital.capex);
  v.number({"installation_usd", unit::kUsd}, capital.installation);
  v.number({"residual_usd", "Residual value of the servers", unit::kUsd}, capital.residual);
  v.number({"network_and_storage_residual_usd", "Residual value of network and storage", unit::kUsd},
           capital.fabric_residual);
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

template <class Table, class Tracer>
void describe_year(Table& v, Tracer& trace, int year) {
  v.number({"year"},
           [&] { return trace.constant("year_" + std::to_string(year), static_cast<double>(year), "count of years"); });
}

template <class Table, class Tracer>
void describe_owned_years(Table& v, Tracer& trace, const std::vector<OwningYear<Tracer>>& by_year) {
  v.list({"by_year", "Year by year"}, by_year, [&](const OwningYear<Tracer>& year) {
    describe_year(v, trace, static_cast<int>(year.year));
    v.number({"capital_usd", "Capital", unit::kUsdPerYear}, year.capital);
    v.number({"energy_usd", "Electricity", unit::kUsdPerYear}, year.energy);
    v.number({"opex_usd", "Running", unit::kUsdPerYear}, year.operation);
    v.number({"total_usd", "Total", unit::kUsdPerYear}, year.total);
  });
}

}  // namespace podwright
