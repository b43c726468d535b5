#pragma once
/// Is a word one of a list?
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

inline bool is_among(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace podwright
