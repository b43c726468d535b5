#pragma once
/// Texts that come from outside, so that no format breaks on them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace podwright {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  ///< U+FFFD

struct Character {
  std::uint32_t code = 0xFFFD;
  std::size_t bytes = 1;
  bool whole = false;  ///< false: a byte that is not UTF-8
};

/// The UTF-8 character that begins a text that is not empty.
Character first_character(std::string_view text);

/// Bytes of the UTF-8 character that begins `text`; 0 where it is broken or no character of XML.
std::size_t character_length(std::string_view text);

/// Broken UTF-8 and control characters other than tab and line break become U+FFFD.
std::string whole_characters(std::string_view text);

/// The same in one line that no terminal obeys: tabs and line breaks become spaces, control characters of the second
/// set U+FFFD.
std::string line_of(std::string_view text);

}  // namespace podwright
