#pragma once
/// Draws of random numbers by name: those of a seed and a name depend on nothing that is next to them.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"

namespace podwright {

/// Number of a stream that belongs to a name alone: FNV-1a of 64 bit (Fowler, Noll and Vo).
constexpr std::uint64_t stream_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

/// Every call takes the next number of the stream.
class Draws {
 public:
  Draws(std::uint64_t seed, std::string_view name) : stream_(seed, stream_of(name)) {}

  std::size_t index(std::size_t count) { return static_cast<std::size_t>(stream_.bits(drawn_++) % count); }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[index(i)]);
  }
  /// The places of `count` things in another order; `mixed`: not in the one that they had.
  std::vector<std::size_t> order(std::size_t count, bool mixed) {
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), std::size_t{0});
    do shuffle(places);
    while (mixed && std::is_sorted(places.begin(), places.end()));
    return places;
  }

 private:
  random::Stream stream_;
  std::uint64_t drawn_ = 0;
};

}  // namespace podwright
