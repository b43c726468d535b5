#include "api/request_calendar.h"

namespace podwright {

void describe_mean_power(FieldVisitor& v, double& load, double& pue, bool listed) {
  const auto source = [&](std::string_view text) { return listed ? text : std::string_view(); };
  v.number({.key = "load",
            .help = "Mean over maximum power of the machines",
            .range = {0.01, 1},
            .default_source = source("Datacenter as a Computer, 4th edition, chapter 8")},
           load);
  v.number({.key = "pue",
            .help = "Power of the facility over power of the machines",
            .range = {1, 5},
            .default_source = source("convention of Podwright, between 1.09 (large cloud sites) and 1.56 (mean of the "
                                     "Uptime Institute's surveys)")},
           pue);
}

bool describe_interruptions(FieldVisitor& v, CalendarRequest& r) {
  const bool checkpoint = v.enter({.key = "checkpoint", .help = "How checkpoints are written"});
  v.number(
      {.key = "write_s", .help = "Time to write one, s; absent: its size over the storage's rate", .range = {0, 1e6}},
      r.write_s);
  v.number({.key = "storage_write_gb_per_s",
            .help = "Rate at which the storage takes it, GB/s; absent: the least of the storage guide",
            .range = {1e-6, 1e9}},
           r.storage_write_gb_per_s);
  v.number(
      {.key = "interval_s", .help = "Training between two of them, s; absent: what loses least", .range = {1, 1e9}},
      r.interval_s);
  v.flag({.key = "asynchronous", .help = "Training waits only for the copy to host memory"}, r.asynchronous);
  v.rule(!r.write_s || !r.storage_write_gb_per_s, "storage_write_gb_per_s",
         "\"write_s\" and \"storage_write_gb_per_s\" exclude each other.", "Give one of them.");
  v.leave();
  v.number({.key = "restart_s",
            .help = "From a failure to the first new step, s; absent: the catalog's figure",
            .range = {0, 1e7}},
           r.restart_s);
  v.number({.key = "step_time_variation",
            .help = "Standard deviation of one GPU's step time over its mean, beyond what measured runs contain",
            .range = kShare},
           r.step_time_variation);
  return checkpoint || r.restart_s || r.step_time_variation > 0;
}

void describe_calendar(FieldVisitor& v, CalendarRequest& r, TrainingPower& power) {
  v.number({.key = "tokens", .help = "Tokens of the whole run; asks for its `calendar`", .range = {1, 1e18}}, r.tokens);
  v.number({.key = "deadline_days", .help = "Days until the run must be done", .range = {1e-3, 1e5}}, r.deadline_days);
  const bool interrupted = describe_interruptions(v, r);
  v.number({.key = "gpu_hours_per_failure",
            .help = "GPU-hours between failures; absent: those of a published fleet",
            .range = {1e-3, 1e12}},
           r.gpu_hours_per_failure);
  v.number({.key = "gpu_price_usd_per_hour", .help = "Price of a GPU-hour, USD", .range = {0, 1e6}},
           r.gpu_price_usd_per_hour);
  v.number({.key = "power_kw_per_gpu",
            .help = "Mean power at the meter for each GPU with all around it, kW; absent: the machine's share",
            .range = {1e-3, 1e3}},
           power.power_kw_per_gpu);
  describe_mean_power(v, power.load, power.pue, r.tokens.has_value() && !power.power_kw_per_gpu);
  const bool any =
      r.deadline_days || interrupted || r.gpu_hours_per_failure || r.gpu_price_usd_per_hour || power.power_kw_per_gpu;
  v.rule(r.tokens || !any, "tokens", "Deadline, checkpoints, failures, price and power say nothing without \"tokens\".",
         "Add the \"tokens\" of the run.");
}

}  // namespace podwright
