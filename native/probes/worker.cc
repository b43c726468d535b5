#include "probes/worker.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <thread>

#include "base/number_text.h"
#include "probes/backends.h"
#include "probes/wire.h"

namespace podwright::probes {
namespace {

constexpr double kGatherPatience = 60;  // seconds for ranks that have met
constexpr double kMostOfAFact = 1e18;   // bytes, hertz, counts: no device has more

/// Lines for the runner. Libraries print to standard output, so that is turned into standard error.
class Out {
 public:
  Out() : descriptor_(dup(STDOUT_FILENO)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
  void tell(const WorkerMessage& message) const {
    if (!write_all(descriptor_, wire_text(message) + "\n")) _exit(0);  // the runner is gone
  }

 private:
  int descriptor_;
};

const PwBackend* find_backend(const std::string& name, PwFault& fault) {
  if (name == "cpu") return cpu_backend();
  if (name == "fake") return fake_backend();
  if (name == "cuda") return cuda_backend(fault);
  set_fault(fault, "not_supported", "no backend is named " + name);
  return nullptr;
}

int tell_failure(const Out& out, const PwFault& fault) {
  out.tell({.kind = WorkerMessage::Kind::failed, .reason = fault.reason, .detail = fault.detail});
  return 0;
}

void take_fact(void* sink, const char* key, const char* text, double number) {
  static_cast<std::vector<Fact>*>(sink)->push_back({key, text == nullptr ? "" : text, number});
}

/// `fill` gives the facts to the sink.
template <class Fill>
void tell_facts(const Out& out, WorkerMessage::Kind kind, const Fill& fill) {
  WorkerMessage message{.kind = kind};
  fill(&message.facts);
  out.tell(message);
}

/// Counters as they stand and events since the last time, for the runner to compare.
void tell_health(const Out& out, const PwBackend& backend, void* session) {
  if (backend.health == nullptr) return;
  tell_facts(out, WorkerMessage::Kind::health, [&](void* sink) { backend.health(session, take_fact, sink); });
}

/// So that what ran before does not slow what comes. A device that gives no temperature is not waited for.
void cool_down(const PwBackend& backend, void* session, const WorkerJob& job) {
  constexpr double kLook = 0.5;
  for (double waited = 0; waited < job.cool_patience_s; waited += kLook) {
    PwTelemetry now{};
    backend.telemetry(session, &now);
    if (!now.temperature_c || *now.temperature_c <= job.cool_to_c) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(kLook));
  }
}

/// Null with a fault.
NcclGroup* group_of(const PwBackend& backend, void* session, PwFault& fault) {
  if (backend.group == nullptr)
    set_fault(fault, "not_supported", std::string("the backend ") + backend.name + " has no groups of processes");
  else if (!Nccl::instance().there())
    set_fault(fault, "library_missing", Nccl::instance().missing);
  else
    return backend.group(session, &fault);
  return nullptr;
}

/// Meets the first workers of the other ranks, and reads what comes next. False with a fault.
bool meet_others(const Out& out, const Meeting& meeting, NcclGroup& library, WorkerJob& next, PwFault& fault) {
  const std::string id = NcclGroup::make_id(fault);
  if (id.empty() || !library.meet(meeting.address, meeting.rank, meeting.ranks, meeting.patience_s, fault))
    return false;
  WorkerMessage met{.kind = WorkerMessage::Kind::met,
                    .says = library.gather_text(meeting.says, kGatherPatience, fault)};
  if (met.says.empty()) return false;
  const std::vector<std::string> ids = library.gather_text(meeting.rank == 0 ? id : "", kGatherPatience, fault);
  if (ids.empty()) return false;
  met.id.assign(ids.front().begin(), ids.front().end());
  library.leave();
  out.tell(met);
  std::string line;
  // The runner has nothing more to do; the library's thread for the id ends with this process.
  if (!std::getline(std::cin, line)) _exit(0);
  next = read_wire<WorkerJob>(line).value_or(WorkerJob());
  return true;
}

void run_cases(const Out& out, const PwBackend& backend, void* session, const WorkerJob& job, NcclGroup* others) {
  for (int i = 0; i < static_cast<int>(job.cases.size()); ++i) {
    out.tell({.kind = WorkerMessage::Kind::start, .one = i});
    const Measured measured = measure_case(backend, session, job.cases[static_cast<std::size_t>(i)], job.seed, others);
    out.tell({.kind = WorkerMessage::Kind::finished, .one = i, .measured = measured});
    if (measured.end == CaseEnd::sticky || measured.end == CaseEnd::renew) {
      tell_health(out, backend, session);
      _exit(0);  // the driver may hang in its own clean-up
    }
  }
}

}  // namespace

bool write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(descriptor, text.data() + at, text.size() - at);
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

WorkerMessage read_message(const std::string& line) {
  const auto node = parse_json(line);
  WorkerMessage message;
  if (!node || !node->is_object()) return message;
  read_value(*node, message);
  std::erase_if(message.facts,
                [](const Fact& fact) { return fact.key.empty() || std::fabs(fact.number) > kMostOfAFact; });
  if (message.kind != WorkerMessage::Kind::finished || message.measured.end != CaseEnd::measured) return message;
  const JsonNode* measured = node->find("measured");
  const JsonNode* result = measured == nullptr ? nullptr : measured->find("result");
  if (result == nullptr) return {};
  // A time that no clock can tell, a number that is none: nothing to keep, and the device is not at fault.
  std::string wrong;
  if (const auto read = read_result(*result); !read)
    wrong = read.error().front().path + ": " + read.error().front().message;
  else if (read->samples_s.empty())
    wrong = "no samples";
  else if (!(message.measured.checked >= 0 && message.measured.checked <= kMostOfAFact))
    wrong = "a check of that many values: " + shortest_number(message.measured.checked);
  if (wrong.empty()) return message;
  message.measured.end = CaseEnd::skipped;
  message.measured.reason = "not_supported";
  message.measured.detail = "the backend sent " + wrong;
  return message;
}

int worker_main() {
  // A runner that is killed leaves no worker behind that measures, or hangs, for no one.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const Out out;
  std::string line;
  std::getline(std::cin, line);
  const auto read = read_wire<WorkerJob>(line);
  if (!read) {
    std::cerr << "podwright: the probe worker is started by \"podwright probe\".\n";
    return 2;
  }
  WorkerJob job = *read;
  PwFault fault{};
  const PwBackend* backend = find_backend(job.backend, fault);
  int devices = 0;
  if (backend == nullptr || backend->count(&devices, &fault) != PW_OK) return tell_failure(out, fault);
  out.tell({.kind = WorkerMessage::Kind::devices, .devices = devices});
  constexpr auto kFacts = WorkerMessage::Kind::facts;
  if (job.neighbours && backend->neighbours != nullptr)
    tell_facts(out, kFacts, [&](void* sink) { backend->neighbours(job.device, take_fact, sink); });
  void* session = nullptr;
  if (backend->open(job.device, &session, &fault) != PW_OK) return tell_failure(out, fault);
  if (job.inventory) tell_facts(out, kFacts, [&](void* sink) { backend->inventory(session, take_fact, sink); });
  cool_down(*backend, session, job);
  NcclGroup* others = nullptr;
  if (job.meeting || job.group) {
    others = group_of(*backend, session, fault);
    bool there = others != nullptr;
    if (there && job.meeting) there = meet_others(out, Meeting(*job.meeting), *others, job, fault);
    if (there && job.group) there = others->join(*job.group, fault);
    if (!there) {
      tell_failure(out, fault);
      _exit(0);  // a library that failed may hang in its own clean-up
    }
    out.tell({.kind = WorkerMessage::Kind::joined});
  }
  run_cases(out, *backend, session, job, others);
  if (others != nullptr) others->leave();
  tell_health(out, *backend, session);
  backend->close(session);
  out.tell({.kind = WorkerMessage::Kind::done});
  return 0;
}

}  // namespace podwright::probes
