#pragma once
/// Fields of what a machine's measurements were fitted to.
#include <algorithm>
#include <optional>
#include <utility>

#include "api/answer_field.h"
#include "base/words.h"
#include "calibration/fit_errors.h"
#include "calibration/fit_rows.h"
#include "calibration/held_back.h"

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
template <class Table>
[[gnu::always_inline]] inline void describe_fit_number(Table& v, const AnswerField& field, const FitRow& row) {
  v.number(field, fit_number(row, field.key));
}

template <class Table>
[[gnu::always_inline]] inline void describe_coordinate(Table& v, const AnswerField& field, const FitCurve& curve,
                                                       const std::pair<double, double>& point) {
  const std::optional<double> x = field.key == curve.x ? std::optional(point.first) : std::nullopt;
  v.number(field, field.key == curve.y ? std::optional(point.second) : x);
}

/// Points under the keys of their curve.
template <class Table>
[[gnu::always_inline]] inline void describe_curve(Table& v, const AnswerField& field,
                                                  const std::optional<FitCurve>& curve) {
  if (const auto part = v.when(curve.has_value()))
    v.list(field, or_empty(curve).points, [&](const std::pair<double, double>& point) {
      const FitCurve& of = or_empty(curve);
      describe_coordinate(v, {"tokens"}, of, point);
      describe_coordinate(v, {"message_bytes", unit::kBytes}, of, point);
      describe_coordinate(v, {"bytes", unit::kBytes}, of, point);
      describe_coordinate(v, {"flop", "FLOP"}, of, point);
      describe_coordinate(v, {"efficiency"}, of, point);
      describe_coordinate(v, {"time_us", "Time", kShownMicroseconds}, of, point);
      describe_coordinate(v, {"residual"}, of, point);
    });
}

template <class Table>
void describe(Table& v, const FitRow& row) {
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

template <class Table>
void describe(Table& v, const HeldBack& one) {
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

template <class Table>
void describe(Table& v, const CalibrationGap& gap) {
  v.text({"parameter"}, gap.parameter);
  v.text({"reason"}, gap.reason);
}

}  // namespace podwright
