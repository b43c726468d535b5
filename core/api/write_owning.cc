#include "api/write_owning.h"

#include <string>

namespace podwright {

template <class Tracer>
void write_owned_capital(JsonWriter& out, const OwnedCapital<Tracer>& capital) {
  out.quantity("capex", unit::kUsd, capital.capex);
  out.quantity("installation", unit::kUsd, capital.installation);
  out.quantity("residual", unit::kUsd, capital.residual);
  out.quantity("network_and_storage_residual", unit::kUsd, capital.fabric_residual);
}

template <class Tracer>
void write_owned_operation(JsonWriter& out, const OwnedOperation<Tracer>& operation) {
  out.quantity_as("annual_opex_usd", unit::kUsdPerYear, operation.yearly);
  out.quantity("facility_power_mean", unit::kKw, operation.facility_power);
  out.quantity("energy_per_year", unit::kKwh, operation.energy_per_year);
  out.quantity("energy", unit::kUsdPerYear, operation.energy);
  out.quantity("energy_first_year", unit::kUsdPerYear, operation.energy_first_year);
  out.quantity("facility", unit::kUsdPerYear, operation.facility);
  out.quantity("support", unit::kUsdPerYear, operation.support);
  out.quantity("license", unit::kUsdPerYear, operation.licences);
  out.quantity("staff", unit::kUsdPerYear, operation.staff);
  out.quantity("connection", unit::kUsdPerYear, operation.connection);
}

template <class Tracer>
void write_owned_years(JsonWriter& out, Tracer& trace, const std::vector<OwningYear<Tracer>>& by_year) {
  out.begin_list("by_year");
  for (const OwningYear<Tracer>& year : by_year) {
    out.begin_object();
    const auto count = static_cast<double>(year.year);
    out.quantity_as("year", unit::kNone, trace.constant("year_" + std::to_string(year.year), count, "count of years"));
    out.quantity_as("capital_usd", unit::kUsdPerYear, year.capital);
    out.quantity_as("energy_usd", unit::kUsdPerYear, year.energy);
    out.quantity_as("opex_usd", unit::kUsdPerYear, year.operation);
    out.quantity_as("total_usd", unit::kUsdPerYear, year.total);
    out.end_object();
  }
  out.end_list();
}

template void write_owned_capital(JsonWriter&, const OwnedCapital<NoTrace>&);
template void write_owned_capital(JsonWriter&, const OwnedCapital<Trace>&);
template void write_owned_operation(JsonWriter&, const OwnedOperation<NoTrace>&);
template void write_owned_operation(JsonWriter&, const OwnedOperation<Trace>&);
template void write_owned_years(JsonWriter&, NoTrace&, const std::vector<OwningYear<NoTrace>>&);
template void write_owned_years(JsonWriter&, Trace&, const std::vector<OwningYear<Trace>>&);

}  // namespace podwright
