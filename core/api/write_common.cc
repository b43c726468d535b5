#include "api/write_common.h"

#include "api/host_calibration_text.h"

#include "api/answer.h"

namespace podwright {

void write_texts(JsonWriter& out, std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  out.begin_list(name);
  for (const std::string& text : texts) out.text(text);
  out.end_list();
}

namespace {

template <class WriteShortfall>
void write_members(JsonWriter& out, const Infeasible& reason, const WriteShortfall& write_shortfall) {
  out.text("code", reason.code);
  out.text("message", reason.message);
  if (reason.shortfall != 0) {
    write_shortfall();
    out.text("unit", reason.unit);
  }
  out.begin_list("ways_out");
  for (const std::string& patch : reason.ways_out) out.verbatim(patch);
  out.end_list();
}

template <class WriteMembers>
void write_list(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons,
                const WriteMembers& write) {
  out.begin_list(name);
  for (const Infeasible& reason : reasons) {
    out.begin_object();
    write(reason);
    out.end_object();
  }
  out.end_list();
}

}  // namespace

void write_reason_members(JsonWriter& out, const Infeasible& reason) {
  write_members(out, reason, [&] { out.number("shortfall", reason.shortfall); });
}

void write_reason_members(JsonWriter& out, const Infeasible& reason, Trace& trace, std::string_view page,
                          std::string_view id) {
  write_members(out, reason, [&] { out.quantity("shortfall", unit::kNone, trace.method(id, reason.shortfall, page)); });
}

void write_reasons(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons) {
  write_list(out, name, reasons, [&](const Infeasible& reason) { write_reason_members(out, reason); });
}

void write_reasons(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons, Trace& trace,
                   std::string_view page, std::string_view id) {
  write_list(out, name, reasons, [&](const Infeasible& reason) { write_reason_members(out, reason, trace, page, id); });
}

void write_foot(JsonWriter& out, const Catalog& catalog, const std::vector<Assumption>& assumptions,
                const std::vector<std::string>& assumed) {
  out.begin_list("assumptions");
  for (const Assumption& assumption : assumptions) {
    out.begin_object();
    out.text("path", assumption.path);
    out.key("value");
    out.verbatim(assumption.value);
    out.text("source", assumption.source);
    out.end_object();
  }
  for (const std::string& text : assumed) {
    out.begin_object();
    out.text("message", text);
    out.end_object();
  }
  out.end_list();
  out.text("podwright_version", version());
  out.text("catalog_digest", catalog.digest);
  write_calibrations(out, catalog);
}

void write_number_or_null(JsonWriter& out, const std::optional<double>& value) {
  if (value)
    out.number(*value);
  else
    out.null();
}

std::map<std::string, std::string> sources_of(const std::vector<Assumption>& assumptions) {
  std::map<std::string, std::string> sources;
  for (const Assumption& assumption : assumptions) sources.emplace(assumption.path, "default: " + assumption.source);
  return sources;
}

}  // namespace podwright
