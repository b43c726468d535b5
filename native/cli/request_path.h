#pragma once
/// Places in a request as people write them, and requests as people read them.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"

namespace podwright::cli {

/// One step into a document.
struct PathStep {
  std::string key;         ///< of an object, or the digits of a place in a list
  bool in_list = false;    ///< written as a place in a list: [0]
  bool in_object = false;  ///< written as a name that is no number
};

/// The steps of "workloads[0].traffic.turns" or of the JSON Pointer "/workloads/0/traffic/turns"; absent where the text
/// is neither.
std::optional<std::vector<PathStep>> path_steps(std::string_view text);

/// "workloads[0].traffic.turns" of "/workloads/0/traffic/turns".
std::string dotted_path(std::string_view pointer);

/// Puts the value where the steps lead, with the objects and lists on the way; null takes away what is there. The place
/// as a JSON Pointer, or what is in the way: error "conflict".
Result<std::string> put(JsonNode& document, const std::vector<PathStep>& steps, JsonNode value);

/// What is at a JSON Pointer, or null.
const JsonNode* find_at(const JsonNode& document, std::string_view pointer);

/// JSON text over several lines, as the examples are written: what fits in a line stands in one.
std::string pretty_json(const JsonNode& node);

}  // namespace podwright::cli
