#pragma once
/// Which version of the program answers.
#include <string_view>

namespace podwright {

/// "0.2.0"
std::string_view version();

}  // namespace podwright
