#pragma once
/// Streams of random numbers by name.
#include <cstdint>
#include <string_view>

namespace podwright {

/// Number of a stream that belongs to a name alone, whatever is next to it: FNV-1a of 64 bit (Fowler, Noll and Vo).
constexpr std::uint64_t stream_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace podwright
