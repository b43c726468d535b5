#pragma once
/// A place inside an answer.
#include <initializer_list>
#include <string_view>

#include "base/json_read.h"

namespace podwright::cli {

/// The node at a path of keys and list positions, or null.
const JsonNode* at(const JsonNode& node, std::initializer_list<std::string_view> path);

}  // namespace podwright::cli
