#pragma once
/// Fields of a measured machine: what its measurements were fitted to, verdicts on it, and a plan against it.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "api/answer_field.h"
#include "api/common_table.h"
#include "api/estimate_table.h"
#include "api/plan_on_host.h"
#include "base/json_write.h"
#include "base/words.h"
#include "calibration/fit_errors.h"
#include "calibration/fit_rows.h"
#include "calibration/held_back.h"
#include "calibration/judge_profile.h"

namespace podwright {

// Numbers that are in their unit already.
inline constexpr DisplayUnit kShownMicroseconds{"", "us", 1.0};
inline constexpr DisplayUnit kShownGbPerSecond{"", "GB/s", 1.0};
inline constexpr DisplayUnit kShownMib{"", "MiB", 1.0};

inline std::optional<double> fit_number(const FitRow& row, std::string_view key) {
  const auto found =
      std::find_if(row.numbers.begin(), row.numbers.end(), [&](const FitNumber& number) { return number.key == key; });
  return found == row.numbers.end() ? std::nullopt : std::optional(found->value);
}

/// One of the parameters that fits of all families have between them.
[[gnu::always_inline]] inline void describe_fit_number(auto& v, const AnswerField& field, const FitRow& row) {
  v.number(field, fit_number(row, field.key));
}

[[gnu::always_inline]] inline void describe_coordinate(auto& v, const AnswerField& field, const FitCurve& curve,
                                                       const std::pair<double, double>& point) {
  const std::optional<double> x = field.key == curve.x ? std::optional(point.first) : std::nullopt;
  v.number(field, field.key == curve.y ? std::optional(point.second) : x);
}

/// Points under the keys of their curve.
[[gnu::always_inline]] inline void describe_curve(auto& v, const AnswerField& field,
                                                  const std::optional<FitCurve>& curve) {
  v.fields(curve, [&](const FitCurve& of) {
    v.list(field, of.points, [&](const std::pair<double, double>& point) {
      describe_coordinate(v, {"tokens"}, of, point);
      describe_coordinate(v, {"message_bytes", unit::kBytes}, of, point);
      describe_coordinate(v, {"bytes", unit::kBytes}, of, point);
      describe_coordinate(v, {"flop", "FLOP"}, of, point);
      describe_coordinate(v, {"efficiency"}, of, point);
      describe_coordinate(v, {"time_us", "Time", kShownMicroseconds}, of, point);
      describe_coordinate(v, {"residual"}, of, point);
    });
  });
}

void describe(auto& v, const FitRow& row) {
  v.text({"parameter"}, row.parameter);
  describe_fit_number(v, {"ranks"}, row);
  describe_fit_number(v, {"nodes"}, row);
  describe_fit_number(v, {"start_us", "Start, µs", kShownMicroseconds}, row);
  describe_fit_number(v, {"compute_efficiency", "Share of peak arithmetic"}, row);
  describe_fit_number(v, {"bandwidth_gb_per_s", kShownGbPerSecond}, row);
  describe_fit_number(v, {"bandwidth_efficiency", "Share of the bandwidth"}, row);
  describe_fit_number(v, {"effective_mib", "Effective cache", kShownMib}, row);
  describe_fit_number(v, {"cache_gb_per_s", "Bandwidth of the cache", kShownGbPerSecond}, row);
  describe_fit_number(v, {"memory_gb_per_s", "Memory bandwidth", kShownGbPerSecond}, row);
  describe_fit_number(v, {"longest_efficiency", "Efficiency at the longest"}, row);
  describe_fit_number(v, {"bus_gb_per_s", "Bandwidth of the bus", kShownGbPerSecond}, row);
  describe_fit_number(v, {"points"}, row);
  describe_fit_number(v, {"sustained_factor", "Rate after long runs, share"}, row);
  describe_fit_number(v, {"time_us", "Time", kShownMicroseconds}, row);
  describe_fit_number(v, {"hidden_share", "Share that is hidden"}, row);
  describe_fit_number(v, {"seen_median_error", "Median error on points seen"}, row);
  v.flag({"sustained_factor_is_measured", "That share was measured"}, row.sustained_is_measured);
  v.number({"left_out_median_error", "Median error on points left out"}, row.left_out_median);
  v.number({"left_out_90_error", "90 % of the errors on points left out"}, row.left_out_90);
  v.number({"interval_half_width", "Half width of the interval"}, row.half_width);
  describe_curve(v, {"measured"}, row.curve);
  describe_curve(v, {"residuals"}, row.residuals);
  v.word({"in_plans"}, row.use, kFitUseWords);
  const bool taken = row.use == FitUse::rate;
  v.text({"left_out", "In none of these sums"}, unless_empty(taken ? row.left_out : ""));
  v.text({"not_taken", "Why plans do not take it"}, unless_empty(taken ? "" : row.why_not));
}

void describe(auto& v, const HeldBack& one) {
  const auto microseconds = [](Seconds time) { return raw(time) * 1e6; };
  v.text({"probe"}, one.probe);
  v.group({"size"}, [&] {
    v.number({"m", "m"}, one.size.m);
    v.number({"n", "n"}, one.size.n);
    v.number({"k", "k"}, one.size.k);
    v.number({"bytes", unit::kBytes}, one.size.bytes);
  });
  v.number({"measured_us", "Measured", kShownMicroseconds}, microseconds(one.measured));
  v.number({"predicted_us", "Predicted", kShownMicroseconds}, microseconds(one.predicted));
  v.number({"predicted_us_low", "Predicted, low", kShownMicroseconds}, microseconds(one.predicted_low));
  v.number({"predicted_us_high", "Predicted, high", kShownMicroseconds}, microseconds(one.predicted_high));
  v.number({"error"}, one.relative_error());
  v.flag({"inside", "Inside the interval"}, one.inside());
}

void describe(auto& v, const CalibrationGap& gap) {
  v.text({"parameter"}, gap.parameter);
  v.text({"reason"}, gap.reason);
}

/// Base units, so that the key of every unit is one of a few.
inline constexpr std::array<std::string_view, 4> kRateUnitWords{"B/s", "FLOP/s", "1/s", "B"};

void describe(auto& v, const VerdictExplanation& explanation) {
  v.text({"binding_roof", "Bottleneck"}, unless_empty(explanation.binding_roof));
  v.number({"arithmetic_intensity_flop_per_byte", unit::kFlopPerByte}, explanation.arithmetic_intensity);
  v.number({"ridge_flop_per_byte", unit::kFlopPerByte}, explanation.ridge);
  if (const auto part = v.when(!explanation.shares.empty()))
    v.list({"shares", "Shares of what it is compared with"}, explanation.shares, [&](const RoofShare& share) {
      v.text({"of"}, share.roof);
      v.number({"share"}, share.share);
    });
  if (const auto part = v.when(!explanation.deficit.empty()))
    v.list({"deficit", "What lowers it"}, explanation.deficit, [&](const DeficitTerm& term) {
      v.text({"of"}, term.of);
      v.number({"share"}, term.share);
      v.text({"evidence"}, term.evidence);
    });
  v.number({"clock_ratio", "Clock over the boost clock"}, explanation.clock_ratio);
  v.number({"share_at_that_clock", "Share of the peak at that clock"}, explanation.at_that_clock);
  if (const auto part = v.when(!explanation.causes.empty()))
    v.list({"causes"}, explanation.causes, [&](const SeenCause& cause) {
      v.text({"cause"}, cause.cause);
      v.text({"evidence"}, cause.evidence);
    });
  v.text({"next_command"}, unless_empty(explanation.next_command));
}

void describe(auto& v, const ProfileVerdict& one) {
  v.word({"verdict"}, one.verdict.kind, kVerdictWords);
  v.text({"cause"}, unless_empty(one.verdict.cause));
  v.text({"confidence", "Confidence in the source"}, one.verdict.confidence);
  v.text({"sentence"}, one.verdict.sentence);
  v.text({"probe"}, one.probe);
  v.text({"device"}, one.device);
  v.text({"dtype", "Format"}, unless_empty(one.dtype));
  v.word({"mode"}, one.mode, kProbeModeWords);
  v.text({"judged", "Judged by"}, unless_empty(one.judged));
  v.fields(one.rate, [&](const MeasuredRate& rate) {
    v.number({"rate_low", "Rate, low"}, rate.low);
    v.number({"rate"}, rate.rate);
    v.number({"rate_high", "Rate, high"}, rate.high);
    v.word({"unit"}, one.unit, kRateUnitWords);
  });
  describe(v, one.explanation);
}

/// What a profile says of one device.
void describe(auto& v, const DeviceVerdict& one) {
  const auto list = [&](const AnswerField& field, const std::vector<Message>& messages) {
    v.list(field, messages, [&](const Message& message) { describe_message(v, message); });
  };
  v.text({"device"}, one.device);
  v.text({"name"}, unless_empty(one.name));
  v.text({"gpu"}, unless_empty(one.gpu));
  v.word({"key_match"}, one.match, kKeyMatchWords);
  v.word({"state"}, one.state, kDeviceStateWords);
  v.group({"says"}, [&] { describe_message(v, one.says); });
  list({"reasons"}, one.causes);
  v.list({"next_steps"}, one.steps, [&](const DeviceStep& step) {
    v.text({"command"}, unless_empty(step.command));
    if (const auto part = v.when(step.advice != as_written("")))
      v.group({"what_to_do"}, [&] { describe_message(v, step.advice); });
  });
  list({"checks_made"}, one.checked);
  list({"checks_missing"}, one.not_checked);
}

void describe(auto& v, const HostAssumption& one) {
  v.text({"gpu"}, one.gpu);
  v.text({"what", "What is assumed"}, one.what);
  v.number({"assumed"}, one.assumed);
  v.fields(one.measured, [&](const MeasuredOnHost& measured) {
    v.number({"measured_low", "Measured, low"}, measured.low);
    v.number({"measured"}, measured.typical);
    v.number({"measured_high", "Measured, high"}, measured.high);
  });
  v.text({"unit"}, one.unit);
  v.word({"state"}, one.state, kAssumptionStateWords);
  v.text({"sentence"}, one.sentence);
  if (const auto part = v.when(!one.costs.empty())) {
    v.list({"impact", "What it changes alone"}, one.impact, [&](const FigureImpact& figure) {
      v.text({"workload"}, unless_empty(figure.workload));
      v.text({"figure"}, figure.figure);
      v.number({"before"}, figure.before);
      v.number({"after"}, figure.after);
    });
    v.flag({"feasible_alone", "Feasible with it alone"}, one.feasible_alone);
    v.text({"costs", "What it costs"}, one.costs);
  }
}

void describe(auto& v, const ReplannedFigure::Value& value) {
  v.number({"low"}, value.low);
  v.number({"value"}, value.value);
  v.number({"high"}, value.high);
}

void describe(auto& v, const PlanOnHost& plan) {
  v.list({"assumptions"}, plan.assumptions);
  v.flag({"checked", "Measured at least in part"}, plan.checked());
  v.list({"figures"}, plan.figures, [&](const ReplannedFigure& figure) {
    v.text({"workload"}, unless_empty(figure.workload));
    v.text({"figure"}, figure.figure);
    v.object({"before"}, figure.before);
    v.object({"after"}, figure.after);
  });
  v.text({"gpu_before"}, unless_empty(plan.gpu_before));
  v.text({"gpu_after"}, unless_empty(plan.gpu_after));
  v.flag({"feasible_before"}, plan.feasible_before);
  v.flag({"feasible_after"}, plan.feasible_after);
  v.any({"replanned", "The plan with measured rates"}, [&](JsonWriter& out) { out.verbatim(plan.replanned); });
}

}  // namespace podwright
