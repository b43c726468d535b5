#include "probes/case_measurer.h"

#include "probes/backends.h"
#include "probes/interrupt.h"
#include "probes/result_of_case.h"

namespace podwright::probes {

void CaseMeasurer::measure(WorkerJob job) {
  std::vector<ProbeCase>& cases = job.cases;
  int ends = 0;
  int failures = 0;
  while (!cases.empty()) {
    if (interrupted_by() != 0) return skip_all(job, "interrupted", "the run was ended");
    if (const auto suspect = suspects_.find(job.device); suspect != suspects_.end())
      return skip_all(job, suspect->second.reason, "no more probes on this device");
    const Round round = measure_with_one_worker(job);
    cases.erase(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(round.ended));
    if (round.library) {
      // A library that failed twice in one group is not asked a third time; the device itself is well.
      const auto& [reason, detail] = *round.library;
      if (++failures >= 2)
        return skip_all(job, reason.substr(0, reason.find(':')),
                        "failed twice before in this run, last with " + message_of(reason, detail));
      continue;
    }
    // A device that ends two workers of a group is not asked again.
    if (!cases.empty() && ++ends >= 2 && suspects_.count(job.device) == 0 && interrupted_by() == 0)
      suspect(job.device, {"device_fault", "two workers of one group did not end in order"});
  }
}

CaseMeasurer::Round CaseMeasurer::measure_with_one_worker(const WorkerJob& job) {
  WorkerProcess worker(options_.program, job);
  WorkerMessage message;
  std::size_t next = 0;
  bool started = false;
  while (next < job.cases.size()) {
    const ProbeCase& one = job.cases[next];
    const double patience = started ? patience_with(one) * options_.watchdog_factor : kStartPatience;
    const auto wait = worker.next(patience, message);
    if (wait != WorkerProcess::Wait::message) return lose(worker, wait, job, next);
    if (message.kind == WorkerMessage::Kind::failed) {
      suspect(job.device, {message.reason, message.detail});
      return {next, {}};
    }
    if (message.kind == WorkerMessage::Kind::start) {
      started = true;
      callbacks_.started(one);
    }
    if (message.kind != WorkerMessage::Kind::finished) continue;
    started = false;
    ++next;
    const CaseEnd end = message.measured.end;
    const WorkerEnd why{message.measured.reason, message.measured.detail};
    callbacks_.ended(job.device, one, std::move(message.measured));
    if (end == CaseEnd::measured || end == CaseEnd::skipped) continue;
    if (end == CaseEnd::sticky) suspect(job.device, {"device_fault", why.detail});
    hear_out(worker, job.device);
    return {next, end == CaseEnd::renew ? std::optional(why) : std::nullopt};
  }
  hear_out(worker, job.device);
  return {next, {}};
}

/// A worker that told nothing in the case at `at`, and never will.
CaseMeasurer::Round CaseMeasurer::lose(WorkerProcess& worker, WorkerProcess::Wait wait, const WorkerJob& job,
                                       std::size_t at) {
  if (wait == WorkerProcess::Wait::interrupted) {
    worker.end(2);
    return {at, {}};
  }
  health_.lost(job.device);
  const ProbeCase& one = job.cases[at];
  WorkerEnd why = worker.end_of(wait, kCaseSilence);
  // cuDNN's own first library ends the process where one of its others is missing or another version.
  const bool library = wait == WorkerProcess::Wait::ended && one.heat == Heat::cudnn;
  if (library) why = {"library_missing", "cuDNN did not get on: " + why.detail};
  if (wait == WorkerProcess::Wait::silent && !worker.end(options_.watchdog_grace_s * options_.watchdog_factor))
    suspect(job.device, {"hang", "a worker could not be ended"});
  callbacks_.ended(job.device, one, skipped(why.reason, why.detail));
  return {at + 1, library ? std::optional(why) : std::nullopt};
}

void CaseMeasurer::skip_all(const WorkerJob& job, const std::string& reason, const std::string& message) {
  for (const ProbeCase& one : job.cases) callbacks_.ended(job.device, one, skipped(reason, message));
}

/// What a worker still tells after its last case.
void CaseMeasurer::hear_out(WorkerProcess& worker, int device) {
  WorkerMessage message;
  while (worker.next(kStartPatience, message) == WorkerProcess::Wait::message) {
    if (message.kind == WorkerMessage::Kind::health) health_.take(device, message.facts);
    if (message.kind == WorkerMessage::Kind::done) return;
  }
}

}  // namespace podwright::probes
