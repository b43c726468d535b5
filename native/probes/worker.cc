#include "probes/worker.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "probes/backends.h"
#include "probes/wire.h"

namespace podwright::probes {
namespace {

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

/// Meets the other ranks. False with a fault.
bool meet_others(const Out& out, const PwBackend& backend, void* session, ProcessGroup& others, PwFault& fault) {
  if (others.rank() == 0) {
    const std::string ids = others.make_ids(backend, fault);
    if (ids.empty()) return false;
    out.tell({.kind = WorkerMessage::Kind::group_ids, .ids = ids});
  }
  std::string ids;
  if (!std::getline(std::cin, ids)) _exit(0);  // the runner is gone, or the others did not come
  if (!others.join(ids, backend, session, fault)) return false;
  out.tell({.kind = WorkerMessage::Kind::joined});
  return true;
}

void run_cases(const Out& out, const PwBackend& backend, void* session, const WorkerJob& job, ProcessGroup* others) {
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
  if (message.kind != WorkerMessage::Kind::finished || message.measured.end != CaseEnd::measured) return message;
  const JsonNode* measured = node->find("measured");
  const JsonNode* result = measured == nullptr ? nullptr : measured->find("result");
  if (result == nullptr) return {};
  // A time that no clock can tell, a number that is none: nothing to keep, and the device is not at fault.
  if (const auto read = read_result(*result); !read) {
    message.measured.end = CaseEnd::skipped;
    message.measured.reason = "not_supported";
    message.measured.detail = "the backend sent " + read.error().front().path + ": " + read.error().front().message;
  }
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
  const WorkerJob& job = *read;
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
  std::optional<ProcessGroup> others;
  if (job.group) others.emplace(*job.group);
  if (others && !meet_others(out, *backend, session, *others, fault)) {
    tell_failure(out, fault);
    _exit(0);  // a library that failed may hang in its own clean-up
  }
  run_cases(out, *backend, session, job, others ? &*others : nullptr);
  if (others && backend->group_leave != nullptr) backend->group_leave(session);
  tell_health(out, *backend, session);
  backend->close(session);
  out.tell({.kind = WorkerMessage::Kind::done});
  return 0;
}

}  // namespace podwright::probes
