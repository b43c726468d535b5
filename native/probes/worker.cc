#include "probes/worker.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

#include "measure/profile_file.h"
#include "probes/backends.h"

namespace podwright::probes {
namespace {

/// Lines for the runner. Libraries print to standard output, so that is turned into standard error.
class Out {
 public:
  Out() : descriptor_(dup(STDOUT_FILENO)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
  void line(JsonWriter& json) const { line(json.take()); }
  void line(std::string text) const {
    text += "\n";
    const char* from = text.data();
    std::size_t left = text.size();
    while (left > 0) {
      const ssize_t written = write(descriptor_, from, left);
      if (written <= 0) _exit(0);  // the runner is gone
      from += written;
      left -= static_cast<std::size_t>(written);
    }
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
  JsonWriter json;
  json.begin_object();
  json.text("failed", fault.reason);
  json.text("detail", fault.detail);
  json.end_object();
  out.line(json);
  return 0;
}

/// One fact as an item of a list of JSON.
void write_fact(void* sink, const char* key, const char* text, double number) {
  JsonWriter& to = *static_cast<JsonWriter*>(sink);
  to.begin_object();
  to.text("key", key);
  if (text != nullptr) {
    to.text("text", text);
  } else {
    to.number("number", number);
  }
  to.end_object();
}

std::vector<Fact> read_facts(const JsonNode& list) {
  std::vector<Fact> facts;
  for (const JsonNode& fact : list.items)
    facts.push_back({text_at(fact, "key"), text_at(fact, "text"), number_at(fact, "number")});
  return facts;
}

/// A message whose list `name` is what `tell` says.
template <class Tell>
void tell_facts(const Out& out, const char* name, Tell&& tell) {
  JsonWriter json;
  json.begin_object();
  json.begin_list(name);
  tell(&json);
  json.end_list();
  json.end_object();
  out.line(json);
}

/// Counters as they stand and events since the last time, for the runner to compare.
void tell_health(const Out& out, const PwBackend& backend, void* session) {
  if (backend.health == nullptr) return;
  tell_facts(out, "health", [&](void* sink) { backend.health(session, write_fact, sink); });
}

/// So that what ran before does not slow what comes. A device that tells no temperature is not waited for.
void cool_down(const PwBackend& backend, void* session, const WorkerJob& job) {
  constexpr double kLook = 0.5;
  for (double waited = 0; waited < job.cool_patience_s; waited += kLook) {
    PwTelemetry now{};
    backend.telemetry(session, &now);
    if ((now.have & PW_HAVE_TEMPERATURE) == 0 || now.temperature_c <= job.cool_to_c) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(kLook));
  }
}

Measured read_case_end(const JsonNode& node) {
  Measured one;
  one.end = static_cast<CaseEnd>(static_cast<int>(number_at(node, "end")));
  one.reason = text_at(node, "reason");
  one.detail = text_at(node, "detail");
  if (const JsonNode* precise = node.find("precise"); precise != nullptr) one.precise = precise->boolean;
  one.clock_resolution_s = number_at(node, "clock_resolution_s");
  one.checked = number_at(node, "checked");
  one.check_note = text_at(node, "check_note");
  for (const auto& [key, member] :
       {std::pair{"pcie_generation", &Measured::pcie_generation}, {"pcie_width", &Measured::pcie_width}})
    if (const JsonNode* value = node.find(key); value != nullptr) one.*member = value->number;
  const JsonNode* result = node.find("result");
  if (auto read = result == nullptr ? Result<ProbeResult>(one.result) : read_result(*result)) {
    one.result = std::move(*read);
  } else if (one.end == CaseEnd::measured) {
    // A time that no clock can tell, a number that is none: nothing to keep, and the device is not at fault.
    one.end = CaseEnd::skipped;
    one.reason = "not_supported";
    one.detail = "the backend told " + read.error().front().path + ": " + read.error().front().message;
  }
  return one;
}

WorkerJob read_job(const JsonNode& node) {
  WorkerJob job;
  job.backend = text_at(node, "backend");
  job.device = static_cast<int>(number_at(node, "device"));
  job.seed = number_at(node, "seed");
  if (const JsonNode* inventory = node.find("inventory"); inventory != nullptr) job.inventory = inventory->boolean;
  if (const JsonNode* neighbours = node.find("neighbours"); neighbours != nullptr) job.neighbours = neighbours->boolean;
  job.cool_to_c = number_at(node, "cool_to_c");
  job.cool_patience_s = number_at(node, "cool_patience_s");
  if (const JsonNode* cases = node.find("cases"); cases != nullptr)
    for (const JsonNode& one : cases->items) job.cases.push_back(read_case(one));
  if (const JsonNode* group = node.find("group"); group != nullptr) {
    job.group = GroupSeat{static_cast<int>(number_at(*group, "rank")), {}, number_at(*group, "patience_s")};
    if (const JsonNode* names = group->find("names"); names != nullptr)
      for (const JsonNode& name : names->items) job.group->names.push_back(name.text);
  }
  return job;
}

/// Meets the other ranks. False with a fault.
bool meet_others(const Out& out, const PwBackend& backend, void* session, InStep& others, PwFault& fault) {
  if (others.rank() == 0) {
    const std::string ids = others.make_ids(backend, fault);
    if (ids.empty()) return false;
    JsonWriter json;
    json.begin_object();
    json.text("group_ids", ids);
    json.end_object();
    out.line(json);
  }
  std::string ids;
  if (!std::getline(std::cin, ids)) _exit(0);  // the runner is gone, or the others did not come
  if (!others.join(ids, backend, session, fault)) return false;
  JsonWriter json;
  json.begin_object();
  json.boolean("joined", true);
  json.end_object();
  out.line(json);
  return true;
}

void run_cases(const Out& out, const PwBackend& backend, void* session, const WorkerJob& job, InStep* others) {
  for (std::size_t i = 0; i < job.cases.size(); ++i) {
    JsonWriter start;
    start.begin_object();
    start.number("start", static_cast<double>(i));
    start.end_object();
    out.line(start);
    const Measured measured = measure_case(backend, session, job.cases[i], job.seed, others);
    out.line(finished_text(static_cast<int>(i), measured));
    if (measured.end == CaseEnd::sticky || measured.end == CaseEnd::renew) {
      tell_health(out, backend, session);
      _exit(0);  // the driver may hang in its own clean-up
    }
  }
}

}  // namespace

std::string job_text(const WorkerJob& job) {
  JsonWriter json;
  json.begin_object();
  json.text("backend", job.backend);
  json.number("device", job.device);
  json.number("seed", job.seed);
  json.boolean("inventory", job.inventory);
  json.boolean("neighbours", job.neighbours);
  json.number("cool_to_c", job.cool_to_c);
  json.number("cool_patience_s", job.cool_patience_s);
  json.begin_list("cases");
  for (const ProbeCase& one : job.cases) write_case(json, one);
  json.end_list();
  if (job.group) {
    json.begin_object("group");
    json.number("rank", job.group->rank);
    json.number("patience_s", job.group->patience_s);
    json.begin_list("names");
    for (const std::string& name : job.group->names) json.text(name);
    json.end_list();
    json.end_object();
  }
  json.end_object();
  return json.take() + "\n";
}

std::string finished_text(int index, const Measured& one) {
  JsonWriter json;
  json.begin_object();
  json.number("finished", index);
  json.number("end", static_cast<int>(one.end));
  json.text("reason", one.reason);
  json.text("detail", one.detail);
  json.boolean("precise", one.precise);
  json.number("clock_resolution_s", one.clock_resolution_s);
  json.number("checked", one.checked);
  json.text("check_note", one.check_note);
  if (one.pcie_generation) json.number("pcie_generation", *one.pcie_generation);
  if (one.pcie_width) json.number("pcie_width", *one.pcie_width);
  json.key("result");
  json.verbatim(result_text(one.result));
  json.end_object();
  return json.take();
}

WorkerMessage read_message(const std::string& line) {
  WorkerMessage message;
  const auto node = parse_json(line);
  if (!node) return message;
  if (const JsonNode* devices = node->find("devices"); devices != nullptr) {
    message.kind = WorkerMessage::Kind::devices;
    message.devices = static_cast<int>(devices->number);
  } else if (const JsonNode* facts = node->find("facts"); facts != nullptr) {
    message.kind = WorkerMessage::Kind::facts;
    message.facts = read_facts(*facts);
  } else if (const JsonNode* health = node->find("health"); health != nullptr) {
    message.kind = WorkerMessage::Kind::health;
    message.facts = read_facts(*health);
  } else if (node->find("group_ids") != nullptr) {
    message.kind = WorkerMessage::Kind::group_ids;
    message.ids = text_at(*node, "group_ids");
  } else if (node->find("joined") != nullptr) {
    message.kind = WorkerMessage::Kind::joined;
  } else if (const JsonNode* start = node->find("start"); start != nullptr) {
    message.kind = WorkerMessage::Kind::start;
    message.one = static_cast<int>(start->number);
  } else if (const JsonNode* finished = node->find("finished"); finished != nullptr) {
    message.kind = WorkerMessage::Kind::finished;
    message.one = static_cast<int>(finished->number);
    message.measured = read_case_end(*node);
  } else if (node->find("failed") != nullptr) {
    message.kind = WorkerMessage::Kind::failed;
    message.reason = text_at(*node, "failed");
    message.detail = text_at(*node, "detail");
  } else if (node->find("done") != nullptr) {
    message.kind = WorkerMessage::Kind::done;
  }
  return message;
}

int worker_main() {
  // A runner that is killed leaves no worker behind that measures, or hangs, for nobody.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const Out out;
  std::string line;
  std::getline(std::cin, line);
  const auto node = parse_json(line);
  if (!node) {
    std::cerr << "podwright: the probe worker is started by \"podwright probe\".\n";
    return 2;
  }
  const WorkerJob job = read_job(*node);
  PwFault fault{};
  const PwBackend* backend = find_backend(job.backend, fault);
  int devices = 0;
  if (backend == nullptr || backend->count(&devices, &fault) != PW_OK) return tell_failure(out, fault);
  JsonWriter count;
  count.begin_object();
  count.number("devices", devices);
  count.end_object();
  out.line(count);
  if (job.neighbours && backend->neighbours != nullptr)
    tell_facts(out, "facts", [&](void* sink) { backend->neighbours(job.device, write_fact, sink); });
  void* session = nullptr;
  if (backend->open(job.device, &session, &fault) != PW_OK) return tell_failure(out, fault);
  if (job.inventory) tell_facts(out, "facts", [&](void* sink) { backend->inventory(session, write_fact, sink); });
  cool_down(*backend, session, job);
  std::optional<InStep> others;
  if (job.group) others.emplace(*job.group);
  if (others && !meet_others(out, *backend, session, *others, fault)) {
    tell_failure(out, fault);
    _exit(0);  // a library that failed may hang in its own clean-up
  }
  run_cases(out, *backend, session, job, others ? &*others : nullptr);
  if (others && backend->group_leave != nullptr) backend->group_leave(session);
  tell_health(out, *backend, session);
  backend->close(session);
  JsonWriter done;
  done.begin_object();
  done.boolean("done", true);
  done.end_object();
  out.line(done);
  return 0;
}

}  // namespace podwright::probes
