#pragma once
/// Statements of study material and what the documents say to them, for people.
#include <string>

#include "base/json_read.h"

namespace podwright::cli {

std::string topic_text(const JsonNode& answer);

}  // namespace podwright::cli
