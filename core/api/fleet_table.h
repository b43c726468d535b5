#pragma once
/// Fields of what failures of a fleet cost.
#include "api/answer_field.h"
#include "cost/fleet_cost.h"

namespace podwright {

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

}  // namespace podwright
