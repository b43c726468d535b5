#include "api/write_common.h"
#include "api/write_cost.h"

namespace podwright {
namespace {

void write_loss(JsonWriter& out, std::string_view name, const std::optional<FleetLoss<Trace>>& loss) {
  if (!loss) return;
  out.begin_object(name);
  out.quantity("lost", unit::kUsdPerYear, loss->lost);
  out.quantity_as("usd_per_gpu_hour_of_progress", unit::kUsdPerHour, loss->per_gpu_of_progress);
  out.end_object();
}

}  // namespace

void write_fleet(JsonWriter& out, const CostSides& sides) {
  if (!sides.fleet) return;
  const FleetSide<Trace>& fleet = *sides.fleet;
  out.begin_object("fleet");
  if (fleet.numbers) {
    const FleetCost<Trace>& cost = *fleet.numbers;
    const FleetNumbers<Trace>& n = cost.failures;
    out.quantity("servers", unit::kNone, cost.servers);
    out.quantity("failures_per_year", unit::kNone, n.failures_per_year);
    out.quantity("server_mean_time_between_failures", unit::kHours, n.mean_time_between_failures);
    out.quantity("availability", unit::kNone, *n.availability);
    out.quantity("servers_working_mean", unit::kNone, cost.working_servers);
    out.quantity("servers_in_repair_mean", unit::kNone, *n.in_repair);
    out.quantity("spares", unit::kNone, *n.spares);
    out.quantity("spares_suffice", unit::kNone, *n.spares_suffice);
    write_optional(out, "spares", unit::kUsd, cost.spares_cost);
  }
  if (fleet.goodput) {
    out.begin_object("run");
    out.quantity("mean_time_between_failures", unit::kHours, *fleet.mean_time_of_run);
    out.quantity_as("checkpoint_interval_s", unit::kSeconds, fleet.goodput->interval);
    out.quantity("goodput", unit::kNone, fleet.goodput->share);
    write_loss(out, "on_premises", fleet.own);
    write_loss(out, "cloud", fleet.rent);
    out.end_object();
  }
  write_texts(out, "missing", fleet.missing);
  write_texts(out, "cautions", fleet.cautions);
  out.end_object();
}

}  // namespace podwright
