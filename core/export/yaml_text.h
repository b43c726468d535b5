#pragma once
/// Text in YAML 1.2.
#include <string>
#include <string_view>

namespace podwright {

/// In double quotes, so that no text is taken for a number, a word or a sign of the format.
std::string yaml_text(std::string_view text);

}  // namespace podwright
