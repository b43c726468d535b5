#pragma once
/// Texts that come from outside, so that no format breaks on them.
#include <cstddef>
#include <string>
#include <string_view>

namespace podwright {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  ///< U+FFFD

/// Bytes of the UTF-8 character that begins `text`; 0 where it is broken or no character of XML.
std::size_t character_length(std::string_view text);

/// Broken UTF-8 and control characters other than tab and line break become U+FFFD.
std::string whole_characters(std::string_view text);

/// The same in one line that no terminal obeys: tabs and line breaks become spaces, control characters of the second
/// set U+FFFD.
std::string line_of(std::string_view text);

}  // namespace podwright
