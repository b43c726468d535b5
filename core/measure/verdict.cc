#include "measure/verdict.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "measure/median_interval.h"

namespace podwright {
namespace {

constexpr double kBad = 0.80;
constexpr double kEnough = 0.95;
constexpr double kSuspicious = 1.05;
constexpr double kStraggler = 0.95;

/// Rates that separate the verdicts.
struct Thresholds {
  double bad = 0;
  double ok = 0;
  std::optional<double> high;
};

Thresholds thresholds_of(const VerdictNorms& norms) {
  if (norms.band) return {kBad * norms.band->p10, kEnough * norms.band->p10, kSuspicious * norms.band->p90};
  const GenericFloors& floors = *norms.floors;
  return {floors.low * floors.denominator, floors.ok * floors.denominator, std::nullopt};
}

VerdictKind compared(const MeasuredRate& rate, const Thresholds& thresholds, double share) {
  if (rate.high < share * thresholds.bad) return VerdictKind::bad;
  if (rate.high < share * thresholds.ok) return VerdictKind::low;
  if (thresholds.high && rate.low > *thresholds.high) return VerdictKind::high;
  if (rate.low >= share * thresholds.ok) return VerdictKind::ok;
  return VerdictKind::uncertain;
}

std::string rate_text(const ProbeResult& result, double rate) {
  return result.counted.flops > 0 ? human_number(rate / 1e12) + " TFLOP/s" : human_number(rate / 1e9) + " GB/s";
}

std::string norm_text(const ProbeResult& result, const VerdictNorms& norms, double rate) {
  if (norms.band)
    return "published " + rate_text(result, norms.band->p10) + " to " + rate_text(result, norms.band->p90) + " (" +
           norms.band->source + ")";
  const GenericFloors& floors = *norms.floors;
  return human_number(100 * rate / floors.denominator) + " % of the " + floors.denominator_name + ", of which " +
         human_number(100 * floors.ok) + " % is expected (" + floors.source + ")";
}

std::string meaning(const Verdict& verdict) {
  switch (verdict.kind) {
    case VerdictKind::ok:
      return "As expected.";
    case VerdictKind::high:
      return "Faster than others measured: check what the probe counted.";
    case VerdictKind::low:
      return "Below the norm: plans should use this rate, not the published one.";
    case VerdictKind::bad:
      return "Far below the norm: look for a fault before planning with it.";
    case VerdictKind::limited:
      return "Not a fault: " + verdict.cause + " accounts for it. Plans should use this rate.";
    default:
      return "The interval straddles the threshold: measure again with twice the budget.";
  }
}

std::string joined_flags(const ProbeResult& result) {
  std::string text;
  for (const ProbeFlag& flag : result.flags)
    if (flag.invalidates())
      text += (text.empty() ? "" : ", ") + std::string(kFlagWords.begin()[static_cast<std::size_t>(flag.kind)]);
  return text;
}

Verdict of_norms(const ProbeResult& result, const MeasuredRate& rate, const VerdictNorms& norms) {
  Verdict verdict;
  const Thresholds thresholds = thresholds_of(norms);
  verdict.confidence = norms.band ? "published" : "generic";
  verdict.kind = compared(rate, thresholds, 1);
  if (verdict.kind == VerdictKind::bad || verdict.kind == VerdictKind::low) {
    for (const KnownCause& cause : norms.causes) {
      if (compared(rate, thresholds, cause.share) != VerdictKind::ok) continue;
      verdict.kind = VerdictKind::limited;
      verdict.cause = cause.name;
      break;
    }
  }
  verdict.sentence = result.probe + " " + rate_text(result, rate.rate) + ", " + norm_text(result, norms, rate.rate) +
                     ". " + meaning(verdict);
  return verdict;
}

}  // namespace

std::optional<MeasuredRate> measured_rate(const ProbeResult& result) {
  const double work = result.counted.flops > 0 ? result.counted.flops : result.counted.bytes;
  if (!result.time_s || work <= 0 || result.check.status == CheckStatus::fail) return std::nullopt;
  const SampleSummary& time = *result.time_s;
  return MeasuredRate{work / time.hi95.value_or(time.median), work / time.median,
                      work / time.lo95.value_or(time.median)};
}

Verdict judge(const ProbeResult& result, const VerdictNorms& norms) {
  if (result.skip)
    return {VerdictKind::skipped, "", "none", result.probe + " was not measured: " + result.skip->message};
  if (result.check.status == CheckStatus::fail)
    return {VerdictKind::failed, "", "none", result.probe + " gave a wrong output; its rate is withheld."};
  if (invalid(result.flags))
    return {VerdictKind::invalid, "", "none", result.probe + " is not to be believed: " + joined_flags(result) + "."};
  const auto rate = measured_rate(result);
  if (!rate || (!norms.band && !norms.floors))
    return {VerdictKind::unjudged, "", "none", result.probe + " has no norm to compare with."};
  return of_norms(result, *rate, norms);
}

std::optional<double> set_ratio(std::span<const double> measured_over_expected) {
  if (measured_over_expected.empty()) return std::nullopt;
  return median_of(measured_over_expected);
}

PeerFinding compare_peers(std::span<const MeasuredRate> rates) {
  PeerFinding finding;
  if (rates.size() < 2) return finding;
  finding.applies = true;
  std::vector<double> middle;
  for (const MeasuredRate& rate : rates) middle.push_back(rate.rate);
  const double median = median_of(middle);
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (rates[i].high < kStraggler * median) finding.stragglers.push_back(i);
  return finding;
}

ProbeExit exit_of(VerdictKind kind) {
  if (kind == VerdictKind::failed) return ProbeExit::fault;
  return kind == VerdictKind::bad || kind == VerdictKind::low ? ProbeExit::low : ProbeExit::ok;
}

}  // namespace podwright
