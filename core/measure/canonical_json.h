#pragma once
/// JSON in its one canonical form (RFC 8785), so that equal documents have equal bytes.
#include <string>

#include "base/json_read.h"

namespace podwright {

/// Keys in the order of their UTF-16 code units, numbers as ECMAScript writes them, no spaces. Numbers must be finite.
std::string canonical_json(const JsonNode& document);

}  // namespace podwright
