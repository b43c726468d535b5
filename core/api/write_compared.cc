#include "api/write_compared.h"

#include "api/write_common.h"

namespace podwright {
namespace {

/// A month of contracts is 730 hours.
constexpr DisplayUnit kMonths730{"", "months of 730 h", 730.0 * 3600.0};

}  // namespace

template <class Tracer>
void write_break_even_numbers(JsonWriter& out, const BreakEven<Tracer>& found) {
  out.begin_object("break_even");
  if (found.utilization) {
    out.quantity("utilization", unit::kNone, *found.utilization);
  } else {
    out.key("utilization");
    out.null();
  }
  if (found.time) {
    out.quantity_as("hours", unit::kHours, *found.time);
    out.quantity_as("months", kMonths730, *found.time);
    out.quantity("sensitivity_to_rent", unit::kNone, *found.sensitivity);
  } else {
    for (const char* key : {"hours", "months"}) {
      out.key(key);
      out.null();
    }
    out.text("reason", found.reason);
  }
  write_texts(out, "cautions", found.cautions);
  out.end_object();
}

template <class Tracer>
void write_hybrid_numbers(JsonWriter& out, const Hybrid<Tracer>& hybrid) {
  out.begin_object("hybrid");
  out.quantity("own_gpus", unit::kNone, hybrid.own_gpus);
  out.quantity("rented_gpus_mean", unit::kNone, hybrid.rented_gpus_mean);
  out.quantity("rented_gpus_peak", unit::kNone, hybrid.rented_gpus_peak);
  write_optional(out, "rented_instances_mean", unit::kNone, hybrid.rented_instances_mean);
  write_optional(out, "rented_instances_peak", unit::kNone, hybrid.rented_instances_peak);
  out.quantity("own", unit::kUsdPerYear, hybrid.own_cost);
  out.quantity("rent", unit::kUsdPerYear, hybrid.rent_cost);
  out.quantity_as("usd_per_year", unit::kUsdPerYear, hybrid.total);
  write_optional(out, "all_rented", unit::kUsdPerYear, hybrid.all_rented);
  write_optional(out, "all_owned", unit::kUsdPerYear, hybrid.all_owned);
  out.end_object();
}

template void write_break_even_numbers(JsonWriter&, const BreakEven<NoTrace>&);
template void write_break_even_numbers(JsonWriter&, const BreakEven<Trace>&);
template void write_hybrid_numbers(JsonWriter&, const Hybrid<NoTrace>&);
template void write_hybrid_numbers(JsonWriter&, const Hybrid<Trace>&);

}  // namespace podwright
