#include "api/cost_request_parts.h"

namespace podwright {
namespace {

void describe_run(FieldVisitor& v, CostFleet& fleet) {
  if (v.enter({.key = "run",
               .help = "A training run on the fleet: the share of its time lost to failures; absent: not given"})) {
    CostFleetRun run;
    v.count({.key = "gpu_count", .help = "GPUs that stop together when one fails; absent: all", .range = kAtLeastOne},
            run.gpu_count);
    v.number({.key = "checkpoint_s", .help = "Pause of one checkpoint, s", .required = true, .range = {0, 1e6}},
             run.checkpoint_s);
    v.number({.key = "restart_s",
              .help = "From a failure to the first new step, s; absent: the catalog's figure",
              .range = {0, 1e7}},
             run.restart_s);
    v.number({.key = "checkpoint_interval_s",
              .help = "Training between two checkpoints, s; absent: what loses least",
              .range = {1, 1e9}},
             run.checkpoint_interval_s);
    fleet.run = run;
  }
  v.leave();
}

}  // namespace

void describe_fleet(FieldVisitor& v, std::optional<CostFleet>& fleet) {
  if (v.enter(
          {.key = "fleet", .help = "Failures of the GPUs in a year: repairs, spares, goodput and what they cost"})) {
    CostFleet f;
    v.count({.key = "gpus_per_server",
             .help = "GPUs that are out together while their server is repaired",
             .range = {1, 1e4},
             .default_source = "servers of eight GPUs"},
            f.gpus_per_server);
    v.number({.key = "gpu_hours_per_failure",
              .help = "GPU-hours between failures; absent: those of a published fleet with the GPU of the request",
              .range = {1e-3, 1e12}},
             f.gpu_hours_per_failure);
    v.number({.key = "repair_hours",
              .help = "Hours from a failure until the server works again, mean over all failures",
              .required = true,
              .range = {1e-3, 8760}},
             f.repair_hours);
    v.number({.key = "spare_deviations",
              .help = "Spares above the mean of servers under repair, in its standard deviations",
              .range = {0, 10},
              .default_source = "95 % of a normal distribution lie below 1.645; spares_suffice gives the exact share"},
             f.spare_deviations);
    describe_run(v, f);
    fleet = f;
  }
  v.leave();
}

void check_fleet(const CostRequest& request, Errors& problems) {
  if (!request.fleet) return;
  const CostFleet& fleet = *request.fleet;
  if (!request.gpu && !fleet.gpu_hours_per_failure)
    problems.push_back({"missing", "/fleet/gpu_hours_per_failure",
                        "How often GPUs fail is not known: neither \"gpu\" nor \"gpu_hours_per_failure\" is given.",
                        "Name the GPU in /gpu, or give the GPU-hours between failures."});
  if (fleet.run && fleet.run->gpu_count && *fleet.run->gpu_count > request.gpu_count)
    problems.push_back({"conflict", "/fleet/run/gpu_count", "The run has more GPUs than the fleet.",
                        "Give at most /gpu_count GPUs, or leave \"gpu_count\" of the run out."});
}

}  // namespace podwright
