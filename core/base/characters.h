#pragma once
/// Texts that come from outside, so that no format breaks on them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace podwright {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";    ///< U+FFFD
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  ///< what some editors put before UTF-8
/// The most bytes of a text that is read whole, and of a line of a stream.
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 20;

struct Character {
  std::uint32_t code = 0xFFFD;
  std::size_t bytes = 1;
  bool whole = false;  ///< false: a byte that is not UTF-8
};

/// The UTF-8 character that begins a text that is not empty.
Character first_character(std::string_view text);

/// Of the first or second set (U+0000 to U+001F, U+007F to U+009F), which some terminals obey.
bool is_control(std::uint32_t code);

/// Bytes of the UTF-8 character that begins `text`; 0 where it is broken, a control character other than tab and line
/// break, or no character of XML.
std::size_t character_length(std::string_view text);

/// Each byte that is no UTF-8 and each control character other than tab and line break become U+FFFD.
std::string whole_characters(std::string_view text);

/// The same in one line that no terminal obeys: tabs and line breaks become spaces.
std::string line_of(std::string_view text);

}  // namespace podwright
