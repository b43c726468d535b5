#include "probes/runner.h"

#include <algorithm>
#include <map>

#include "files/write_whole.h"
#include "measure/health.h"
#include "measure/health_check.h"
#include "measure/profile_file.h"
#include "probes/case_measurer.h"
#include "probes/device_facts.h"
#include "probes/elapsed.h"
#include "probes/host.h"
#include "probes/interrupt.h"
#include "probes/result_of_case.h"
#include "probes/run_findings.h"

namespace podwright::probes {
namespace {

constexpr double kPeriodicBusy = 0.05;

class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options) {}

  RunOutcome run() {
    start_profile();
    if (choose_backend() && take_inventory() && refuse_when_busy()) {
      keep_first();
      plan();
      look_at_host();
      measure_all();
      ask_health_again();
      add_flags_between_sizes(outcome_.profile.results);
      measure_host();
    }
    finish();
    return std::move(outcome_);
  }

 private:
  // ---- before measuring ---------------------------------------------------------------------------------------------

  void start_profile() {
    note_interrupts();
    HardwareProfile& profile = outcome_.profile;
    profile.tool.version = options_.version;
    profile.tool.compiler = __VERSION__;
    profile.run.started = utc_now();
    profile.run.mode = options_.budget.mode;
    profile.run.seed = options_.seed;
    profile.run.complete = false;
    profile.run.rank = options_.rank;
    profile.environment = environment_facts();
    profile.host = host_facts();
  }

  /// CUDA where it runs, else the processors with the reason; a backend that was asked for by name must run.
  bool choose_backend() {
    backend_ = options_.backend == "auto" ? "cuda" : options_.backend;
    if (open_first()) return true;
    if (options_.backend != "auto") {
      outcome_.exit = ProbeExit::unusable;
      outcome_.message = failed_.detail.empty() ? failed_.reason : failed_.reason + ": " + failed_.detail;
      return false;
    }
    const std::string limit = "No GPU was measured (" + failed_.reason + ": " + failed_.detail + ").";
    outcome_.profile.limits.push_back(limit);
    note(limit + " The processors of this machine are measured instead.");
    backend_ = "cpu";
    return open_first();
  }

  /// Starts a worker that tells how many devices there are and what the first one is.
  bool open_first() {
    failed_ = {};
    facts_.clear();
    std::vector<Fact> facts;
    if (!inventory_of(0, facts, true)) return false;
    facts_[0] = facts;
    outcome_.profile.run.backend = backend_;
    return true;
  }

  /// `before_us`: also who else uses the device, as long as no worker has.
  bool inventory_of(int device, std::vector<Fact>& facts, bool before_us) {
    WorkerJob job;
    job.backend = backend_;
    job.device = device;
    job.inventory = true;
    job.neighbours = before_us;
    WorkerProcess worker(options_.program, job);
    WorkerMessage message;
    while (true) {
      if (const auto wait = worker.next(kStartPatience, message); wait != WorkerProcess::Wait::message) {
        failed_ = {"init_failed", worker.end_of(wait, "the driver did not answer").detail};
        return false;
      }
      if (message.kind == WorkerMessage::Kind::devices) device_count_ = message.devices;
      if (message.kind == WorkerMessage::Kind::facts)
        facts.insert(facts.end(), message.facts.begin(), message.facts.end());
      if (message.kind == WorkerMessage::Kind::health) measurer_.health().take(device, message.facts);
      if (message.kind == WorkerMessage::Kind::done) return true;
      if (message.kind != WorkerMessage::Kind::failed) continue;
      failed_ = {message.reason, message.detail};
      return false;
    }
  }

  bool take_inventory() {
    if (options_.devices.empty()) {
      const auto [part, parts] = options_.share;
      for (int device = 0; device < device_count_; ++device)
        if (device_count_ < parts || device * parts / device_count_ == part) devices_.push_back(device);
    } else {
      devices_ = options_.devices;
    }
    for (const int device : devices_) {
      if (device < 0 || device >= device_count_) {
        outcome_.exit = ProbeExit::wrong_input;
        outcome_.message = "there is no device " + std::to_string(device) + "; " + std::to_string(device_count_) +
                           (device_count_ == 1 ? " device is" : " devices are") + " here";
        return false;
      }
      if (facts_.count(device) == 0 && !inventory_of(device, facts_[device], true)) {
        note("Device " + std::to_string(device) + " cannot be opened: " + failed_.reason + ": " + failed_.detail);
        measurer_.suspect(device, failed_);
      }
      outcome_.profile.devices.push_back(
          device_of(facts_[device], device, backend_, options_.catalog, outcome_.profile.environment));
    }
    return true;
  }

  /// A rank that is lost leaves at least what it is.
  void keep_first() {
    if (options_.rank && !options_.output.empty()) write_profile(outcome_.profile, options_.output);
  }

