#pragma once
/// Changed copies of a text, the same for the same seed.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

class Mutation {
 public:
  explicit Mutation(std::uint64_t seed) : state_(seed * 2654435769u + 1) {}

  /// One to four bytes changed, a piece left out or a piece said twice.
  std::string of(std::string text) {
    const std::size_t way = below(8);
    if (way == 0 && text.size() > 8) {
      const std::size_t from = below(text.size() - 8);
      text.erase(from, 1 + below(8));
    }
    if (way == 1 && text.size() > 8) {
      const std::string piece = text.substr(below(text.size() - 8), 8);
      text.insert(below(text.size()), piece);  // in an order that is the same for all compilers
    }
    for (std::size_t change = way < 2 ? 1 : 0; change < 1 + way / 2; ++change) {
      const std::size_t kind = below(4);
      text[below(text.size())] = static_cast<char>(kind == 0   ? 255
                                                   : kind == 1 ? 0
                                                   : kind == 2 ? '0' + below(10)
                                                               : below(256));
    }
    return text;
  }

  /// One or two of the numbers of a JSON text replaced by others.
  std::string of_numbers(const std::string& text) {
    constexpr std::array<std::string_view, 14> kOthers = {
        "0",    "-1",    "1",   "1e308",      "1e-308", "9007199254740993",    "1e9", "1e400",
        "null", "\"7\"", "0.5", "4294967295", "[1,2]",  "18446744073709551616"};
    std::string changed = text;
    for (std::size_t i = 0; i <= below(2); ++i) {
      const std::size_t begin = changed.find_first_of("0123456789", below(changed.size()));
      if (begin == std::string::npos) continue;
      std::size_t first = begin;
      while (first > 0 && is_part(changed[first - 1])) --first;
      std::size_t end = begin;
      while (end < changed.size() && is_part(changed[end])) ++end;
      changed.replace(first, end - first, kOthers[below(kOthers.size())]);
    }
    return changed;
  }

  std::size_t below(std::size_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % bound;
  }

 private:
  static bool is_part(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e'; }

  std::uint64_t state_;
};

/// Copies of a text, each with one of the numbers behind `from` replaced: those that stand alone in a cell.
inline std::vector<std::string> each_number_replaced(const std::string& text, std::size_t from,
                                                     const std::string& other) {
  std::vector<std::string> copies;
  for (std::size_t at = from; at < text.size();) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", begin), text.size());
    const bool alone = (text[begin - 1] == ',' || text[begin - 1] == '\n') &&
                       (end == text.size() || text[end] == ',' || text[end] == '\n');
    if (alone) {
      std::string copy = text;
      copies.push_back(copy.replace(begin, end - begin, other));
    }
    at = end;
  }
  return copies;
}

}  // namespace podwright
