#include "probes/cluster/group_workers.h"

#include <thread>

#include "probes/wire.h"

namespace podwright::probes {
namespace {

constexpr double kBeside = 30;  // seconds of a worker besides its own waits

}  // namespace

std::optional<WorkerMessage> GroupWorkers::await(WorkerProcess& worker, WorkerMessage::Kind kind, double seconds,
                                                 const std::string& silence, WorkerEnd& why) {
  WorkerMessage message;
  while (true) {
    const auto wait = worker.next(seconds, message);
    if (wait != WorkerProcess::Wait::message) {
      why = worker.end_of(wait, silence);
      return std::nullopt;
    }
    if (message.kind == kind) return message;
    if (message.kind != WorkerMessage::Kind::failed) continue;
    why = {message.reason, message.detail};
    return std::nullopt;
  }
}

std::optional<WorkerMessage> GroupWorkers::meet(const WorkerJob& job, WorkerEnd& why) {
  first_ = std::make_unique<WorkerProcess>(run_.program, job);
  first_device_ = job.device;
  const double patience = job.meeting->patience_s + kBeside * run_.watchdog_factor;
  auto met = await(*first_, WorkerMessage::Kind::met, patience, "it said nothing until the time was over", why);
  if (!met) first_->end(run_.watchdog_grace_s * run_.watchdog_factor);
  return met;
}

std::vector<WorkerEnd> GroupWorkers::run(const std::vector<WorkerJob>& jobs, const Take& take) {
  std::vector<WorkerEnd> ends(jobs.size());
  std::vector<std::thread> threads;  // a worker ends with the thread that started it
  for (std::size_t i = 0; i < jobs.size(); ++i)
    threads.emplace_back([&, i] {
      const bool is_first = jobs[i].device == first_device_;
      std::unique_ptr<WorkerProcess> own;
      if (is_first)
        first_->send_line(wire_text(jobs[i]));
      else
        own = std::make_unique<WorkerProcess>(run_.program, jobs[i]);
      ends[i] = live(is_first ? *first_ : *own, jobs[i], take);
    });
  for (std::thread& thread : threads) thread.join();
  first_.reset();
  return ends;
}

WorkerEnd GroupWorkers::live(WorkerProcess& worker, const WorkerJob& job, const Take& take) {
  WorkerEnd why;
  const std::size_t steps = 1 + job.group->teams.size();
  const double patience = static_cast<double>(steps) * job.group->patience_s + kBeside * run_.watchdog_factor;
  bool fine = await(worker, WorkerMessage::Kind::joined, patience, "it did not join the others", why).has_value();
  for (std::size_t i = 0; fine && i < job.cases.size(); ++i) {
    const double silence = patience_with(job.cases[i]) * run_.watchdog_factor;
    auto message = await(worker, WorkerMessage::Kind::finished, silence, kCaseSilence, why);
    if (!message) break;
    fine = message->measured.end == CaseEnd::measured || message->measured.end == CaseEnd::skipped;
    if (!fine) why = {message->measured.reason, message->measured.detail};
    const std::lock_guard<std::mutex> lock(taking_);
    take(job, message->one, std::move(message->measured));
  }
  WorkerMessage message;
  // The library says good-bye to the other ranks.
  while (why.reason.empty() && message.kind != WorkerMessage::Kind::done &&
         worker.next(kBeside * run_.watchdog_factor, message) == WorkerProcess::Wait::message) {
  }
  worker.end(why.reason == "hang" ? run_.watchdog_grace_s * run_.watchdog_factor : 2);
  return why;
}

}  // namespace podwright::probes
