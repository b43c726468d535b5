#include "probes/runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "measure/health.h"
#include "measure/health_check.h"
#include "measure/profile_file.h"
#include "probes/backends.h"
#include "probes/device_facts.h"
#include "probes/elapsed.h"
#include "probes/health_log.h"
#include "probes/host_facts.h"
#include "probes/host_rates.h"
#include "probes/host_state.h"
#include "probes/result_of_case.h"
#include "probes/run_findings.h"
#include "probes/worker_process.h"

namespace podwright::probes {
namespace {

constexpr double kPeriodicBusy = 0.05;

class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options) {}

  RunOutcome run() {
    start_profile();
    if (choose_backend() && take_inventory() && refuse_when_busy()) {
      plan();
      look_at_host();
      measure_all();
      ask_health_again();
      compare_sizes();
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
    profile.run.arguments = options_.arguments;
    profile.run.complete = false;
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
      const auto wait = worker.next(kStartPatience, message);
      if (wait == WorkerProcess::Wait::message) {
        if (message.kind == WorkerMessage::Kind::devices) device_count_ = message.devices;
        if (message.kind == WorkerMessage::Kind::facts)
          facts.insert(facts.end(), message.facts.begin(), message.facts.end());
        if (message.kind == WorkerMessage::Kind::health) health_.take(device, message.facts);
        if (message.kind == WorkerMessage::Kind::failed) {
          failed_ = {message.reason, message.detail};
          return false;
        }
        if (message.kind == WorkerMessage::Kind::done) return true;
        continue;
      }
      failed_ = {"init_failed", wait == WorkerProcess::Wait::silent ? "the driver did not answer"
                                                                    : "the worker " + worker.how_it_ended()};
      return false;
    }
  }

