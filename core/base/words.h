#pragma once
/// Tables of words: the entry of an enumeration's value is its word.
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace podwright {

/// The word of a value; the table has one for each.
template <class Enum, std::size_t N>
constexpr std::string_view word_of(Enum value, const std::array<std::string_view, N>& words) {
  return words.begin()[static_cast<std::size_t>(value)];
}

/// The value of a word; absent where the table has no such word.
template <class Enum, std::size_t N>
constexpr std::optional<Enum> of_word(std::string_view word, const std::array<std::string_view, N>& words) {
  for (std::size_t i = 0; i < N; ++i)
    if (words[i] == word) return static_cast<Enum>(i);
  return {};
}

}  // namespace podwright
