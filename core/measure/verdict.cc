#include "measure/verdict.h"

#include "base/number_text.h"
#include "base/units.h"
#include "measure/sample_summary.h"

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

/// The first of several ids; the rest are counted.
std::string first_source(const std::string& sources) {
  const std::size_t end = sources.find("; ");
  if (end == std::string::npos) return sources;
  std::size_t more = 0;
  for (std::size_t at = end; at != std::string::npos; at = sources.find("; ", at + 1)) ++more;
  return sources.substr(0, end) + " and " + std::to_string(more) + " more";
}

std::string norm_text(RateUnit unit, const VerdictNorms& norms, double rate) {
  if (norms.band)
    return "published " + rate_text(unit, norms.band->p10) + " to " + rate_text(unit, norms.band->p90) + " (" +
           first_source(norms.band->source) + ")";
  const GenericFloors& floors = *norms.floors;
  const std::string source = " is expected (" + first_source(floors.source) + ")";
  if (floors.denominator_name.empty())
    return (unit == RateUnit::operations_per_s ? "at most " : "at least ") +
           rate_text(unit, floors.ok * floors.denominator) + source;
  return human_number(100 * rate / floors.denominator) + " % of the " + floors.denominator_name + ", of which " +
         human_number(100 * floors.ok) + " %" + source;
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

/// The cause, or all together, with which the rate is as it must be; empty where they do not account for it.
std::string accounting_cause(const MeasuredRate& rate, const Thresholds& thresholds,
                             const std::vector<KnownCause>& causes) {
  for (const KnownCause& cause : causes)
    if (compared(rate, thresholds, cause.share) == VerdictKind::ok) return cause.name;
  std::string names;
  double share = 1;
  for (const KnownCause& cause : causes) {
    names += (names.empty() ? "" : " and ") + cause.name;
    share *= cause.share;
  }
  return compared(rate, thresholds, share) == VerdictKind::ok ? names : "";
}

}  // namespace

MeasuredRate rate_of(double work, const SampleSummary& time) {
  return {work / time.hi95.value_or(time.p95), work / time.median, work / time.lo95.value_or(time.min)};
}

std::optional<MeasuredRate> measured_rate(const ProbeResult& result) {
  const double work = result.counted.flops > 0 ? result.counted.flops : result.counted.bytes;
  if (!result.time_s || work <= 0 || result.check.status == CheckStatus::fail) return std::nullopt;
  return rate_of(work, *result.time_s);
}

std::string rate_text(RateUnit unit, double rate) {
  switch (unit) {
    case RateUnit::flops_per_s:
      return human_number(rate / 1e12) + " TFLOP/s";
    case RateUnit::bytes_per_s:
      return human_number(rate / 1e9) + " GB/s";
    case RateUnit::bytes:
      return human_number(rate / raw(gib(1))) + " GiB";
    default:
      return human_number(1e6 / rate) + " us";
  }
}

Verdict judge_rate(std::string_view what, const MeasuredRate& rate, RateUnit unit, const VerdictNorms& norms) {
  if (!norms.band && !norms.floors)
    return {VerdictKind::unjudged, "", "none", std::string(what) + " has no norm to compare with."};
  Verdict verdict;
  const Thresholds thresholds = thresholds_of(norms);
  verdict.confidence = norms.band ? "published" : "generic";
  verdict.kind = compared(rate, thresholds, 1);
  if (verdict.kind == VerdictKind::bad || verdict.kind == VerdictKind::low) {
    verdict.cause = accounting_cause(rate, thresholds, norms.causes);
    if (!verdict.cause.empty()) verdict.kind = VerdictKind::limited;
  }
  verdict.sentence = std::string(what) + " " + rate_text(unit, rate.rate) + ", " + norm_text(unit, norms, rate.rate) +
                     ". " + meaning(verdict);
  return verdict;
}

Verdict judge(const ProbeResult& result, const VerdictNorms& norms) {
  if (result.skip)
    return {VerdictKind::skipped, "", "none", result.probe + " was not measured: " + result.skip->message};
  if (result.check.status == CheckStatus::fail)
    return {VerdictKind::failed, "", "none", result.probe + " gave a wrong output; its rate is withheld."};
  if (invalid(result.flags))
    return {VerdictKind::invalid, "", "none", result.probe + " cannot be trusted: " + joined_flags(result) + "."};
  const auto rate = measured_rate(result);
  const RateUnit unit = result.counted.flops > 0 ? RateUnit::flops_per_s : RateUnit::bytes_per_s;
  return judge_rate(result.probe, rate.value_or(MeasuredRate{}), unit, rate ? norms : VerdictNorms{});
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
  const bool low = kind == VerdictKind::bad || kind == VerdictKind::low || kind == VerdictKind::impossible;
  return low ? ProbeExit::low : ProbeExit::ok;
}

}  // namespace podwright
