#include "probes/sampling.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "measure/sample_summary.h"
#include "probes/backends.h"
#include "probes/elapsed.h"
#include "probes/nccl_group.h"

namespace podwright::probes {
namespace {

using std::chrono::duration;

constexpr double kClockResolution = 1e-6;      // of CUDA events: 0.5 to 1 microsecond
constexpr double kHostClockResolution = 1e-7;  // of the host's steady clock, with what a call costs
constexpr double kTelemetryInterval = 0.05;
constexpr double kMostOperations = 1e7;
constexpr double kDuty = 0.2;  // of a burst: rest keeps the average power low

// Reason bits of NVML: the power cap, which load usually meets, and slowdown, heat and brake, which it should not.
constexpr std::uint64_t kPowerCap = 0x4;
constexpr std::uint64_t kThrottled = 0x8 | 0x20 | 0x40 | 0x80;

/// Reads telemetry while a case runs, from another thread.
class Watch {
 public:
  Watch(const PwBackend& backend, void* session) : backend_(backend), session_(session), thread_([this] { watch(); }) {}
  ~Watch() { end(); }

  /// Looks a last time.
  void end() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      look();
      stop_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }
  double elapsed() const { return seconds_since(start_); }

  // After end():

  void summarise(ProbeContext& context) const {
    const auto median = [&](std::optional<double> PwTelemetry::*member) {
      const std::vector<double> values = known(member);
      return values.empty() ? std::nullopt : std::optional(median_of(values));
    };
    context.sm_clock_hz = median(&PwTelemetry::clock_hz);
    context.temperature_c = median(&PwTelemetry::temperature_c);
    context.power_w = median(&PwTelemetry::power_w);
    std::map<std::string, int> counts;
    int readings = 0;
    for (const Look& one : looks_) {
      if (!one.seen.reasons) continue;
      ++readings;
      for (const std::string& reason : reason_words(*one.seen.reasons)) ++counts[reason];
    }
    for (const auto& [reason, count] : counts)
      context.reasons.push_back({reason, static_cast<double>(count) / static_cast<double>(readings)});
  }

  /// The most that was seen, because between copies the link rests.
  std::optional<double> most(std::optional<double> PwTelemetry::*member) const {
    const std::vector<double> values = known(member);
    if (values.empty()) return std::nullopt;
    return *std::max_element(values.begin(), values.end());
  }

  /// Of what was read from `from_s` on.
  std::optional<LoadFigures> load(double from_s) const {
    std::vector<LoadReading> readings;
    for (const auto& [seen, at_s] : looks_) {
      const std::uint64_t reasons = seen.reasons.value_or(0);
      readings.push_back({.at_s = at_s,
                          .energy_j = seen.energy_j,
                          .power_w = seen.power_w,
                          .temperature_c = seen.temperature_c,
                          .memory_temperature_c = seen.memory_temperature_c,
                          .power_capped = (reasons & kPowerCap) != 0,
                          .throttled = (reasons & kThrottled) != 0});
    }
    return load_figures(readings, from_s);
  }

 private:
  struct Look {
    PwTelemetry seen;
    double at_s;
  };

  void watch() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stop_) {
      look();
      ended_.wait_for(lock, duration<double>(kTelemetryInterval), [this] { return stop_; });
    }
  }

  void look() {
    PwTelemetry now{};
    backend_.telemetry(session_, &now);
    looks_.push_back({now, elapsed()});
  }

  std::vector<double> known(std::optional<double> PwTelemetry::*member) const {
    std::vector<double> values;
    for (const Look& one : looks_)
      if (const auto& value = one.seen.*member) values.push_back(*value);
    return values;
  }

  const PwBackend& backend_;
  void* session_;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  std::vector<Look> looks_;
  bool stop_ = false;
  std::condition_variable ended_;
  std::thread thread_;
};

