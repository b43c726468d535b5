#pragma once
/// Random numbers by place: each depends on seed, stream and counter alone, so draws can be made in any order, a new
/// stream leaves the others as they are, and native and browser agree bit for bit. docs/method/uncertainty.md#draws.
#include <cstdint>

namespace podwright::random {

/// Every bit of the result depends on every bit of x. Steele, Lea and Flood 2014, doi 10.1145/2660193.2660195, with
/// the constants of Stafford's variant 13.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

/// SplitMix64 from a start that seed and stream choose.
class Stream {
 public:
  constexpr Stream(std::uint64_t seed, std::uint64_t stream)
      : start_(mixed(mixed(seed + kStep) + (stream + 1) * kStep)) {}

  constexpr std::uint64_t bits(std::uint64_t counter) const { return mixed(start_ + counter * kStep); }
  /// Evenly distributed over the odd multiples of 2^-53 between 0 and 1; neither end is reached.
  constexpr double uniform(std::uint64_t counter) const {
    return (__builtin_bit_cast(double, (bits(counter) >> 12U) | 0x3ff0000000000000ULL) - 1.0) + 0x1p-53;
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;  // 2^64 over the golden ratio, odd
  std::uint64_t start_;
};

}  // namespace podwright::random
