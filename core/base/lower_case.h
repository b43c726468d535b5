#pragma once
/// Spelling without regard to capitals.
#include <string>
#include <string_view>

namespace podwright {

/// ASCII letters in lower case, everything else as it is.
std::string lower_case(std::string_view text);

}  // namespace podwright