/// What a case goes through; each step returns false when the case ended.
class Sampler {
 public:
  Sampler(const PwBackend& backend, void* session, const ProbeCase& one, double seed, NcclGroup* others)
      : backend_(backend), session_(session), case_(one), seed_(seed), others_(others) {
    result_.probe = one.probe;
    result_.size.bytes = one.size.bytes.value_or(0);
    resting_ =
        others != nullptr && std::find(one.members.begin(), one.members.end(), others->rank()) == one.members.end();
  }

  Measured run() {
    if (!ask()) return out_;
    if (prepare()) {
      const bool sampled = choose_operations() && warm_up() && sample();
      if (sampled) check();
    }
    if (out_.end != CaseEnd::sticky && out_.end != CaseEnd::renew && !resting_) give_back();
    return out_;
  }

 private:
  bool ask() {
    PwFault fault{};
    const PwCase one = case_for(case_, seed_);
    return all_went_well(resting_ ? PW_OK : backend_.supported(session_, &one, &fault), fault);
  }

  /// Halves the size where memory is refused, down to the smallest that still means something.
  bool prepare() {
    while (true) {
      PwFault fault{};
      PwPrepared prepared{};
      PwCase one = case_for(case_, seed_);
      one.bytes = static_cast<std::int64_t>(*result_.size.bytes);
      const int code = resting_ ? PW_OK : backend_.prepare(session_, &one, &prepared, &fault);
      const bool refused = code == PW_SKIP && std::string(fault.reason) == "oom";
      if (refused && case_.smallest_bytes > 0 && *result_.size.bytes / 2 >= case_.smallest_bytes) {
        *result_.size.bytes /= 2;
        continue;
      }
      result_.variant.algorithm = prepared.algorithm;
      if (prepared.heuristic_first_s > 0) result_.variant.heuristic_first_s = prepared.heuristic_first_s;
      if (prepared.operand_bytes > 0) *result_.size.bytes = static_cast<double>(prepared.operand_bytes);
      return all_went_well(code, fault);
    }
  }

  bool choose_operations() {
    // The first call creates what libraries create once, so the second one is timed.
    PwBatch batch{};
    if (!run_batch(1, batch)) return false;
    for (int round = 0; round < 4; ++round) {
      if (!run_batch(result_.batch_operations, batch)) return false;
      const double seconds = std::max(batch.seconds, 1e-9);
      if (seconds >= 0.7 * case_.sample_s || result_.batch_operations >= kMostOperations) break;
      const double more = std::min(1000.0, case_.sample_s / seconds);
      result_.batch_operations = std::min(kMostOperations, std::max(1.0, std::round(result_.batch_operations * more)));
    }
    return true;
  }

  /// Until the last five times stay within 1 %, at least and at most as long as the case says.
  bool warm_up() {
    std::vector<double> last;
    double elapsed = 0;
    while (elapsed < 6 * case_.warm_up_s) {
      PwBatch batch{};
      if (!run_batch(result_.batch_operations, batch)) return false;
      elapsed += std::max(batch.wall_seconds, 1e-6);
      last.push_back(batch.seconds);
      if (last.size() > 5) last.erase(last.begin());
      const auto [least, most] = std::minmax_element(last.begin(), last.end());
      if (elapsed >= case_.warm_up_s && last.size() == 5 && *most < 1.01 * *least) break;
    }
    return true;
  }

