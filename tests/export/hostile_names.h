#pragma once
/// Names that try to break out of files, and draws of random cases.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"

namespace podwright {

/// What people and machines put into names, and what breaks formats.
inline constexpr std::array<std::string_view, 20> kHostile{"meta-llama/Llama-3.1-70B-Instruct",
                                                           "a \"quoted\" 'name'",
                                                           "line one\nline two: three",
                                                           "--- \n- x",
                                                           "{{place}} ${HOME} $(id) `id`",
                                                           "$MODEL",
                                                           "$$ $1 %s",
                                                           "back\\slash\\n",
                                                           "# no comment: [a, b]",
                                                           "\ttab\r\nEOF\nEND\n",
                                                           "東京/モデル",
                                                           "no",
                                                           "1e3",
                                                           "0x10",
                                                           "*alias &anchor !tag",
                                                           "' || reboot; '",
                                                           "--flag=value",
                                                           "\xe2\x80\xa8 separator \xc2\x85",
                                                           "$(MODEL) @{x} %{y}",
                                                           "\x01\x7f\xef\xbb\xbf"};

/// Draws of one case, one after the other.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t number) : stream_(seed, number) {}

  template <class Item, std::size_t N>
  const Item& of(const std::array<Item, N>& items) {
    return items[static_cast<std::size_t>(stream_.uniform(next_++) * static_cast<double>(N))];
  }
  bool chance(double share) { return stream_.uniform(next_++) < share; }

  std::string name() {
    if (chance(0.2)) return "";
    if (chance(0.1)) return std::string(3000, 'x') + std::string(of(kHostile));
    std::string text(of(kHostile));
    return chance(0.3) ? text + std::string(of(kHostile)) : text;
  }

 private:
  random::Stream stream_;
  std::uint64_t next_ = 0;
};

}  // namespace podwright
