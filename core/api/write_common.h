#pragma once
/// Parts that every answer writes the same way.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "base/infeasible.h"
#include "base/json_write.h"

namespace podwright {

/// `"<name>": [{code, message, shortfall, unit, ways_out}]`; a shortfall of 0 says nothing and is left out.
void write_reasons(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons);
void write_reason_members(JsonWriter& out, const Infeasible& reason);
/// The same with every shortfall as a number of `trace`, named `id` and explained on the page.
void write_reasons(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons, Trace& trace,
                   std::string_view page, std::string_view id = "architecture.shortfall");
inline void write_reasons(JsonWriter& out, std::string_view name, const std::vector<Infeasible>& reasons, NoTrace&,
                          std::string_view, std::string_view = "") {
  write_reasons(out, name, reasons);
}
void write_reason_members(JsonWriter& out, const Infeasible& reason, Trace& trace, std::string_view page,
                          std::string_view id = "architecture.shortfall");

/// `assumptions`: defaults of the request with their source, then what the estimates assumed; `podwright_version`,
/// `catalog_digest`.
void write_foot(JsonWriter& out, const Catalog& catalog, const std::vector<Assumption>& assumptions,
                const std::vector<std::string>& assumed);

/// JSON Pointer of a default -> its source, as the trace wants it.
std::map<std::string, std::string> sources_of(const std::vector<Assumption>& assumptions);

/// The number, or null where there is none.
void write_number_or_null(JsonWriter& out, const std::optional<double>& value);

/// Writes `value` when there is one.
template <class Known>
void write_optional(JsonWriter& out, std::string_view name, const DisplayUnit& display,
                    const std::optional<Known>& value) {
  if (value) out.quantity(name, display, *value);
}

}  // namespace podwright
