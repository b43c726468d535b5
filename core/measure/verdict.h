#pragma once
/// What a measured rate says about the machine. Norms come from outside as data with their source.
/// docs/method/probes.md#verdicts.
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/probe_result.h"

namespace podwright {

enum class VerdictKind {
  invalid,  ///< a flag says that the time is not to be believed
  failed,   ///< the output was wrong
  bad,      ///< far below the norm
  low,      ///< below the norm
  high,     ///< above what others measured: look at the flags
  ok,
  uncertain,  ///< the interval straddles a threshold: measure longer
  limited,    ///< low, and a known cause accounts for it; `cause` names it
  skipped,    ///< not measured
  unjudged,   ///< measured, but there is no norm to compare with
  impossible  ///< above what the hardware can give: a figure is wrong
};
inline constexpr std::array<std::string_view, 11> kVerdictWords = {
    "invalid", "failed", "bad", "low", "high", "ok", "uncertain", "limited", "skipped", "unjudged", "impossible"};

/// Rates that others published for this GPU, probe and mode: 10 %, 50 % and 90 % of their shapes or runs.
struct PublishedBand {
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
  std::string source;
};
/// Shares of a denominator that any device of the kind should reach.
struct GenericFloors {
  double denominator = 0;        ///< in the rate's unit
  std::string denominator_name;  ///< "datasheet", "driver", "negotiated link"; empty: the floors are rates themselves
  double ok = 0;
  double low = 0;  ///< below it the verdict is bad
  std::string source;
};
/// A cause that lowers the rate without being a fault, and the share of the norm that remains with it.
struct KnownCause {
  std::string name;  ///< clock, power, link, slice, shared, ecc
  double share = 1;
};

struct VerdictNorms {
  std::optional<PublishedBand> band;  ///< counts before the floors
  std::optional<GenericFloors> floors;
  std::vector<KnownCause> causes;
};

/// A rate with its interval; both ends are the rate where there is none.
struct MeasuredRate {
  double low = 0;
  double rate = 0;
  double high = 0;
};
/// `work` over the time's median and its 95 % interval; without an interval its fastest sample and 95 % quantile bound
/// it.
MeasuredRate rate_of(double work, const SampleSummary& time);
/// Of FLOPs where the probe counts them, else of bytes; absent where the result has no rate.
std::optional<MeasuredRate> measured_rate(const ProbeResult& result);

/// What a rate counts, which decides how it is written.
enum class RateUnit {
  bytes_per_s,
  flops_per_s,
  operations_per_s,  ///< written as the time of one operation
  bytes,             ///< an amount and no rate
};
/// "774 TFLOP/s", "4,300 GB/s", "1.3 us", "139 GiB".
std::string rate_text(RateUnit unit, double rate);

struct Verdict {
  VerdictKind kind = VerdictKind::unjudged;
  std::string cause;       ///< of `limited`
  std::string confidence;  ///< published, generic, none
  std::string sentence;    ///< what was measured, against what, and what it means
};

/// Bands: bad, low, high, ok are tried in this order against 0.80 p10, 0.95 p10, 1.05 p90, 0.95 p10; the first whose
/// whole interval is beyond its threshold holds. A cause turns bad and low into limited where the rate is ok against
/// the norm that remains with it; several causes together count where none does
/// alone.
Verdict judge_rate(std::string_view what, const MeasuredRate& rate, RateUnit unit, const VerdictNorms& norms);
/// The same of a result, of FLOPs where the probe counts them; skipped, failed and invalid results have no rate to
/// judge.
Verdict judge(const ProbeResult& result, const VerdictNorms& norms);

/// A matrix product m x k by k x n.
struct LargeProduct {
  double m, n, k;
};
/// The large products on which compute is judged.
inline constexpr LargeProduct kNineProducts[] = {{4096, 4096, 4096},  {8192, 8192, 8192}, {4096, 8192, 8192},
                                                 {8192, 4096, 4096},  {2048, 8192, 8192}, {4096, 16384, 4096},
                                                 {4096, 4096, 16384}, {8192, 8192, 2048}, {2048, 16384, 8192}};
/// Fewest of them that accuse a device of slow bursts.
inline constexpr std::size_t kLeastProducts = 3;

/// Matrix products are judged by the median over a set of shapes of measured over expected: single shapes differ
/// between libraries by more than any threshold. Absent for an empty set.
std::optional<double> set_ratio(std::span<const double> measured_over_expected);

/// Devices of one node against their median: those whose interval ends below 0.95 of it are stragglers. With one device
/// the rule does not apply.
struct PeerFinding {
  bool applies = false;
  std::vector<std::size_t> stragglers;  ///< places in the input
};
PeerFinding compare_peers(std::span<const MeasuredRate> rates);

/// fault for failed; low for bad, low and impossible; else ok. The largest over all decides the exit code.
ProbeExit exit_of(VerdictKind kind);

}  // namespace podwright
