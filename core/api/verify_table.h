#pragma once
/// Fields of verdicts on a measured machine, and of a plan against it.
#include <array>

#include "api/answer_field.h"
#include "api/plan_on_host.h"
#include "api/roofline_table.h"
#include "base/json_write.h"
#include "base/words.h"
#include "calibration/judge_profile.h"

namespace podwright {

/// Base units, so that the key of every unit is one of a few.
inline constexpr std::array<std::string_view, 4> kRateUnitWords{"B/s", "FLOP/s", "1/s", "B"};

template <class Table>
void describe(Table& v, const VerdictExplanation& explanation) {
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

template <class Table>
void describe(Table& v, const ProfileVerdict& one) {
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

template <class Table>
void describe(Table& v, const HostAssumption& one) {
  v.text({"gpu"}, one.gpu);
  v.text({"what", "What is assumed"}, one.what);
  v.number({"assumed"}, one.assumed);
  v.number({"measured_low", "Measured, low"}, one.measured_low);
  v.number({"measured"}, one.measured);
  v.number({"measured_high", "Measured, high"}, one.measured_high);
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

template <class Table>
void describe(Table& v, const ReplannedFigure::Value& value) {
  v.number({"low"}, value.low);
  v.number({"value"}, value.value);
  v.number({"high"}, value.high);
}

template <class Table>
void describe(Table& v, const PlanOnHost& plan) {
  v.list({"assumptions"}, plan.assumptions);
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
