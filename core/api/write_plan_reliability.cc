#include "api/write_plan_reliability.h"

#include "api/write_common.h"

namespace podwright {

template <class Tracer>
void write_plan_reliability(JsonWriter& out, const PlanReliability<Tracer>& reliability) {
  out.begin_object("reliability");
  if (reliability.fleet) {
    const FleetNumbers<Tracer>& fleet = *reliability.fleet;
    out.quantity_as("machine_hours_per_failure", unit::kHours, fleet.mean_time_between_failures);
    out.quantity_as("failures_per_year", unit::kNone, fleet.failures_per_year);
    write_optional(out, "availability", unit::kNone, fleet.availability);
    write_optional(out, "machines_in_repair", unit::kNone, fleet.in_repair);
    write_optional(out, "spare_machines", unit::kNone, fleet.spares);
    write_optional(out, "spares_suffice", unit::kNone, fleet.spares_suffice);
  }
  for (const std::string& assumption : reliability.assumptions) out.text("assumption", assumption);
  if (!reliability.missing.empty()) write_texts(out, "missing", {reliability.missing});
  out.end_object();
}

template void write_plan_reliability(JsonWriter&, const PlanReliability<NoTrace>&);
template void write_plan_reliability(JsonWriter&, const PlanReliability<Trace>&);

}  // namespace podwright
