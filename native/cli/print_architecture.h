#pragma once
/// The answer of kind `architecture` for people.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

/// The design in a sentence, its runners-up, networks, site and bill as tables, the rules, and what is missing.
std::string architecture_text(const JsonNode& answer);

}  // namespace podwright::cli