  bool refuse_when_busy() {
    if (options_.allow_busy) return true;
    for (const int device : devices_) {
      const double busy = fact_number(facts_[device], "idle_utilization", 0);
      const double processes = fact_number(facts_[device], "other_processes", 0);
      if (busy <= kPeriodicBusy && processes < 1) continue;
      outcome_.exit = ProbeExit::unusable;
      outcome_.message = "busy: others use device " + std::to_string(device) + " (" +
                         std::to_string(static_cast<int>(processes)) + " processes, " +
                         std::to_string(static_cast<int>(100 * busy)) +
                         " % utilisation); --allow-busy measures all the same";
      return false;
    }
    return true;
  }

  void plan() {
    for (const int device : devices_) {
      const std::vector<Fact>& facts = facts_[device];
      Machine machine;
      machine.backend = backend_;
      machine.memory_bytes = fact_number(facts, "memory_free_bytes", fact_number(facts, "memory_total_bytes", 0));
      machine.cache_bytes = fact_number(facts, "l2_bytes", 0);
      machine.threads = static_cast<int>(fact_number(facts, "logical_cores", 1));
      machine.devices = device_count_;
      machine.device = device;
      if (device == devices_.front()) machine.members = devices_that_open();
      machine.capability = static_cast<int>(10 * fact_number(facts, "compute_capability_number", 0) + 0.5);
      std::vector<ProbeCase> cases = plan_cases(machine, options_.budget, options_.seed);
      if (!options_.only.empty())
        std::erase_if(cases, [&](const ProbeCase& one) { return !chosen(one.probe, options_.only); });
      for (const ProbeCase& one : cases) seconds_left_ += one.predicted_s() / 2;
      case_count_ += static_cast<int>(cases.size());
      planned_[device] = std::move(cases);
    }
    if (case_count_ > 0 || options_.only.empty() || options_.may_have_none) return;
    outcome_.message = "no probe of this run begins with " + options_.only.front();
    raise(ProbeExit::unusable);
  }

  std::vector<std::int32_t> devices_that_open() const {
    std::vector<std::int32_t> members;
    for (const int device : devices_)
      if (measurer_.suspects().count(device) == 0) members.push_back(device);
    return members;
  }

  /// Scripted devices are not in this host, unless the host is made up as well.
  void look_at_host() {
    checks_health_ = true;
    if (backend_ != "fake" || options_.system_root != "/") host_ = host_state(options_.system_root);
  }

  // ---- measuring ----------------------------------------------------------------------------------------------------

  void measure_all() {
    for (const int device : devices_) {
      const std::vector<ProbeCase>& cases = planned_[device];
      for (auto first = cases.begin(); first != cases.end();) {
        const auto last =
            std::find_if(first, cases.end(), [&](const ProbeCase& one) { return one.heat != first->heat; });
        measure_group(device, {first, last});
        first = last;
      }
    }
  }

  void measure_group(int device, std::vector<ProbeCase> cases) {
    const Heat heat = cases.front().heat;
    const std::size_t results_before = outcome_.profile.results.size();
    const std::map<std::string, double> counters_before = measurer_.health().counters(device);
    WorkerJob job;
    job.backend = backend_;
    job.device = device;
    job.seed = options_.seed;
    job.cases = std::move(cases);
    // Down to 5 K above the start, so that one group does not heat the next.
    if (const double start = fact_number(facts_[device], "temperature_c", 0); start > 0 && heat >= Heat::compute) {
      job.cool_to_c = start + 5;
      job.cool_patience_s = cooling_seconds(options_.budget.mode);
    }
    measurer_.measure(std::move(job));
    if (heat == Heat::load) note_counters(device, counters_before, results_before);
    // A run that is killed leaves a valid file.
    note_state();
    if (!options_.output.empty() && !write_profile(outcome_.profile, options_.output))
      outcome_.message = "cannot write " + options_.output;
  }

  /// Counters that rose while the results from `first` on were measured; which of several loads raised one is not
  /// known.
  void note_counters(int device, const std::map<std::string, double>& before, std::size_t first) {
    std::vector<CounterRise> rises;
    for (const auto& [name, count] : measurer_.health().counters(device)) {
      const auto old = before.find(name);
      if (old != before.end() && count > old->second) rises.push_back({name, count - old->second});
    }
    for (std::size_t i = first; i < outcome_.profile.results.size(); ++i)
      if (auto& load = outcome_.profile.results[i].load; load) load->counters = rises;
  }

  void tell_progress(const ProbeCase& one) const {
    if (!options_.on_progress) return;
    options_.on_progress({done_, case_count_, std::max(0.0, seconds_left_), one.title()});
  }

  void take(int device, const ProbeCase& one, Measured measured) {
    ++done_;
    seconds_left_ -= one.predicted_s() / 2;
    take_case(outcome_.profile, device, facts_[device], one, std::move(measured));
  }

