#pragma once
/// SHA-256 (FIPS 180-4): the fingerprint of texts.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace podwright {

/// Bytes in, digest out; the same digest for the same bytes however they are cut into pieces.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 lower-case hex digits of everything added. The object is spent afterwards.
  std::string hex();

 private:
  void block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                      0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  std::array<unsigned char, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_bytes_ = 0;
};

std::string sha256_hex(std::string_view bytes);

}  // namespace podwright
