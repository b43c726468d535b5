#pragma once
/// The answer of a serving search for people.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

std::string serving_search_text(const JsonNode& answer);

}  // namespace podwright::cli
