#include "probes/cluster/group_run.h"

#include "probes/worker_process.h"

namespace podwright::probes {
namespace {

constexpr double kJoinPatience = 60;  // seconds until all ranks must have joined a group

}  // namespace

struct GroupRun::Work {
  WorkerJob job;
  SeatReport report;
  std::unique_ptr<WorkerProcess> worker;

  void end(const WorkerEnd& why) {
    report.reason = why.reason;
    report.detail = why.detail;
  }

  /// Waits for a message of this kind. Absent with the report where another end came.
  std::optional<WorkerMessage> await(WorkerMessage::Kind kind, double seconds, const std::string& silence) {
    WorkerMessage message;
    while (true) {
      const auto wait = worker->next(seconds, message);
      if (wait != WorkerProcess::Wait::message) return end(worker->end_of(wait, silence)), std::nullopt;
      if (message.kind == WorkerMessage::Kind::failed) return end({message.reason, message.detail}), std::nullopt;
      if (message.kind == kind) return message;
    }
  }
};

double join_patience(const RunOptions& run) { return kJoinPatience * run.watchdog_factor; }

GroupRun::GroupRun(const RunOptions& run, const std::vector<WorkerJob>& jobs) : run_(run), ids_(given_.get_future()) {
  for (const WorkerJob& job : jobs) {
    if (!job.group) continue;
    works_.push_back(std::make_unique<Work>());
    works_.back()->job = job;
    works_.back()->report.seat = job.group->rank;
    first_seat_here_ = first_seat_here_ || job.group->rank == 0;
  }
  for (const auto& work : works_) threads_.emplace_back([this, one = work.get()] { live(*one); });
}

GroupRun::~GroupRun() {
  if (!ran_) run("");
}

std::string GroupRun::ids() { return first_seat_here_ ? made_.get_future().get() : ""; }

std::vector<SeatReport> GroupRun::run(const std::string& ids) {
  ran_ = true;
  given_.set_value(ids);
  for (std::thread& thread : threads_) thread.join();
  std::vector<SeatReport> reports;
  for (const auto& work : works_) reports.push_back(std::move(work->report));
  return reports;
}

/// The life of one worker.
void GroupRun::live(Work& work) {
  work.worker = std::make_unique<WorkerProcess>(run_.program, work.job);
  const double patience = work.job.group->patience_s;
  if (work.report.seat == 0) {
    const auto made = work.await(WorkerMessage::Kind::group_ids, kStartPatience, "it made no id of the group");
    made_.set_value(made ? made->ids : "");
  }
  const std::string ids = ids_.get();
  if (!ids.empty() && work.report.reason.empty()) {
    work.worker->send_line(ids);
    // All must come, then the library may take as long again.
    if (work.await(WorkerMessage::Kind::joined, 2 * patience + 10 * run_.watchdog_factor,
                   "it did not join within " + std::to_string(static_cast<int>(2 * patience + 0.5)) + " s"))
      measure(work);
    // The library says good-bye to the other ranks.
    WorkerMessage message;
    while (work.report.reason.empty() && message.kind != WorkerMessage::Kind::done &&
           work.worker->next(10 * run_.watchdog_factor, message) == WorkerProcess::Wait::message) {
    }
  }
  work.worker->end(work.report.reason == "hang" ? run_.watchdog_grace_s * run_.watchdog_factor : 2);
  work.worker.reset();
}

void GroupRun::measure(Work& work) {
  for (const ProbeCase& one : work.job.cases) {
    auto message = work.await(WorkerMessage::Kind::finished, patience_with(one) * run_.watchdog_factor, kCaseSilence);
    if (!message) return;
    const CaseEnd end = message->measured.end;
    const WorkerEnd why{message->measured.reason, message->measured.detail};
    if (!one.members.empty() && one.members.front() == work.report.seat)
      work.report.finished.push_back(std::move(*message));
    if (end == CaseEnd::sticky || end == CaseEnd::renew) return work.end(why);
  }
}

}  // namespace podwright::probes
