#pragma once
/// The answer of kind `cost` for people.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

/// Each side as a section, years and offers as tables, then what is missing and what to look out for.
std::string cost_text(const JsonNode& answer);

}  // namespace podwright::cli
