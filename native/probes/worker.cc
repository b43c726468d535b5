#include "probes/worker.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>

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

/// The largest utilisation in a window of rest: somebody else's work.
std::optional<double> idle_utilization(const PwBackend& backend, void* session) {
  std::optional<double> most;
  for (int look = 0; look < 10; ++look) {
    PwTelemetry now{};
    backend.telemetry(session, &now);
    if ((now.have & PW_HAVE_UTILISATION) == 0) return most;
    most = std::max(most.value_or(0), now.utilisation);
    // Scripted devices do not change with time.
    if (std::string(backend.name) != "fake") std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return most;
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

void tell_inventory(const Out& out, const PwBackend& backend, void* session) {
  const auto busy = idle_utilization(backend, session);
  JsonWriter json;
  json.begin_object();
  json.begin_list("facts");
  backend.inventory(session, write_fact, &json);
  if (busy) {
    json.begin_object();
    json.text("key", "idle_utilization");
    json.number("number", *busy);
    json.end_object();
  }
  json.end_list();
  json.end_object();
  out.line(json);
}

/// Counters as they stand and events since the last time, for the runner to compare.
void tell_health(const Out& out, const PwBackend& backend, void* session) {
  if (backend.health == nullptr) return;
  JsonWriter json;
  json.begin_object();
  json.begin_list("health");
  backend.health(session, write_fact, &json);
  json.end_list();
  json.end_object();
  out.line(json);
}

void maybe(JsonWriter& json, const char* key, const std::optional<double>& value) {
  if (value) json.number(key, *value);
}

/// Numbers of a load, in both directions.
struct LoadMember {
  const char* key;
  std::optional<double> LoadFigures::*member;
};
constexpr LoadMember kLoadMembers[] = {{"power_w", &LoadFigures::power_w},
                                       {"power_w_p50", &LoadFigures::power_w_p50},
                                       {"power_w_p95", &LoadFigures::power_w_p95},
                                       {"energy_j", &LoadFigures::energy_j},
                                       {"energy_window_s", &LoadFigures::energy_window_s},
                                       {"temperature_c_max", &LoadFigures::temperature_c_max},
                                       {"memory_temperature_c_max", &LoadFigures::memory_temperature_c_max},
                                       {"power_capped_after_s", &LoadFigures::power_capped_after_s},
                                       {"throttled_after_s", &LoadFigures::throttled_after_s}};

void tell_load(JsonWriter& json, const LoadFigures& load) {
  json.begin_object("load");
  for (const LoadMember& one : kLoadMembers) maybe(json, one.key, load.*one.member);
  json.end_object();
}

std::optional<double> maybe(const JsonNode& node, const char* key) {
  const JsonNode* value = node.find(key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->number;
}

Measured read_case_end(const JsonNode& node) {
  Measured one;
  one.end = static_cast<CaseEnd>(static_cast<int>(number_at(node, "end")));
  one.reason = text_at(node, "reason");
  one.detail = text_at(node, "detail");
  one.bytes = number_at(node, "bytes");
  one.operations = number_at(node, "operations", 1);
  one.rotated_bytes = number_at(node, "rotated_bytes");
  if (const JsonNode* precise = node.find("precise"); precise != nullptr) one.precise = precise->boolean;
  one.clock_resolution_s = number_at(node, "clock_resolution_s");
  if (const JsonNode* samples = node.find("samples_s"); samples != nullptr)
    for (const JsonNode& sample : samples->items) one.samples_s.push_back(sample.number);
  one.check.status = static_cast<CheckStatus>(static_cast<int>(number_at(node, "check")));
  one.check.worst = maybe(node, "worst");
  one.check.tolerance = maybe(node, "tolerance");
  one.check.nan_count = static_cast<int>(number_at(node, "nan_count"));
  one.checked = number_at(node, "checked");
  one.check_note = text_at(node, "check_note");
  one.context.sm_clock_hz = maybe(node, "sm_clock_hz");
  one.context.temperature_c = maybe(node, "temperature_c");
  one.context.power_w = maybe(node, "power_w");
  one.context.host_s = maybe(node, "host_s");
  one.context.device_s = maybe(node, "device_s");
  one.context.idle_utilization = maybe(node, "idle_utilization");
  one.context.entry_skew_s = maybe(node, "entry_skew_s");
  if (const JsonNode* reasons = node.find("reasons"); reasons != nullptr)
    for (const JsonNode& reason : reasons->items)
      one.context.reasons.push_back({text_at(reason, "reason"), number_at(reason, "share")});
  if (const JsonNode* load = node.find("load"); load != nullptr) {
    one.load.emplace();
    for (const LoadMember& member : kLoadMembers) (*one.load).*member.member = maybe(*load, member.key);
  }
  one.variant.algorithm = text_at(node, "algorithm");
  one.variant.heuristic_first_s = maybe(node, "heuristic_first_s");
  return one;
}

WorkerJob read_job(const JsonNode& node) {
  WorkerJob job;
  job.backend = text_at(node, "backend");
  job.device = static_cast<int>(number_at(node, "device"));
  job.seed = number_at(node, "seed");
  if (const JsonNode* inventory = node.find("inventory"); inventory != nullptr) job.inventory = inventory->boolean;
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
  json.number("bytes", one.bytes);
  json.number("operations", one.operations);
  json.number("rotated_bytes", one.rotated_bytes);
  json.boolean("precise", one.precise);
  json.number("clock_resolution_s", one.clock_resolution_s);
  json.begin_list("samples_s");
  for (const double sample : one.samples_s) json.number(sample);
  json.end_list();
  json.number("check", static_cast<int>(one.check.status));
  maybe(json, "worst", one.check.worst);
  maybe(json, "tolerance", one.check.tolerance);
  json.number("nan_count", one.check.nan_count);
  json.number("checked", one.checked);
  json.text("check_note", one.check_note);
  maybe(json, "sm_clock_hz", one.context.sm_clock_hz);
  maybe(json, "temperature_c", one.context.temperature_c);
  maybe(json, "power_w", one.context.power_w);
  maybe(json, "host_s", one.context.host_s);
  maybe(json, "device_s", one.context.device_s);
  maybe(json, "idle_utilization", one.context.idle_utilization);
  maybe(json, "entry_skew_s", one.context.entry_skew_s);
  json.begin_list("reasons");
  for (const ReasonShare& reason : one.context.reasons) {
    json.begin_object();
    json.text("reason", reason.reason);
    json.number("share", reason.share);
    json.end_object();
  }
  json.end_list();
  if (one.load) tell_load(json, *one.load);
  json.text("algorithm", one.variant.algorithm);
  maybe(json, "heuristic_first_s", one.variant.heuristic_first_s);
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
  void* session = nullptr;
  if (backend->open(job.device, &session, &fault) != PW_OK) return tell_failure(out, fault);
  if (job.inventory) tell_inventory(out, *backend, session);
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