  /// Of devices whose last worker could not tell.
  void ask_health_again() {
    for (const int device : measurer_.health().unknown()) {
      if (interrupted_by() != 0) return;
      std::vector<Fact> ignored;
      inventory_of(device, ignored, false);
    }
  }

  /// What no backend of GPUs measures: the memory of the host, and a file where one was named.
  void measure_host() {
    if (!host_ || interrupted_by() != 0) return;
    read_errors_after(options_.system_root, *host_);
    if (!options_.read_file.empty()) host_->file = read_file_rate(options_.read_file);
    const bool wanted = options_.only.empty() || chosen("cpu.stream.triad", options_.only);
    if (backend_ != "cpu" && options_.budget.mode != RunMode::quick && wanted)
      host_->memory_bytes_per_s = host_memory_rate(options_.program, options_.seed);
  }

  // ---- after measuring ----------------------------------------------------------------------------------------------

  void note_state() {
    outcome_.profile.run.duration_s = seconds_since(started_);
    outcome_.profile.run.exit_code = static_cast<int>(outcome_.exit);
  }

  void finish() {
    HardwareProfile& profile = outcome_.profile;
    note_state();  // checks of links take their rates over the duration
    for (const auto& [device, suspect] : measurer_.suspects())
      profile.health_events.push_back({device_id(device), suspect.reason, suspect.detail});
    measurer_.health().write(profile);
    check_health();
    judge_exit();
    note_state();
    add_links(profile);
    add_overlaps(profile);
    note_power_limit(profile);
    profile.run.complete = interrupted_by() == 0 && outcome_.exit != ProbeExit::unusable &&
                           outcome_.exit != ProbeExit::wrong_input && done_ == case_count_;
    if (interrupted_by() != 0) profile.limits.push_back("The run was ended before all probes were taken.");
    if (options_.output.empty() || outcome_.exit == ProbeExit::wrong_input) return;
    if (!profile.results.empty() && !write_profile(profile, options_.output)) {
      outcome_.message = "cannot write " + options_.output;
      outcome_.exit = ProbeExit::unusable;
    }
  }

  void check_health() {
    if (!checks_health_) return;
    std::vector<GpuReading> gpus;
    for (const int device : devices_) gpus.push_back(gpu_reading(facts_[device]));
    outcome_.profile.health_checks = health_checks(outcome_.profile, gpus, host_ ? &*host_ : nullptr, options_.catalog);
  }

  /// The gravest of what happened. Skips alone change nothing, unless their probe was required.
  void judge_exit() {
    for (const ProbeResult& result : outcome_.profile.results) {
      if (result.check.status == CheckStatus::fail) raise(ProbeExit::fault);
      if (result.skip) raise(exit_of(result.skip->reason, chosen(result.probe, options_.required)));
    }
    for (const HealthFinding& finding : health_findings(outcome_.profile)) raise(exit_of(finding.gravity));
    for (const std::string& one : options_.required)
      if (!options_.may_have_none && !planned(one)) {
        raise(ProbeExit::unusable);
        if (outcome_.message.empty()) outcome_.message = "required probes that this run does not have: " + one;
      }
    if (interrupted_by() != 0) raise(ProbeExit::fault);
  }

  bool planned(const std::string& beginning) const {
    return std::any_of(planned_.begin(), planned_.end(), [&](const auto& of_device) {
      return std::any_of(of_device.second.begin(), of_device.second.end(),
                         [&](const ProbeCase& one) { return one.probe.rfind(beginning, 0) == 0; });
    });
  }

  void raise(ProbeExit exit) { outcome_.exit = std::max(outcome_.exit, exit); }

  void note(const std::string& sentence) const {
    if (options_.on_note) options_.on_note(sentence);
  }

  const RunOptions& options_;
  RunOutcome outcome_;
  Clock::time_point started_ = Clock::now();
  std::string backend_;
  int device_count_ = 0;
  std::vector<int> devices_;
  std::map<int, std::vector<Fact>> facts_;
  std::map<int, std::vector<ProbeCase>> planned_;
  CaseMeasurer measurer_{
      options_,
      {[this](const ProbeCase& one) { tell_progress(one); },
       [this](int device, const ProbeCase& one, Measured measured) { take(device, one, std::move(measured)); }}};
  bool checks_health_ = false;       ///< the run came as far as measuring
  std::optional<HostReading> host_;  ///< absent: not looked at
  WorkerEnd failed_;                 ///< why the last inventory was not told
  int case_count_ = 0;
  int done_ = 0;
  double seconds_left_ = 0;
};

}  // namespace

RunOutcome run_probes(const RunOptions& options) { return Run(options).run(); }

bool write_profile(const HardwareProfile& profile, const std::string& path) {
  return write_whole(path, profile_text(profile)).empty();
}

}  // namespace podwright::probes
