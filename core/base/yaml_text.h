#pragma once
/// Texts in files of YAML.
#include <string>
#include <string_view>

namespace podwright {

/// In double quotes on one line, so that readers of YAML 1.1 and 1.2 give back this text and take no part of it for a
/// number, a word or a sign of the format. What YAML does not print is escaped; bytes that are not UTF-8 become U+FFFD.
std::string yaml_text(std::string_view text);

}  // namespace podwright
