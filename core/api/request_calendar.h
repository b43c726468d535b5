#pragma once
/// Fields of a training request that lead from the step to days, energy and money.
#include <optional>

#include "api/fields.h"
#include "perf/calendar.h"
#include "plan/plan_request.h"

namespace podwright {

/// Power of a run's GPUs: given, or made of the machine's with the conventions of a plan.
struct TrainingPower {
  std::optional<double> power_kw_per_gpu;  ///< mean at the meter
  double load = PlanEconomics{}.load;      ///< mean over maximum power of the machine
  double pue = PlanEconomics{}.pue;        ///< facility over machine
};

/// Checkpoints, restarts and stragglers of a run; all are optional. True where one of them stands.
bool describe_interruptions(FieldVisitor& visitor, CalendarRequest& calendar);

/// All are optional; without `tokens` none of the others may stand.
void describe_calendar(FieldVisitor& visitor, CalendarRequest& calendar, TrainingPower& power);

/// Mean over maximum power of the machines, and facility power over theirs, as plans and runs ask for them. A default
/// is listed as an assumption where `listed`.
void describe_mean_power(FieldVisitor& visitor, double& load, double& pue, bool listed = true);

}  // namespace podwright
