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
  v.number({"arithmetic_intensity_flop_per_byte", "Arithmetic intensity", unit::kFlopPerByte},
           explanation.arithmetic_intensity);
  v.number({"ridge_flop_per_byte", "Intensity above which arithmetic binds", unit::kFlopPerByte}, explanation.ridge);
  if (const auto part = v.when(!explanation.shares.empty()))
    v.list({"shares", "Shares of what it is compared with"}, explanation.shares, [&](const RoofShare& share) {
      v.text({"of", "Of"}, share.roof);
      v.number({"share", "Share"}, share.share);
    });
  if (const auto part = v.when(!explanation.deficit.empty()))
    v.list({"deficit", "What lowers it"}, explanation.deficit, [&](const DeficitTerm& term) {
      v.text({"of", "Of"}, term.of);
      v.number({"share", "Share that it leaves"}, term.share);
      v.text({"evidence", "Evidence"}, term.evidence);
    });
  v.number({"clock_ratio", "Clock over the boost clock"}, explanation.clock_ratio);
  v.number({"share_at_that_clock", "Share of the peak at that clock"}, explanation.at_that_clock);
  if (const auto part = v.when(!explanation.causes.empty()))
    v.list({"causes", "Causes"}, explanation.causes, [&](const SeenCause& cause) {
      v.text({"cause", "Cause"}, cause.cause);
      v.text({"evidence", "Evidence"}, cause.evidence);
    });
  v.text({"next_command", "Next command"}, unless_empty(explanation.next_command));
}

template <class Table>
void describe(Table& v, const ProfileVerdict& one) {
  v.word({"verdict", "Verdict"}, one.verdict.kind, kVerdictWords);
  v.text({"cause", "Cause"}, unless_empty(one.verdict.cause));
  v.text({"confidence", "Confidence"}, one.verdict.confidence);
  v.text({"sentence", "Sentence"}, one.verdict.sentence);
  v.text({"probe", "Probe"}, one.probe);
  v.text({"device", "Device"}, one.device);
  v.text({"dtype", "Format"}, unless_empty(one.dtype));
  v.word({"mode", "Mode"}, one.mode, kProbeModeWords);
  v.text({"judged", "Judged by"}, unless_empty(one.judged));
  v.fields(one.rate, [&](const MeasuredRate& rate) {
    v.number({"rate_low", "Rate, low"}, rate.low);
    v.number({"rate", "Rate"}, rate.rate);
    v.number({"rate_high", "Rate, high"}, rate.high);
    v.word({"unit", "Unit"}, one.unit, kRateUnitWords);
  });
  describe(v, one.explanation);
}

template <class Table>
void describe(Table& v, const HostAssumption& one) {
  v.text({"gpu", "GPU"}, one.gpu);
  v.text({"what", "What is assumed"}, one.what);
  v.number({"assumed", "Assumed"}, one.assumed);
  v.number({"measured_low", "Measured, low"}, one.measured_low);
  v.number({"measured", "Measured"}, one.measured);
  v.number({"measured_high", "Measured, high"}, one.measured_high);
  v.text({"unit", "Unit"}, one.unit);
  v.word({"state", "State"}, one.state, kAssumptionStateWords);
  v.text({"sentence", "Sentence"}, one.sentence);
  if (const auto part = v.when(!one.costs.empty())) {
    v.list({"impact", "What it changes alone"}, one.impact, [&](const FigureImpact& figure) {
      v.text({"workload", "Workload"}, unless_empty(figure.workload));
      v.text({"figure", "Figure"}, figure.figure);
      v.number({"before", "Before"}, figure.before);
      v.number({"after", "After"}, figure.after);
    });
    v.flag({"feasible_alone", "Feasible with it alone"}, one.feasible_alone);
    v.text({"costs", "What it costs"}, one.costs);
  }
}

template <class Table>
void describe(Table& v, const ReplannedFigure::Value& value) {
  v.number({"low", "Low"}, value.low);
  v.number({"value", "Value"}, value.value);
  v.number({"high", "High"}, value.high);
}

template <class Table>
void describe(Table& v, const PlanOnHost& plan) {
  v.list({"assumptions", "What the plan assumes"}, plan.assumptions);
  v.list({"figures", "Figures"}, plan.figures, [&](const ReplannedFigure& figure) {
    v.text({"workload", "Workload"}, unless_empty(figure.workload));
    v.text({"figure", "Figure"}, figure.figure);
    v.object({"before", "Before"}, figure.before);
    v.object({"after", "After"}, figure.after);
  });
  v.text({"gpu_before", "GPU before"}, unless_empty(plan.gpu_before));
  v.text({"gpu_after", "GPU after"}, unless_empty(plan.gpu_after));
  v.flag({"feasible_before", "Feasible before"}, plan.feasible_before);
  v.flag({"feasible_after", "Feasible after"}, plan.feasible_after);
  v.any({"replanned", "The plan with measured rates"}, [&](JsonWriter& out) { out.verbatim(plan.replanned); });
}

}  // namespace podwright
