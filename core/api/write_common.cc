#include "api/write_common.h"

#include "api/answer.h"

namespace podwright {

void write_texts(JsonWriter& out, std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  out.begin_list(name);
  for (const std::string& text : texts) out.text(text);
  out.end_list();
}

void write_reason_members(JsonWriter& out, const Infeasible& reason) {
  out.text("code", reason.code);
  out.text("message", reason.message);
  if (reason.shortfall != 0) {
    out.number("shortfall", reason.shortfall);
    out.text("unit", reason.unit);
  }
  out.begin_list("ways_out");
  for (const std::string& patch : reason.ways_out) out.verbatim(patch);
  out.end_list();
}

void write_reasons(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons) {
  out.begin_list(name);
  for (const Infeasible& reason : reasons) {
    out.begin_object();
    write_reason_members(out, reason);
    out.end_object();
  }
  out.end_list();
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
