#pragma once
/// Spelling without regard to capitals and signs.
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

/// ASCII letters in lower case, everything else as it is.
std::string lower_case(std::string_view text);

/// Letters and digits in lower case, everything else a gap: "FP8-MX (block)" is fp8, mx, block.
std::vector<std::string> words_of(std::string_view text);

}  // namespace podwright
