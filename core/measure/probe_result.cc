#include "measure/probe_result.h"

#include "base/number_text.h"
#include "base/result.h"
#include "measure/measure_formulas.h"

namespace podwright {
namespace {

std::optional<double> rate_of(double counted, const ProbeResult& result) {
  if (counted <= 0 || !result.time_s || result.check.status == CheckStatus::fail) return std::nullopt;
  return counted / result.time_s->median;
}

void add(std::vector<ProbeFlag>& flags, std::optional<ProbeFlag> flag) {
  if (flag) flags.push_back(std::move(*flag));
}

void add_precision_flag(ProbeResult& result, const FinishFacts& facts) {
  const auto half_width = result.time_s->relative_half_width();
  if (facts.precise || (half_width && *half_width <= facts.target)) return;
  const std::string reached =
      half_width ? human_number(100 * *half_width, 3) + " %" : "no interval from so few independent samples";
  result.flags.push_back({FlagKind::precision_not_reached,
                          "half-width " + reached + ", target " + human_number(100 * facts.target, 3) + " %"});
}

void add_context_flags(ProbeResult& result) {
  const ProbeContext& context = result.context;
  if (context.sm_clock_hz && context.burst_sm_clock_hz)
    add(result.flags, clock_flag(*context.sm_clock_hz, *context.burst_sm_clock_hz));
  add(result.flags, throttle_flag(context.reasons));
  add(result.flags, neighbour_flag(context.other_processes.value_or(0), context.idle_utilization.value_or(0)));
  if (context.host_s && context.device_s) add(result.flags, mismatch_flag(*context.host_s, *context.device_s));
}

CurvePoint point_of(const ProbeResult& result, double least_binding_work) {
  const SampleSummary& time = *result.time_s;
  const double work = result.counted.flops > 0 ? result.counted.flops : result.counted.bytes;
  return {.work = work,
          .time_s = time.median,
          .lo95_s = time.lo95.value_or(time.median),
          .hi95_s = time.hi95.value_or(time.median),
          .work_binds = work >= least_binding_work};
}

/// Of all the power, so that FLOPs and bytes of one operation are not distinguished.
void add_energy(ProbeResult& result) {
  if (!result.load || !result.load->power_w) return;
  const double joules = raw(operation_energy(Watts(*result.load->power_w), Seconds(result.time_s->median)));
  if (result.counted.flops > 0) result.load->j_per_flop = joules / result.counted.flops;
  if (result.counted.bytes > 0) result.load->j_per_byte = joules / result.counted.bytes;
}

}  // namespace

std::optional<double> ProbeResult::bytes_per_s() const { return rate_of(counted.bytes, *this); }
std::optional<double> ProbeResult::flops_per_s() const { return rate_of(counted.flops, *this); }

void finish_result(ProbeResult& result, const FinishFacts& facts) {
  PODWRIGHT_ASSERT(!result.samples_s.empty());
  if (result.check.nan_count > 0) result.check.status = CheckStatus::fail;
  if (result.check.status == CheckStatus::fail) {
    result.time_s.reset();
    result.flags.push_back({FlagKind::wrong_result, result.check.nan_count > 0 ? "NaN or infinite output" : ""});
    add_context_flags(result);
    return;
  }
  result.time_s = summary_of(result.samples_s);
  add_energy(result);
  for (ProbeFlag& flag :
       sample_flags(result.samples_s, {facts.target, facts.clock_resolution_s / result.batch_operations}))
    result.flags.push_back(std::move(flag));
  if (const auto rate = result.bytes_per_s()) add(result.flags, roof_flag(*rate, facts.byte_roofs));
  if (const auto rate = result.flops_per_s(); rate && !has_flag(result.flags, FlagKind::above_roof))
    add(result.flags, roof_flag(*rate, facts.flop_roofs));
  add_context_flags(result);
  add_precision_flag(result, facts);
}

void add_curve_flags(std::vector<ProbeResult*>& results) {
  constexpr double kLeastBinding = 4.0 * 1024 * 1024;  // below it a start-up time may hide the work
  std::vector<ProbeResult*> measured;
  std::vector<CurvePoint> points;
  for (ProbeResult* result : results) {
    if (!result->usable()) continue;
    measured.push_back(result);
    points.push_back(point_of(*result, kLeastBinding));
  }
  std::vector<std::vector<ProbeFlag>> flags = curve_flags(points);
  for (std::size_t i = 0; i < measured.size(); ++i)
    for (ProbeFlag& flag : flags[i])
      if (!has_flag(measured[i]->flags, flag.kind)) measured[i]->flags.push_back(std::move(flag));
}

}  // namespace podwright
