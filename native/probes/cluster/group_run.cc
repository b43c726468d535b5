#include "probes/cluster/group_run.h"

#include "base/json_write.h"
#include "probes/cluster/process_group.h"
#include "probes/probe_case.h"
#include "probes/worker_process.h"

namespace podwright::probes {
namespace {

constexpr double kJoinPatience = 60;  // seconds until all ranks must have joined a group

WorkerJob read_seat(const JsonNode& seat, const JsonNode& order) {
  WorkerJob job;
  job.device = static_cast<int>(number_at(seat, "device"));
  job.group = GroupSeat{static_cast<int>(number_at(seat, "seat")), {}, number_at(order, "patience_s")};
  if (const JsonNode* names = order.find("names"); names != nullptr)
    for (const JsonNode& name : names->items) job.group->names.push_back(name.text);
  if (const JsonNode* cases = seat.find("cases"); cases != nullptr)
    for (const JsonNode& one : cases->items) job.cases.push_back(read_case(one));
  return job;
}

}  // namespace

struct GroupRun::Work {
  WorkerJob job;
  SeatReport report;
  std::unique_ptr<WorkerProcess> worker;

  void end(const std::string& reason, const std::string& detail) {
    report.reason = reason;
    report.detail = detail;
  }

  /// Waits for a message of this kind. False with the report where another end came.
  bool await(WorkerMessage::Kind kind, double seconds, const std::string& silence) {
    WorkerMessage message;
    while (true) {
      switch (worker->next(seconds, message)) {
        case WorkerProcess::Wait::message:
          if (message.kind == WorkerMessage::Kind::failed) return end(message.reason, message.detail), false;
          if (message.kind == kind) return report.detail = message.ids, true;
          break;
        case WorkerProcess::Wait::silent:
          return end("hang", silence), false;
        case WorkerProcess::Wait::ended:
          return end("device_fault", "the worker " + worker->how_it_ended()), false;
        case WorkerProcess::Wait::interrupted:
          return end("interrupted", "the run was ended"), false;
      }
    }
  }
};

double join_patience(const RunOptions& run) { return kJoinPatience * run.watchdog_factor; }

std::string open_order(const GroupPlan& plan, int rank, double patience_s) {
  JsonWriter json;
  json.begin_object();
  json.text("do", "group_open");
  json.number("patience_s", patience_s);
  json.begin_list("names");
  for (const Seat& seat : plan.seats) json.text(seat.name());
  json.end_list();
  json.begin_list("seats");
  for (std::size_t place = 0; place < plan.seats.size(); ++place) {
    if (plan.seats[place].rank != rank) continue;
    json.begin_object();
    json.number("seat", static_cast<double>(place));
    json.number("device", plan.seats[place].number());
    json.begin_list("cases");
    for (const ProbeCase& one : plan.cases_of(static_cast<int>(place))) write_case(json, one);
    json.end_list();
    json.end_object();
  }
  json.end_list();
  json.end_object();
  return json.take();
}

std::string run_order(const std::string& ids) {
  JsonWriter json;
  json.begin_object();
  json.text("do", "group_run");
  json.text("ids", ids);
  json.end_object();
  return json.take();
}

std::vector<SeatReport> read_reports(const std::string& answer) {
  std::vector<SeatReport> reports;
  const auto node = parse_json(answer);
  const JsonNode* seats = node && node->is_object() ? node->find("seats") : nullptr;
  if (seats == nullptr) return reports;
  for (const JsonNode& seat : seats->items) {
    SeatReport report{static_cast<int>(number_at(seat, "seat")), text_at(seat, "reason"), text_at(seat, "detail"), {}};
    if (const JsonNode* finished = seat.find("finished"); finished != nullptr)
      for (const JsonNode& one : finished->items) report.finished.push_back(one.text);
    reports.push_back(std::move(report));
  }
  return reports;
}

GroupRun::GroupRun(const RunOptions& run, const std::string& backend, const JsonNode& order)
    : run_(run), ids_(given_.get_future()) {
  if (const JsonNode* seats = order.find("seats"); seats != nullptr)
    for (const JsonNode& seat : seats->items) {
      works_.push_back(std::make_unique<Work>());
      works_.back()->job = read_seat(seat, order);
      works_.back()->job.backend = backend;
      works_.back()->job.seed = run.seed;
      works_.back()->report.seat = works_.back()->job.group->rank;
      first_seat_here_ = first_seat_here_ || works_.back()->report.seat == 0;
    }
  for (const auto& work : works_) threads_.emplace_back([this, one = work.get()] { live(*one); });
}

GroupRun::~GroupRun() {
  if (!ran_) run("");
}

std::string GroupRun::ids() { return first_seat_here_ ? made_.get_future().get() : ""; }

std::string GroupRun::run(const std::string& ids) {
  ran_ = true;
  given_.set_value(ids);
  for (std::thread& thread : threads_) thread.join();
  JsonWriter json;
  json.begin_object();
  json.begin_list("seats");
  for (const auto& work : works_) {
    json.begin_object();
    json.number("seat", work->report.seat);
    json.text("reason", work->report.reason);
    json.text("detail", work->report.detail);
    json.begin_list("finished");
    for (const std::string& one : work->report.finished) json.text(one);
    json.end_list();
    json.end_object();
  }
  json.end_list();
  json.end_object();
  return json.take();
}

/// The life of one worker.
void GroupRun::live(Work& work) {
  work.worker = std::make_unique<WorkerProcess>(run_.program, work.job);
  const double patience = work.job.group->patience_s;
  if (work.report.seat == 0) {
    const bool made = work.await(WorkerMessage::Kind::group_ids, kStartPatience, "it made no id of the group");
    made_.set_value(made ? work.report.detail : "");
  }
  const std::string ids = ids_.get();
  if (!ids.empty() && work.report.reason.empty()) {
    work.report.detail.clear();
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
  const auto& cases = work.job.cases;
  WorkerMessage message;
  for (std::size_t next = 0; next < cases.size();) {
    const double patience = (5 * cases[next].predicted_s() + 10) * run_.watchdog_factor;
    switch (work.worker->next(patience, message)) {
      case WorkerProcess::Wait::message: {
        if (message.kind != WorkerMessage::Kind::finished) break;
        const std::vector<std::int32_t>& members = cases[next].members;
        if (!members.empty() && members.front() == work.report.seat)
          work.report.finished.push_back(finished_text(static_cast<int>(next), message.measured));
        ++next;
        if (message.measured.end == CaseEnd::sticky || message.measured.end == CaseEnd::renew)
          return work.end(message.measured.reason, message.measured.detail);
        break;
      }
      case WorkerProcess::Wait::silent:
        return work.end("hang", "nothing came for five times the predicted time and ten seconds");
      case WorkerProcess::Wait::ended:
        return work.end("device_fault", "the worker " + work.worker->how_it_ended());
      case WorkerProcess::Wait::interrupted:
        return work.end("interrupted", "the run was ended");
    }
  }
}

}  // namespace podwright::probes
