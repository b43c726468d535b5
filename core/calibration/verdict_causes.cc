#include "calibration/verdict_causes.h"

#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "base/stable_sort.h"
#include "calibration/machine_formulas.h"
#include "measure/sample_summary.h"
#include "measure/zeros.h"
#include "perf/roofline.h"

namespace podwright {
namespace {

constexpr double kPowerBound = 0.5;   ///< share of samples at the power cap from which power is the roof
constexpr double kTinyWork = 0.01;    ///< of the judged work: an operation that is all start-up
constexpr double kLowerLimit = 0.99;  ///< of the default power limit
constexpr double kTelling = 0.10;     ///< share of samples below which a reason bit explains nothing

bool computes(const ProbeNorm& norm) { return norm.denominator == NormDenominator::peak; }

/// Median of the clocks beside the judged results.
std::optional<double> clock_of(const JudgedRate& judged) {
  std::vector<double> clocks;
  for (const ProbeResult* result : judged.results)
    if (result->context.sm_clock_hz) clocks.push_back(*result->context.sm_clock_hz);
  if (clocks.empty()) return std::nullopt;
  return median_of(clocks);
}

/// The clock to compare with: what the device can run at.
std::optional<double> full_clock(const ProfileDevice& device, const DeviceRoofs& roofs) {
  if (device.sm_clock_max_hz) return device.sm_clock_max_hz;
  if (roofs.gpu != nullptr && roofs.gpu->boost_clock_mhz) return *roofs.gpu->boost_clock_mhz * 1e6;
  return std::nullopt;
}

bool lower_power(const ProfileDevice& device) {
  return device.power_limit_w && device.power_limit_default_w &&
         *device.power_limit_w < kLowerLimit * *device.power_limit_default_w;
}

bool shared(const JudgedOn& on) {
  return on.device.virtualization == "vgpu" ||
         std::any_of(on.judged.results.begin(), on.judged.results.end(),
                     [](const ProbeResult* result) { return has_flag(result->flags, FlagKind::noisy_neighbour); });
}

/// Largest share of samples in which each reason was set.
std::map<std::string, double> reasons_of(const JudgedRate& judged) {
  std::map<std::string, double> reasons;
  for (const ProbeResult* result : judged.results)
    for (const ReasonShare& one : result->context.reasons)
      reasons[one.reason] = std::max(reasons[one.reason], one.share);
  return reasons;
}

std::string cause_of_reason(const std::string& reason) {
  if (reason == "sw_power_cap" || reason == "power_brake") return "power";
  if (reason == "sw_thermal" || reason == "hw_thermal") return "temperature";
  if (reason == "application_clocks" || reason == "sync_boost") return "clock";
  return reason == "hw_slowdown" ? "slowdown" : "";
}

std::string ghz(double hertz) { return fixed_number(hertz / 1e9, 2); }

void add_settings(const JudgedOn& on, std::vector<SeenCause>& causes) {
  if (!on.device.mig_slice.empty() && on.norm.denominator != NormDenominator::memory)
    causes.push_back(
        {"slice", "slice " + on.device.mig_slice +
                      (on.roofs.slice_known ? ": " + percent_text(on.roofs.compute_share) + " of the compute, " +
                                                  percent_text(on.roofs.memory_share) + " of the memory"
                                            : ", which the catalog does not know")});
  if (shared(on))
    causes.push_back({"shared", on.device.virtualization == "vgpu"
                                    ? "a virtual GPU, which others may use at the same time"
                                    : "other processes used the device"});
  if (!computes(on.norm)) return;
  const auto clock = clock_of(on.judged);
  const auto full = full_clock(on.device, on.roofs);
  if (on.device.clocks_locked == true)
    causes.push_back({"clock", "clocks are locked" + (clock && full ? ", " + ghz(*clock) + " of " + ghz(*full) + " GHz"
                                                                    : std::string(", at a clock that was not seen"))});
  if (lower_power(on.device))
    causes.push_back({"power", "the power limit is " + human_number(*on.device.power_limit_w) + " W of " +
                                   human_number(*on.device.power_limit_default_w) + " W by default"});
}

void add_telemetry(const JudgedOn& on, std::vector<SeenCause>& causes) {
  std::vector<std::pair<double, SeenCause>> seen;
  for (const auto& [reason, share] : reasons_of(on.judged))
    if (const std::string cause = cause_of_reason(reason); !cause.empty() && share >= kTelling)
      seen.push_back({share, {cause, reason + " in " + percent_text(share) + " of the samples"}});
  sort_stably(seen, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [share, cause] : seen) causes.push_back(std::move(cause));
  if (!computes(on.norm)) return;
  for (const FasterZeros& one : faster_zeros(on.profile))
    if (one.random->probe == on.norm.probe && one.random->devices.front() == on.device.id)
      causes.push_back({"power", "zeros run " + percent_text(one.ratio - 1) + " faster than random numbers"});
}

void add_shares(const JudgedOn& on, VerdictExplanation& explanation) {
  const auto add = [&](const auto& roof, const std::string& name) {
    if (roof) explanation.shares.push_back({name, on.judged.rate.rate / raw(*roof)});
  };
  switch (on.norm.denominator) {
    case NormDenominator::peak:
      return add(on.roofs.peak(on.norm.dtype), "datasheet");
    case NormDenominator::memory_bandwidth:
      add(on.roofs.memory_bandwidth, on.roofs.memory_bandwidth_name);
      if (on.roofs.memory_bandwidth_name != "datasheet") add(on.roofs.gpu->memory_bandwidth, "datasheet");
      return;
    case NormDenominator::memory:
      add(on.roofs.memory, "memory that the driver reports");
      return add(on.roofs.gpu->memory, "datasheet");
    case NormDenominator::negotiated_link:
      if (on.roofs.host_link && !on.roofs.host_link_assumed)
        add(std::optional(on.roofs.host_link->bandwidth), "negotiated link");
      if (on.roofs.host_link_sheet) add(std::optional(on.roofs.host_link_sheet->bandwidth), "datasheet");
      return;
    default:
      return;
  }
  // Links and collectives have one roof.
}

/// Median over the judged results of a share that each may have; absent where one has none.
template <class Share>
std::optional<double> median_share(const JudgedRate& judged, Share share) {
  std::vector<double> shares;
  for (const ProbeResult* result : judged.results) {
    const std::optional<double> one = share(*result);
    if (!one) return std::nullopt;
    shares.push_back(*one);
  }
  return shares.empty() ? std::nullopt : std::optional(median_of(shares));
}

double work_of(const ProbeResult& result) {
  return result.counted.flops > 0 ? result.counted.flops : result.counted.bytes;
}

/// The shortest operation of the same probe, where it does next to nothing beside the judged ones: all start-up.
const ProbeResult* shortest(const JudgedOn& on) {
  if (on.judged.results.empty()) return nullptr;
  const ProbeResult& judged = *on.judged.results.front();
  const ProbeResult* found = nullptr;
  for (const ProbeResult* result : usable_results(on.profile, {.probe = judged.probe, .device = on.device.id})) {
    if (result->dtype != judged.dtype || result->size.ranks != judged.size.ranks || result->devices != judged.devices)
      continue;
    if (found == nullptr || result->time_s->median < found->time_s->median) found = result;
  }
  if (found == nullptr) return nullptr;
  const bool tiny = std::all_of(on.judged.results.begin(), on.judged.results.end(), [&](const ProbeResult* result) {
    return work_of(*found) <= kTinyWork * work_of(*result);
  });
  return tiny ? found : nullptr;
}

void add_clock_term(const JudgedOn& on, VerdictExplanation& explanation) {
  if (!explanation.clock_ratio || *explanation.clock_ratio >= 1) return;
  const auto reasons = reasons_of(on.judged);
  const auto cap = reasons.find("sw_power_cap");
  const bool capped = lower_power(on.device) || (cap != reasons.end() && cap->second >= kTelling);
  std::string evidence = ghz(*clock_of(on.judged)) + " of " + ghz(*on.roofs.gpu->boost_clock_mhz * 1e6) + " GHz";
  if (cap != reasons.end() && cap->second >= kTelling)
    evidence += ", power cap in " + percent_text(cap->second) + " of the samples";
  explanation.deficit.push_back({capped ? "power" : "clock", *explanation.clock_ratio, std::move(evidence)});
}

void add_tile_term(const JudgedOn& on, double tile_loss_share, VerdictExplanation& explanation) {
  const auto count = on.device.sm_count ? on.device.sm_count : on.roofs.gpu->sm_count;
  if (!computes(on.norm) || !count || !(*count > 0)) return;
  const auto left = median_share(on.judged, [&](const ProbeResult& result) -> std::optional<double> {
    if (!result.size.m || !result.size.n) return std::nullopt;
    return quantised_share(tile_fill(*result.size.m, *result.size.n, *count), tile_loss_share);
  });
  if (left)
    explanation.deficit.push_back(
        {"tiles", *left, "half-empty tiles and waves over " + human_number(*count) + " multiprocessors"});
}

void add_start_term(const JudgedOn& on, VerdictExplanation& explanation) {
  const ProbeResult* start = shortest(on);
  if (start == nullptr) return;
  const auto left = median_share(on.judged, [&](const ProbeResult& result) -> std::optional<double> {
    if (result.time_s->median <= start->time_s->median) return std::nullopt;
    return started_share(Seconds(result.time_s->median), Seconds(start->time_s->median));
  });
  if (left)
    explanation.deficit.push_back(
        {"start", *left, "at most " + human_number(start->time_s->median * 1e6) + " us, its shortest operation"});
}

/// What the rate loses of its first roof, as factors.
void add_deficit(const JudgedOn& on, double tile_loss_share, VerdictExplanation& explanation) {
  if (explanation.shares.empty() || !(explanation.shares.front().share > 0)) return;
  add_clock_term(on, explanation);
  add_tile_term(on, tile_loss_share, explanation);
  add_start_term(on, explanation);
  if (explanation.deficit.empty()) return;
  double rest = explanation.shares.front().share;
  for (const DeficitTerm& term : explanation.deficit) rest /= term.share;
  explanation.deficit.push_back({"rest", rest, "kernels, memory and everything that is not separated"});
}

std::string roof_of(const ProbeNorm& norm, const VerdictExplanation& explanation,
                    const std::map<std::string, double>& reasons) {
  switch (norm.denominator) {
    case NormDenominator::memory_bandwidth:
      return "memory";
    case NormDenominator::memory:
      return "capacity";
    case NormDenominator::link:
      return "link";
    case NormDenominator::negotiated_link:
      return "host link";
    case NormDenominator::none:
      return norm.is_time ? "launch" : "link";
    default:
      break;
  }
  const auto cap = reasons.find("sw_power_cap");
  if (cap != reasons.end() && cap->second >= kPowerBound) return "power";
  const bool compute = !explanation.ridge || *explanation.arithmetic_intensity >= *explanation.ridge;
  return compute ? "compute" : "memory";
}

}  // namespace

std::vector<KnownCause> known_causes(const JudgedOn& on) {
  const auto& [profile, judged, norm, device, roofs] = on;
  std::vector<KnownCause> causes;
  const bool of_memory = norm.denominator == NormDenominator::memory_bandwidth;
  if (!device.mig_slice.empty() && roofs.slice_known && (of_memory || computes(norm)))
    causes.push_back({"slice", of_memory ? roofs.memory_share : roofs.compute_share});
  const auto clock = clock_of(judged);
  const auto full = full_clock(device, roofs);
  if (computes(norm) && clock && full && *clock < *full) {
    if (device.clocks_locked == true) causes.push_back({"clock", *clock / *full});
    if (device.clocks_locked != true && lower_power(device)) causes.push_back({"power", *clock / *full});
  }
  // What others take is not known, so that any rate may be theirs.
  if (norm.denominator != NormDenominator::memory && shared(on)) causes.push_back({"shared", 0});
  sort_stably(causes, [](const KnownCause& a, const KnownCause& b) {
    return a.share > b.share;  // the mildest that accounts for the rate is named
  });
  return causes;
}

VerdictExplanation explained(const JudgedOn& on, double tile_loss_share) {
  const auto& [profile, judged, norm, device, roofs] = on;
  VerdictExplanation explanation;
  if (computes(norm) && !judged.results.empty()) {
    const CountedWork& work = judged.results.front()->counted;
    if (work.bytes > 0)
      explanation.arithmetic_intensity = arithmetic_intensity(Flops(work.flops), Bytes(work.bytes)).base_units();
    const auto peak = roofs.peak(norm.dtype);
    if (work.bytes > 0 && peak && roofs.memory_bandwidth)
      explanation.ridge = ridge_point(*peak, *roofs.memory_bandwidth).base_units();
    const auto clock = clock_of(judged);
    if (clock && peak && roofs.gpu->boost_clock_mhz) {
      explanation.clock_ratio = *clock / (*roofs.gpu->boost_clock_mhz * 1e6);
      explanation.at_that_clock = judged.rate.rate / (raw(*peak) * *explanation.clock_ratio);
    }
  }
  add_shares(on, explanation);
  add_settings(on, explanation.causes);
  add_telemetry(on, explanation.causes);
  add_deficit(on, tile_loss_share, explanation);
  explanation.binding_roof = roof_of(norm, explanation, reasons_of(judged));
  return explanation;
}

}  // namespace podwright
