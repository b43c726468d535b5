#pragma once
/// The answer of a search for people.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

/// A table of the layouts, why, how to start the best, what was left out.
std::string search_text(const JsonNode& answer);

}  // namespace podwright::cli