  bool take_inventory() {
    if (options_.devices.empty()) {
      for (int device = 0; device < device_count_; ++device) devices_.push_back(device);
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
        suspects_[device] = failed_;
      }
      outcome_.profile.devices.push_back(
          device_of(facts_[device], device, backend_, options_.catalog, outcome_.profile.environment));
    }
    return true;
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
        cases.erase(std::remove_if(cases.begin(), cases.end(),
                                   [&](const ProbeCase& one) { return !chosen(one.probe, options_.only); }),
                    cases.end());
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
      if (suspects_.count(device) == 0) members.push_back(device);
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
      for (std::size_t first = 0; first < cases.size();) {
        std::size_t last = first;
        while (last < cases.size() && cases[last].heat == cases[first].heat) ++last;
        const std::size_t results_before = results_of_case_.size();
        const std::map<std::string, double> counters_before = health_.counters(device);
        measure_group(device, {cases.begin() + static_cast<std::ptrdiff_t>(first),
                               cases.begin() + static_cast<std::ptrdiff_t>(last)});
        if (cases[first].heat == Heat::load) note_counters(device, counters_before, results_before);
        keep();
        first = last;
      }
    }
  }

  /// Counters that rose while the results from `first` on were measured; which of several loads raised one is not
  /// known.
  void note_counters(int device, const std::map<std::string, double>& before, std::size_t first) {
    std::vector<CounterRise> rises;
    for (const auto& [name, count] : health_.counters(device)) {
      const auto old = before.find(name);
      if (old != before.end() && count > old->second) rises.push_back({name, count - old->second});
    }
    for (std::size_t i = first; i < results_of_case_.size(); ++i)
      if (results_of_case_[i].result.load) results_of_case_[i].result.load->counters = rises;
  }

  void measure_group(int device, std::vector<ProbeCase> cases) {
    int ends = 0;
    int renewals = 0;
    while (!cases.empty()) {
      if (interrupted_by() != 0) return skip_all(device, cases, SkipReason::interrupted, "the run was ended");
      if (const auto suspect = suspects_.find(device); suspect != suspects_.end())
        return skip_all(device, cases, reason_of(suspect->second.reason),
                        "no more probes on this device: " + suspect->second.detail);
      const Round round = measure_with_one_worker(device, cases);
      cases.erase(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(round.measured));
      // A library that failed twice in one group is not asked a third time; the device itself is well.
      if (round.renew && ++renewals >= 2) {
        const Skip last = *results_of_case_.back().result.skip;
        return skip_all(device, cases, last.reason, "failed twice before in this run, last with " + last.message);
      }
      if (round.renew) continue;
      // A device that ends two workers of a group is not asked again.
      if (!cases.empty() && ++ends >= 2 && suspects_.count(device) == 0 && interrupted_by() == 0)
        suspects_[device] = {"device_fault", "two workers of one group did not end in order"};
    }
  }

  struct Round {
    std::size_t measured;  ///< cases that need no further worker
    bool renew;            ///< the next case needs a fresh one, by no fault of the device
  };
  Round measure_with_one_worker(int device, const std::vector<ProbeCase>& cases) {
    WorkerJob job;
    job.backend = backend_;
    job.device = device;
    job.seed = options_.seed;
    job.cases = cases;
    cool_before(job);
    WorkerProcess worker(options_.program, job);
    WorkerMessage message;
    std::size_t next = 0;
    bool started = false;
    while (next < cases.size()) {
      const ProbeCase& one = cases[next];
      const double patience = started ? (5 * one.predicted_s() + 10) * options_.watchdog_factor : kStartPatience;
      switch (worker.next(patience, message)) {
        case WorkerProcess::Wait::message:
          if (message.kind == WorkerMessage::Kind::start) {
            started = true;
            tell_progress(one);
          } else if (message.kind == WorkerMessage::Kind::failed) {
            suspects_[device] = {message.reason, message.detail};
            return {next, false};
          } else if (message.kind == WorkerMessage::Kind::finished) {
            started = false;
            add(device, one, message.measured);
            ++next;
            if (message.measured.end == CaseEnd::sticky) {
              suspects_[device] = {"device_fault", message.measured.detail};
              hear_out(worker, device);
              return {next, false};
            }
            if (message.measured.end == CaseEnd::renew) {
              hear_out(worker, device);
              return {next, true};
            }
          }
          break;
        case WorkerProcess::Wait::silent: {
          health_.lost(device);
          const bool died = worker.end(options_.watchdog_grace_s * options_.watchdog_factor);
          add_skip(device, one, SkipReason::hang, "nothing came for five times the predicted time and ten seconds");
          if (!died) suspects_[device] = {"hang", "a worker could not be ended"};
          return {next + 1, false};
        }
        case WorkerProcess::Wait::ended:
          health_.lost(device);
          add_skip(device, one, SkipReason::device_fault, "the worker " + worker.how_it_ended());
          return {next + 1, false};
        case WorkerProcess::Wait::interrupted:
          worker.end(2);
          return {next, false};
      }
    }
    hear_out(worker, device);
    return {next, false};
  }

  /// What a worker still tells after its last case.
  void hear_out(WorkerProcess& worker, int device) {
    WorkerMessage message;
    while (worker.next(kStartPatience, message) == WorkerProcess::Wait::message) {
      if (message.kind == WorkerMessage::Kind::health) health_.take(device, message.facts);
      if (message.kind == WorkerMessage::Kind::done) return;
    }
  }

  /// Of devices whose last worker could not tell.
  void ask_health_again() {
    for (const int device : health_.unknown()) {
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

  void add(int device, const ProbeCase& one, const Measured& measured) {
    ++done_;
    seconds_left_ -= one.predicted_s() / 2;
    if (measured.end != CaseEnd::measured) {
      results_of_case_.push_back({result_of(device, one), one});
      set_skip(results_of_case_.back().result, reason_of(measured.reason),
               message_of(measured.reason, measured.detail));
      return;
    }
    if (note_size(device, one.probe, measured) || note_rest(device, one.probe, measured)) return;
    ProbeResult result = result_of(device, one);
    if (one.work_bytes_per_byte > 0 && result.size.bytes) {
      result.counted.bytes = one.work_bytes_per_byte * *measured.result.size.bytes;
      result.size.bytes = measured.result.size.bytes;
    }
    take_measured(result, measured.result);
    note_neighbours(device, result.context);
    if (one.probe.rfind("pcie.", 0) == 0) note_link(device, measured);
    if (one.probe == "launch.graph") result.variant.graph = true;
    if (one.probe.rfind("coll.", 0) == 0) note_way(result.variant, one.variant);
    if (result.mode == ProbeMode::sustained) result.context.burst_sm_clock_hz = burst_clock(one);
    // Where a memory is wrong tells which part to replace.
    if (one.probe == "mem.integrity" && measured.result.check.status == CheckStatus::fail)
      outcome_.profile.health_events.push_back({"d" + std::to_string(device), "memory_mismatch", measured.check_note});
    finish_result(result, facts_for(device, one, measured));
    results_of_case_.push_back({std::move(result), one});
  }

  /// Who used the device before this run did; nothing where the backend cannot tell.
  void note_neighbours(int device, ProbeContext& context) {
    for (const Fact& fact : facts_[device]) {
      if (fact.key == "other_processes") context.other_processes = static_cast<int>(fact.number);
      if (fact.key == "idle_utilization") context.idle_utilization = std::clamp(fact.number, 0.0, 1.0);
    }
  }

  /// The host link under load; at rest it trains down, which is no fault.
  void note_link(int device, const Measured& measured) {
    for (ProfileDevice& one : outcome_.profile.devices) {
      if (one.id != "d" + std::to_string(device)) continue;
      const auto raise_to = [](std::optional<double>& to, const std::optional<double>& seen) {
        if (seen && *seen > 0) to = std::max(to.value_or(0), *seen);
      };
      raise_to(one.pcie_generation, measured.pcie_generation);
      raise_to(one.pcie_width, measured.pcie_width);
    }
  }

  /// Sizes, not times, stand at the device. False for all other probes, and where the check failed.
  bool note_size(int device, const std::string& probe, const Measured& measured) {
    const auto member = probe == "mem.capacity" ? &ProfileDevice::memory_allocatable_gib
                        : probe == "mem.nccl"   ? &ProfileDevice::collectives_gib
                                                : nullptr;
    if (member == nullptr || measured.result.check.status != CheckStatus::pass) return false;
    for (ProfileDevice& one : outcome_.profile.devices)
      if (one.id == "d" + std::to_string(device)) one.*member = measured.checked / (1024.0 * 1024.0 * 1024.0);
    return true;
  }

  /// Power at rest stands at the device as well.
  bool note_rest(int device, const std::string& probe, const Measured& measured) {
    if (probe != "idle") return false;
    for (ProfileDevice& one : outcome_.profile.devices)
      if (one.id == "d" + std::to_string(device) && measured.result.load && measured.result.load->power_w_p50)
        one.idle_power_w = measured.result.load->power_w_p50;
    return true;
  }

  ProbeResult result_of(int device, const ProbeCase& one) const {
    ProbeResult result;
    result.probe = one.probe;
    result.devices = {"d" + std::to_string(device)};
    if (!one.members.empty()) result.devices.clear();
    for (const int member : one.members) result.devices.push_back("d" + std::to_string(member));
    if (one.peer >= 0) result.devices.push_back("d" + std::to_string(one.peer));
    result.size = one.size;
    result.dtype = one.dtype;
    result.mode = one.mode;
    result.counted = one.counted;
    if (one.variant == "zeros") result.variant.library = "own";
    // Another way to do the same is a probe of its own, so that fits and norms of the usual way do not meet it.
    constexpr const char* kWays[] = {"zeros",    "zipf", "graph",     "registered", "no_nvls",
                                     "pageable", "wide", "full_sums", "best"};
    if (std::find(std::begin(kWays), std::end(kWays), one.variant) != std::end(kWays))
      result.probe += "." + one.variant;
    return result;
  }

  /// Of collectives. Whether the library took the switch where it might is not told.
  static void note_way(ProbeVariant& variant, const std::string& way) {
    variant.graph = way == "graph";
    variant.registered = way == "registered";
    if (way == "no_nvls") variant.nvls = false;
  }

  FinishFacts facts_for(int device, const ProbeCase& one, const Measured& measured) {
    FinishFacts facts;
    facts.target = one.target;
    facts.clock_resolution_s = measured.clock_resolution_s;
    facts.precise = measured.precise;
    const bool memory = one.probe.rfind("hbm.", 0) == 0 && one.beyond_cache;
    const ProfileDevice* described = find_device(outcome_.profile, "d" + std::to_string(device));
    if (memory && described != nullptr) {
      if (described->datasheet_bytes_per_s) facts.byte_roofs.push_back(*described->datasheet_bytes_per_s);
      if (described->driver_bytes_per_s) facts.byte_roofs.push_back(*described->driver_bytes_per_s);
    }
    return facts;
  }

  std::optional<double> burst_clock(const ProbeCase& one) const {
    for (const Kept& kept : results_of_case_)
      if (kept.one.probe == one.probe && kept.one.mode == ProbeMode::burst && kept.one.size == one.size)
        return kept.result.context.sm_clock_hz;
    return std::nullopt;
  }

  void add_skip(int device, const ProbeCase& one, SkipReason reason, const std::string& message) {
    ++done_;
    seconds_left_ -= one.predicted_s() / 2;
    results_of_case_.push_back({result_of(device, one), one});
    set_skip(results_of_case_.back().result, reason, message);
  }

  void skip_all(int device, const std::vector<ProbeCase>& cases, SkipReason reason, const std::string& message) {
    for (const ProbeCase& one : cases) add_skip(device, one, reason, message);
  }

  /// Down to 5 K above the start, so that one group does not heat the next.
  void cool_before(WorkerJob& job) {
    const double start = fact_number(facts_[job.device], "temperature_c", 0);
    if (start <= 0 || job.cases.front().heat < Heat::compute) return;
    job.cool_to_c = start + 5;
    job.cool_patience_s = cooling_seconds(options_.budget.mode);
  }

  void tell_progress(const ProbeCase& one) const {
    if (!options_.on_progress) return;
    options_.on_progress({done_, case_count_, std::max(0.0, seconds_left_), one.title()});
  }

  // ---- after measuring ----------------------------------------------------------------------------------------------

  /// Flags that show only between sizes and thread counts of one probe.
  void compare_sizes() {
    std::map<std::string, std::vector<ProbeResult*>> curves;
    for (Kept& kept : results_of_case_) {
      if (!kept.result.usable()) continue;
      const ProbeSize& size = kept.result.size;
      if (size.m) continue;  // products differ in shape, not only in work
      curves[kept.result.probe + "/" + kept.result.devices.front() + "/" + kept.result.dtype + "/" +
             std::to_string(size.threads.value_or(0)) + "/" + std::to_string(size.row_bytes.value_or(0)) + "/" +
             std::to_string(size.ranks.value_or(0)) + "/" + std::to_string(size.batch.value_or(0)) + "/" +
             std::to_string(static_cast<int>(kept.result.mode))]
          .push_back(&kept.result);
    }
    for (auto& [name, results] : curves)
      if (results.size() > 1) add_curve_flags(results, kLeastBindingBytes);
    compare_threads();
  }

  void compare_threads() {
    for (const Kept& alone : results_of_case_) {
      if (alone.result.probe != "cpu.threads.triad" || !alone.result.usable()) continue;
      for (Kept& many : results_of_case_) {
        const bool same = many.result.probe == "cpu.stream.triad" && many.result.size.bytes == alone.result.size.bytes;
        if (!same || !many.result.usable()) continue;
        if (auto flag = thread_flag(point_of(alone.result), point_of(many.result))) many.result.flags.push_back(*flag);
      }
    }
  }

  static CurvePoint point_of(const ProbeResult& result) {
    const SampleSummary& time = *result.time_s;
    return {std::max(result.counted.bytes, result.counted.flops), time.median, time.lo95.value_or(time.median),
            time.hi95.value_or(time.median), true};
  }

  /// The profile as it stands, at the end of each group: a run that is killed leaves a valid file.
  void keep() {
    collect();
    if (!options_.output.empty() && !write_profile(outcome_.profile, options_.output))
      outcome_.message = "cannot write " + options_.output;
  }

  void collect() {
    HardwareProfile& profile = outcome_.profile;
    profile.results.clear();
    for (const Kept& kept : results_of_case_) {
      profile.results.push_back(kept.result);
      if (!options_.keep_samples) profile.results.back().samples_s.clear();
      if (profile.environment.blas.empty() && kept.result.probe.rfind("cpu.gemm.", 0) == 0)
        profile.environment.blas = kept.result.variant.algorithm;
    }
    profile.run.duration_s = seconds_since(started_);
    profile.run.exit_code = static_cast<int>(outcome_.exit);
  }

  void finish() {
    HardwareProfile& profile = outcome_.profile;
    profile.run.duration_s = seconds_since(started_);
    for (const auto& [device, suspect] : suspects_)
      profile.health_events.push_back({"d" + std::to_string(device), suspect.reason, suspect.detail});
    health_.write(profile);
    check_health();
    judge_exit();
    collect();
    add_links(profile);
    add_overlaps(profile);
    note_power_limit(profile);
    profile.run.complete = interrupted_by() == 0 && outcome_.exit != ProbeExit::unusable &&
                           outcome_.exit != ProbeExit::wrong_input && done_ == case_count_;
    if (interrupted_by() != 0) profile.limits.push_back("The run was ended before all probes were taken.");
    if (options_.output.empty() || outcome_.exit == ProbeExit::wrong_input) return;
    if (!results_of_case_.empty() && !write_profile(profile, options_.output)) {
      outcome_.message = "cannot write " + options_.output;
      outcome_.exit = ProbeExit::unusable;
    }
  }

  void check_health() {
    if (!checks_health_) return;
    collect();
    std::vector<GpuReading> gpus;
    for (const int device : devices_) gpus.push_back(gpu_reading(facts_[device]));
    outcome_.profile.health_checks = health_checks(outcome_.profile, gpus, host_ ? &*host_ : nullptr, options_.catalog);
  }

  /// The gravest of what happened. Skips alone change nothing, unless their probe was required.
  void judge_exit() {
    for (const Kept& kept : results_of_case_) {
      const ProbeResult& result = kept.result;
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

  struct Fault {
    std::string reason;
    std::string detail;
  };
  struct Kept {
    ProbeResult result;
    ProbeCase one;
  };
  /// Below it a start-up time may hide the work.
  static constexpr double kLeastBindingBytes = 4.0 * 1024 * 1024;

  const RunOptions& options_;
  RunOutcome outcome_;
  Clock::time_point started_ = Clock::now();
  std::string backend_;
  int device_count_ = 0;
  std::vector<int> devices_;
  std::map<int, std::vector<Fact>> facts_;
  std::map<int, std::vector<ProbeCase>> planned_;
  std::map<int, Fault> suspects_;
  HealthLog health_;
  bool checks_health_ = false;       ///< the run came as far as measuring
  std::optional<HostReading> host_;  ///< absent: not looked at
  std::vector<Kept> results_of_case_;
  Fault failed_;
  int case_count_ = 0;
  int done_ = 0;
  double seconds_left_ = 0;
};

}  // namespace

RunOutcome run_probes(const RunOptions& options) { return Run(options).run(); }

bool write_profile(const HardwareProfile& profile, const std::string& path, bool share) {
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file << profile_text(profile, {.share = share});
  file.close();
  if (!file) return false;
  std::error_code failed;
  std::filesystem::rename(part, path, failed);
  return !failed;
}

}  // namespace podwright::probes
