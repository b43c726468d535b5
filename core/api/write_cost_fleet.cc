#include "api/write_common.h"
#include "api/write_cost.h"
#include "base/arithmetic.h"
#include "base/number_text.h"
#include "reliability/failure_rate.h"

namespace podwright {
namespace {

/// The numbers of `fleet`, one part after the other.
class FleetReader {
 public:
  FleetReader(Trace& trace, const Catalog& catalog, const CostRequest& request, const CostSides& sides,
              std::vector<std::string>& assumed)
      : trace_(trace), catalog_(catalog), request_(request), fleet_(*request.fleet), sides_(sides), assumed_(assumed) {}

  FleetAnswer read() {
    const auto gpu_count = trace_.input("/gpu_count", request_.gpu_count);
    const TraceScope scope(trace_, "/fleet");
    std::optional<Traced<Seconds>> asked;
    if (fleet_.gpu_hours_per_failure)
      asked = trace_.input("/gpu_hours_per_failure", hours(*fleet_.gpu_hours_per_failure));
    const auto per_failure = asked ? asked : known_time_per_failure(trace_, catalog_, *request_.gpu, asked, assumed_);
    if (!per_failure) {
      answer_.missing.emplace_back("No dated source for how often GPUs fail; set gpu_hours_per_failure.");
      return std::move(answer_);
    }
    answer_.numbers =
        fleet_cost<Trace>(trace_, {.gpu_count = gpu_count,
                                   .gpus_per_server = trace_.input("/gpus_per_server", fleet_.gpus_per_server),
                                   .gpu_time_per_failure = *per_failure,
                                   .repair = trace_.input("/repair_hours", hours(fleet_.repair_hours)),
                                   .spare_deviations = trace_.input("/spare_deviations", fleet_.spare_deviations),
                                   .servers_price = sides_.owned ? sides_.owned->inputs.servers.amount : std::nullopt});
    if (answer_.numbers->spares_cost && request_.on_premises->spares_usd == 0)
      answer_.cautions.emplace_back(
          "The spares of the fleet are in no total: set on_premises.spares_usd where they are bought.");
    if (fleet_.run) run(*fleet_.run, gpu_count, *per_failure);
    return std::move(answer_);
  }

 private:
  std::optional<Traced<Seconds>> restart(const CostFleetRun& run) {
    if (run.restart_s) return trace_.input("/restart_s", seconds(*run.restart_s));
    const OperatingFigure* figure = find_operating_figure(catalog_.operating_figures, "restart-time");
    if (figure == nullptr) {
      answer_.missing.emplace_back("No dated source for the time of a restart; set run.restart_s.");
      return std::nullopt;
    }
    assumed_.push_back("From a failure to the first new step " + human_number(figure->typical) + " s pass (" +
                       figure->source_of("typical") + "); set fleet.run.restart_s.");
    return trace_.fact(*figure, "typical", seconds(figure->typical));
  }

  void run(const CostFleetRun& run, const Traced<double>& gpu_count, const Traced<Seconds>& per_failure) {
    const TraceScope scope(trace_, "/run");
    const auto gpus = run.gpu_count ? trace_.input("/gpu_count", *run.gpu_count) : gpu_count;
    const auto start = restart(run);
    if (!start) return;
    Interruptions<Trace> losses;
    losses.mean_time_between_failures =
        named("reliability.mean_time_between_failures", mean_time_between_failures(per_failure, gpus));
    losses.restart = *start;
    losses.write = trace_.input("/checkpoint_s", seconds(run.checkpoint_s));
    losses.pause = losses.write;
    if (run.checkpoint_interval_s)
      losses.interval = trace_.input("/checkpoint_interval_s", seconds(*run.checkpoint_interval_s));
    answer_.mean_time_of_run = losses.mean_time_between_failures;
    answer_.goodput = run_goodput(trace_, losses);
    if (!(answer_.goodput->share.value > 0)) {
      answer_.cautions.emplace_back(
          "The run never ends: a failure comes, on average, before a restart and one checkpoint are done.");
      return;
    }
    add_losses(answer_.goodput->share);
  }

  /// Of the bill that pays for the hours in use: that share of what is paid all the time, else the whole bill.
  void add_losses(const Traced<double>& goodput) {
    if (sides_.owned && sides_.owned->used)
      answer_.own = fleet_loss<Trace>(
          named("cost.fleet.own_in_use", paid_while_used(*sides_.owned->yearly, *sides_.owned->inputs.utilization)),
          *sides_.owned->used, goodput);
    if (!sides_.cloud || !sides_.cloud->cost.total || !sides_.cloud->cost.total_per_used) return;
    const CloudAnswer& cloud = *sides_.cloud;
    const auto bill =
        cloud.inputs.commitment_years > 0
            ? named("cost.fleet.rent_in_use", paid_while_used(*cloud.cost.total, cloud.inputs.utilization))
            : *cloud.cost.total;
    answer_.rent = fleet_loss<Trace>(bill, *cloud.cost.total_per_used, goodput);
  }

  Trace& trace_;
  const Catalog& catalog_;
  const CostRequest& request_;
  const CostFleet& fleet_;
  const CostSides& sides_;
  std::vector<std::string>& assumed_;
  FleetAnswer answer_;
};

void write_loss(JsonWriter& out, std::string_view name, const std::optional<FleetLoss<Trace>>& loss) {
  if (!loss) return;
  out.begin_object(name);
  out.quantity("lost", unit::kUsdPerYear, loss->lost);
  out.quantity_as("usd_per_gpu_hour_of_progress", unit::kUsdPerHour, loss->per_gpu_of_progress);
  out.end_object();
}

}  // namespace

FleetAnswer fleet_answer(Trace& trace, const Catalog& catalog, const CostRequest& request, const CostSides& sides,
                         std::vector<std::string>& assumed) {
  return FleetReader(trace, catalog, request, sides, assumed).read();
}

void write_fleet(JsonWriter& out, const CostSides& sides) {
  if (!sides.fleet) return;
  const FleetAnswer& fleet = *sides.fleet;
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
