#pragma once
/// Parts that every answer writes the same way.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "base/json_write.h"

namespace podwright {

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
