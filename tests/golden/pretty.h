#pragma once
/// Golden answers are kept with line breaks, so that a change can be reviewed; nothing else of their text differs from
/// what the program writes.
#include <string>
#include <string_view>

namespace golden {

/// Compact JSON text with a line for each member that is too long to share one. Bytes between the breaks stay as they
/// are: numbers are not read and written again.
std::string pretty(std::string_view json);

}  // namespace golden
