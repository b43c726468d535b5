#pragma once
/// Tables of words: the entry of an enumeration's value is its word.
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace podwright {

/// The word of a value; the table has one for each.
template <class Enum, std::size_t N>
constexpr std::string_view word_of(Enum value, const std::array<std::string_view, N>& words) {
  return words.begin()[static_cast<std::size_t>(value)];
}

/// The place of a word; absent where the table has no such word.
constexpr std::optional<std::size_t> place_of_word(std::string_view word, std::span<const std::string_view> words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return i;
  return {};
}

/// The value at a place.
template <class Enum>
constexpr std::optional<Enum> at_place(std::optional<std::size_t> place) {
  return place ? std::optional(static_cast<Enum>(*place)) : std::nullopt;
}

/// The value of a word; absent where the table has no such word.
template <class Enum, std::size_t N>
constexpr std::optional<Enum> of_word(std::string_view word, const std::array<std::string_view, N>& words) {
  return at_place<Enum>(place_of_word(word, words));
}

}  // namespace podwright
