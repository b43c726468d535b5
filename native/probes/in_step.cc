#include "probes/in_step.h"

#include <cstring>

#include "base/json_read.h"
#include "base/json_write.h"
#include "probes/backends.h"
#include "probes/probe_case.h"

namespace podwright::probes {
namespace {

constexpr std::size_t kIdBytes = 128;

std::string hex_of(const char* bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < kIdBytes; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text;
}

bool read_hex(const std::string& text, char* bytes) {
  if (text.size() != 2 * kIdBytes) return false;
  const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
  for (std::size_t i = 0; i < kIdBytes; ++i)
    bytes[i] = static_cast<char>(16 * digit(text[2 * i]) + digit(text[2 * i + 1]));
  return true;
}

std::string report_text(const StepReport& report) {
  JsonWriter json;
  json.begin_object();
  json.number("code", report.code);
  if (report.code != PW_OK) {
    json.text("reason", report.reason);
    json.text("detail", report.detail);
  }
  json.begin_list("numbers");
  for (const double number : report.numbers) json.number(number);
  json.end_list();
  json.end_object();
  return json.take();
}

StepReport read_report(const std::string& text) {
  const auto node = parse_json(text);
  if (!node || !node->is_object()) return {PW_RENEW, "rank_lost", "what a rank told cannot be read", {}};
  StepReport report;
  report.code = static_cast<int>(number_at(*node, "code"));
  report.reason = text_at(*node, "reason");
  report.detail = text_at(*node, "detail");
  if (const JsonNode* numbers = node->find("numbers"); numbers != nullptr)
    for (const JsonNode& number : numbers->items) report.numbers.push_back(number.number);
  return report;
}

}  // namespace

std::string InStep::make_ids(const PwBackend& backend, PwFault& fault) {
  if (backend.group_id == nullptr) {
    set_fault(fault, "not_supported", std::string("the backend ") + backend.name + " has no groups of processes");
    return "";
  }
  const std::string own = group_.open();
  if (own.empty()) {
    set_fault(fault, "init_failed", "no port could be opened for a group of processes");
    return "";
  }
  char id[kIdBytes] = {};
  if (backend.group_id(id, &fault) != PW_OK) return "";
  return hex_of(id) + " " + own;
}

bool InStep::join(const std::string& ids, const PwBackend& backend, void* session, PwFault& fault) {
  char id[kIdBytes] = {};
  const std::size_t space = ids.find(' ');
  if (space == std::string::npos || !read_hex(ids.substr(0, space), id) || backend.group_join == nullptr) {
    set_fault(fault, "not_supported", "the id of the group cannot be read");
    return false;
  }
  if (!group_.join(ids.substr(space + 1), seat_.rank, seat_.patience_s)) {
    set_fault(fault, "rank_lost", why());
    return false;
  }
  PwFault own{};
  const int code = backend.group_join(session, id, seat_.rank, group_.ranks(), &own);
  const auto told = tell({code, own.reason, own.detail, {}}, seat_.patience_s);
  if (!told) {
    set_fault(fault, code == PW_OK ? "rank_lost" : own.reason, code == PW_OK ? why() : own.detail);
    return false;
  }
  const auto worst = gravest(*told);
  if (!worst) return true;
  const StepReport& report = (*told)[*worst];
  set_fault(fault, report.reason, name_of(static_cast<int>(*worst)) + ": " + report.detail);
  return false;
}

std::optional<std::vector<StepReport>> InStep::tell(const StepReport& own, double seconds) {
  const auto texts = group_.exchange(report_text(own), seconds);
  if (!texts) return std::nullopt;
  std::vector<StepReport> reports;
  for (const std::string& text : *texts) reports.push_back(read_report(text));
  return reports;
}

std::optional<std::size_t> gravest(const std::vector<StepReport>& reports) {
  std::optional<std::size_t> worst;
  for (std::size_t rank = 0; rank < reports.size(); ++rank)
    if (reports[rank].code != PW_OK && (!worst || reports[rank].code > reports[*worst].code)) worst = rank;
  return worst;
}

}  // namespace podwright::probes