  bool sample() {
    Watch watch(backend_, session_);
    const bool sustained = case_.mode == ProbeMode::sustained;
    const StopRule rule{.target = case_.target, .back_to_back = case_.back_to_back, .budget_s = case_.budget_s};
    std::vector<double> clocks;
    std::vector<double> starts_s;
    double host = 0;
    double device = 0;
    double elapsed = 0;
    StopState state = StopState::go_on;
    while (state == StopState::go_on) {
      PwBatch batch{};
      starts_s.push_back(watch.elapsed());
      if (!run_batch(result_.batch_operations, batch)) return false;
      decide_on_.push_back(batch.seconds / result_.batch_operations);
      result_.samples_s.push_back(members_seconds_ / result_.batch_operations);
      if (batch.clock_hz > 0) clocks.push_back(batch.clock_hz);
      host += batch.wall_seconds;
      device += batch.seconds;
      elapsed += batch.wall_seconds;
      if (sustained) {
        state = elapsed >= case_.budget_s && decide_on_.size() >= 22 ? StopState::budget : StopState::go_on;
        continue;
      }
      state = stop_state(decide_on_, elapsed, rule);
      if (!case_.back_to_back && state == StopState::go_on) {
        const double rest = batch.seconds * (1 / kDuty - 1);
        std::this_thread::sleep_for(duration<double>(std::min(rest, 0.2)));
        elapsed += rest;
      }
    }
    watch.end();
    if (sustained) {
      const std::size_t half = result_.samples_s.size() / 2;
      result_.samples_s.erase(result_.samples_s.begin(), result_.samples_s.begin() + static_cast<std::ptrdiff_t>(half));
      result_.load = watch.load(starts_s[half]);
    }
    out_.precise = state == StopState::precise || (sustained && narrow(rule.target));
    result_.context.host_s = host;
    result_.context.device_s = device;
    watch.summarise(result_.context);
    out_.pcie_generation = watch.most(&PwTelemetry::pcie_generation);
    out_.pcie_width = watch.most(&PwTelemetry::pcie_width);
    if (!clocks.empty()) result_.context.sm_clock_hz = median_of(clocks);
    if (!skews_.empty()) result_.context.entry_skew_s = median_of(skews_);
    const bool host_clock = std::string(backend_.name) == "cpu";
    out_.clock_resolution_s = host_clock ? kHostClockResolution : kClockResolution;
    return true;
  }

  bool narrow(double target) const {
    const auto half = summary_of(result_.samples_s).relative_half_width();
    return half && *half <= target;
  }

  void check() {
    PwFault fault{};
    PwCheck check{};
    const int code = resting_ ? PW_OK : backend_.verify(session_, &check, &fault);
    if (!all_went_well(code, fault,
                       {static_cast<double>(check.status), check.worst, static_cast<double>(check.nan_count),
                        static_cast<double>(check.checked)}))
      return;
    for (const std::int32_t member : reporting_members()) join_check(numbers_of(member), member, check);
    result_.check.status = check.status == PW_CHECK_PASS   ? CheckStatus::pass
                           : check.status == PW_CHECK_FAIL ? CheckStatus::fail
                                                           : CheckStatus::not_checked;
    if (result_.check.status != CheckStatus::not_checked) {
      if (std::isfinite(check.worst)) result_.check.worst = check.worst;
      result_.check.tolerance = check.tolerance;
    }
    result_.check.nan_count = static_cast<int>(std::min<std::uint64_t>(check.nan_count, 2000000000));
    out_.checked = static_cast<double>(check.checked);
    out_.check_note = check.note;
  }

  void give_back() {
    PwFault fault{};
    const int code = backend_.release(session_, &fault);
    if (code == PW_STICKY) went_well(code, fault);
  }

  bool run_batch(double operations, PwBatch& batch) {
    PwFault fault{};
    const int code = resting_ ? PW_OK : backend_.batch(session_, static_cast<std::int64_t>(operations), &batch, &fault);
    if (!all_went_well(code, fault, {batch.seconds, batch.wall_seconds, batch.entry_wait_s})) return false;
    members_seconds_ = batch.seconds;
    if (others_ != nullptr) take_slowest(batch);
    return true;
  }

  /// A collective lasts as long as on its slowest member. What decides is the slowest of all, which all know alike.
  void take_slowest(PwBatch& batch) {
    members_seconds_ = 0;
    double least_wait = 1e300;
    double most_wait = 0;
    for (const std::int32_t member : reporting_members()) {
      const std::array<double, 4>& numbers = numbers_of(member);
      members_seconds_ = std::max(members_seconds_, numbers[0]);
      least_wait = std::min(least_wait, numbers[2]);
      most_wait = std::max(most_wait, numbers[2]);
    }
    if (most_wait > 0) skews_.push_back(most_wait - least_wait);
    for (const StepReport& report : told_) {
      batch.seconds = std::max(batch.seconds, report.numbers[0]);
      batch.wall_seconds = std::max(batch.wall_seconds, report.numbers[1]);
    }
  }

