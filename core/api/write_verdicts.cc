#include "api/write_verdicts.h"

#include "api/write_common.h"
#include "base/words.h"

namespace podwright {
namespace {

/// Base units, so that the key of every unit is one of a few.
std::string_view unit_word(RateUnit unit) {
  switch (unit) {
    case RateUnit::bytes_per_s:
      return "B/s";
    case RateUnit::flops_per_s:
      return "FLOP/s";
    case RateUnit::operations_per_s:
      return "1/s";
    case RateUnit::bytes:
      return "B";
  }
  return "";
}

void write_explanation(JsonWriter& out, const VerdictExplanation& explanation) {
  const auto number = [&](std::string_view key, const std::optional<double>& value) {
    if (value) out.number(key, *value);
  };
  if (!explanation.binding_roof.empty()) out.text("binding_roof", explanation.binding_roof);
  number("arithmetic_intensity_flop_per_byte", explanation.arithmetic_intensity);
  number("ridge_flop_per_byte", explanation.ridge);
  if (!explanation.shares.empty()) {
    out.begin_list("shares");
    for (const RoofShare& share : explanation.shares) {
      out.begin_object();
      out.text("of", share.roof);
      out.number("share", share.share);
      out.end_object();
    }
    out.end_list();
  }
  if (!explanation.deficit.empty()) {
    out.begin_list("deficit");
    for (const DeficitTerm& term : explanation.deficit) {
      out.begin_object();
      out.text("of", term.of);
      out.number("share", term.share);
      out.text("evidence", term.evidence);
      out.end_object();
    }
    out.end_list();
  }
  number("clock_ratio", explanation.clock_ratio);
  number("share_at_that_clock", explanation.at_that_clock);
  if (!explanation.causes.empty()) {
    out.begin_list("causes");
    for (const SeenCause& cause : explanation.causes) {
      out.begin_object();
      out.text("cause", cause.cause);
      out.text("evidence", cause.evidence);
      out.end_object();
    }
    out.end_list();
  }
  if (!explanation.next_command.empty()) out.text("next_command", explanation.next_command);
}

void write_verdict(JsonWriter& out, const ProfileVerdict& one) {
  out.begin_object();
  out.text("verdict", word_of(one.verdict.kind, kVerdictWords));
  if (!one.verdict.cause.empty()) out.text("cause", one.verdict.cause);
  out.text("confidence", one.verdict.confidence);
  out.text("sentence", one.verdict.sentence);
  out.text("probe", one.probe);
  out.text("device", one.device);
  if (!one.dtype.empty()) out.text("dtype", one.dtype);
  out.text("mode", word_of(one.mode, kProbeModeWords));
  if (!one.judged.empty()) out.text("judged", one.judged);
  if (one.rate) {
    out.number("rate_low", one.rate->low);
    out.number("rate", one.rate->rate);
    out.number("rate_high", one.rate->high);
    out.text("unit", unit_word(one.unit));
  }
  write_explanation(out, one.explanation);
  out.end_object();
}

}  // namespace

void write_verdicts(JsonWriter& out, const ProfileJudgement& judgement) {
  out.begin_list("verdicts");
  for (const ProfileVerdict& one : judgement.verdicts) write_verdict(out, one);
  out.end_list();
  write_texts(out, "notes", judgement.notes);
}

}  // namespace podwright
