#pragma once
/// What several files of kernels share.
#include <cstddef>
#include <cstdint>

namespace podwright::probes::cuda {

constexpr int kThreads = 256;

inline __device__ std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

/// 64 random bits that seed and place alone decide.
inline __device__ std::uint64_t draw(std::uint64_t seed, std::uint64_t place) {
  return mixed(mixed(seed + 0x9e3779b97f4a7c15ULL) + place * 0x9e3779b97f4a7c15ULL);
}

inline __device__ std::size_t thread_of_grid() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
inline __device__ std::size_t grid_threads() { return static_cast<std::size_t>(gridDim.x) * blockDim.x; }

/// Values are not negative, so that their bits order like they do.
inline __device__ void raise(double* to, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(__double_as_longlong(value)));
}

/// Blocks for a loop over `count` values.
inline unsigned blocks_for(std::size_t count) {
  const std::size_t blocks = (count + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > 4096 ? 4096 : blocks);
}

}  // namespace podwright::probes::cuda
