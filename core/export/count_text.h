#pragma once
/// Counts in words of drawings.
#include <string>
#include <string_view>

#include "base/number_text.h"

namespace podwright {

/// "1,024".
inline std::string count_text(double count) { return fixed_number(count, 0); }
/// "1 node", "2 nodes".
inline std::string count_text(double count, std::string_view one, std::string_view many) {
  return count_text(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace podwright