  /// Members whose reports are there; no one without others.
  std::vector<std::int32_t> reporting_members() const {
    return others_ == nullptr || resting_ ? std::vector<std::int32_t>() : case_.members;
  }
  const std::array<double, 4>& numbers_of(std::int32_t member) const {
    return told_[static_cast<std::size_t>(member)].numbers;
  }

  void join_check(const std::array<double, 4>& numbers, std::int32_t member, PwCheck& check) const {
    if (member == others_->rank()) return;
    const auto status = static_cast<std::int32_t>(numbers[0]);
    if (status == PW_CHECK_FAIL || check.status == PW_CHECK_PASS) check.status = status;
    check.worst = std::max(check.worst, numbers[1]);
    check.nan_count += static_cast<std::uint64_t>(numbers[2]);
    check.checked += static_cast<std::uint64_t>(numbers[3]);
  }

  /// Every rank continues, or none does: the gravest report ends the case for all.
  bool all_went_well(int code, const PwFault& fault, const std::array<double, 4>& numbers = {}) {
    if (others_ == nullptr) return went_well(code, fault);
    PwFault all{};
    told_ = others_->tell({code, fault, numbers}, all);
    if (told_.empty()) return went_well(PW_RENEW, code == PW_OK ? all : fault);
    const auto worst = std::max_element(told_.begin(), told_.end(),
                                        [](const StepReport& a, const StepReport& b) { return a.code < b.code; });
    if (worst->code == PW_OK) return true;
    set_fault(all, worst->fault.reason,
              others_->name_of(static_cast<std::size_t>(worst - told_.begin())) + ": " + worst->fault.detail);
    // The device of another rank is not a fault of this one's.
    return went_well(worst->code == PW_STICKY && code != PW_STICKY ? static_cast<int>(PW_RENEW) : worst->code, all);
  }

  bool went_well(int code, const PwFault& fault) {
    if (code == PW_OK) return true;
    out_.end = code == PW_STICKY ? CaseEnd::sticky : code == PW_RENEW ? CaseEnd::renew : CaseEnd::skipped;
    out_.reason = fault.reason;
    out_.detail = fault.detail;
    return false;
  }

  const PwBackend& backend_;
  void* session_;
  const ProbeCase& case_;
  double seed_;
  NcclGroup* others_;
  bool resting_ = false;           ///< other ranks measure
  std::vector<StepReport> told_;   ///< of the last step, by rank
  double members_seconds_ = 0;     ///< of the last batch
  std::vector<double> decide_on_;  ///< samples that the stop rule sees
  std::vector<double> skews_;
  Measured out_;
  ProbeResult& result_ = out_.result;
};

}  // namespace

std::vector<std::string> reason_words(std::uint64_t bits) {
  // nvmlClocksEventReasons of the NVML reference.
  constexpr std::pair<std::uint64_t, const char*> kWords[] = {
      {0x1, "idle"},        {0x2, "application_clocks"}, {0x4, "sw_power_cap"},
      {0x8, "hw_slowdown"}, {0x10, "sync_boost"},        {0x20, "sw_thermal"},
      {0x40, "hw_thermal"}, {0x80, "power_brake"},       {0x100, "display"}};
  std::vector<std::string> words;
  for (const auto& [bit, word] : kWords)
    if ((bits & bit) != 0) words.emplace_back(word);
  return words;
}

Measured measure_case(const PwBackend& backend, void* session, const ProbeCase& one, double seed, NcclGroup* others) {
  return Sampler(backend, session, one, seed, others).run();
}

}  // namespace podwright::probes
