#pragma once
/// JSON Schema (2020-12) of answers, collected from the tables that write them.
#include <string>
#include <string_view>

namespace podwright {

/// Empty for a kind whose answers have no table.
std::string answer_schema(std::string_view kind);

}  // namespace podwright
