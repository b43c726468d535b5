#include "api/write_common.h"

#include "api/answer_writer.h"
#include "api/common_table.h"

namespace podwright {

namespace {

template <class Tracer>
void write_list(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons, Tracer& trace,
                std::string_view page, std::string_view id) {
  AnswerWriter v(out);
  v.list({name}, reasons, [&](const Infeasible& reason) { describe_reason(v, reason, trace, page, id); });
}

}  // namespace

void write_reason_members(JsonWriter& out, const Infeasible& reason) {
  AnswerWriter v(out);
  NoTrace none;
  describe_reason(v, reason, none, "", "");
}

void write_reason_members(JsonWriter& out, const Infeasible& reason, Trace& trace, std::string_view page,
                          std::string_view id) {
  AnswerWriter v(out);
  describe_reason(v, reason, trace, page, id);
}

void write_reasons(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons) {
  NoTrace none;
  write_list(out, name, reasons, none, "", "");
}

void write_reasons(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons, Trace& trace,
                   std::string_view page, std::string_view id) {
  write_list(out, name, reasons, trace, page, id);
}

void write_foot(JsonWriter& out, const Catalog& catalog, const std::vector<Assumption>& assumptions,
                const std::vector<std::string>& assumed) {
  AnswerWriter v(out);
  describe_foot(v, catalog, assumptions, assumed);
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
