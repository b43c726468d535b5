#pragma once
/// Fields of training runs that several requests have.
#include <optional>
#include <string_view>

#include "api/fields.h"
#include "cost/ownership_formulas.h"
#include "memory/training_run.h"
#include "perf/calendar.h"
#include "plan/plan_request.h"

namespace podwright {

/// Source of a default that no one publishes.
inline constexpr std::string_view kConvention = "convention of Podwright; set it when yours differs";

/// Power of a run's GPUs: given, or made of the machine's with the conventions of a plan.
struct TrainingPower {
  std::optional<double> power_kw_per_gpu;  ///< mean at the meter
  double load = kMeanLoad;                 ///< mean over maximum power of the machine
  double pue = PlanEconomics{}.pue;        ///< facility over machine
};

/// Checkpoints, restarts and stragglers of a run; all are optional. True where one of them stands.
bool describe_interruptions(FieldVisitor& visitor, CalendarRequest& calendar);

/// All are optional; without `tokens` none of the others may stand.
void describe_calendar(FieldVisitor& visitor, CalendarRequest& calendar, TrainingPower& power);

/// Mean over maximum power of the machines, and facility power over theirs, as plans and runs ask for them. A default
/// is listed as an assumption where `listed`.
void describe_mean_power(FieldVisitor& visitor, double& load, double& pue, bool listed = true);
void describe_pue(FieldVisitor& visitor, double& pue, bool listed = true);

/// Packing, routing, exchanges, further predicted tokens: after the sequence length, the layout and the framework of
/// the run are known.
void describe_training_options(FieldVisitor& visitor, TrainingRun& run);

/// Sequence length in tokens and sequences per optimizer step of a workload; both have defaults.
void describe_batch(FieldVisitor& visitor, double& sequence_length, double& global_batch_size);

/// Rank of low-rank adapters and the weights that have them.
void describe_adapters(FieldVisitor& visitor, TrainingMethod method, double& rank, std::vector<LoraTarget>& targets);

/// One that the catalog knows, in a version that it knows.
void describe_framework(FieldVisitor& visitor, const Catalog& catalog, TrainingRun& run);

}  // namespace podwright
