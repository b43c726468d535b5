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

struct Plus {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

/// All values of a block as one, in each of its threads, by `join`: the sum where nothing else is said.
template <class T, class Join = Plus>
__device__ T over_block(T value, Join join = {}) {
  __shared__ T parts[32];
  for (int step = 16; step > 0; step /= 2) value = join(value, __shfl_xor_sync(0xffffffffU, value, step));
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (unsigned i = 1; i < blockDim.x / 32; ++i) value = join(value, parts[i]);
  return value;
}

/// Notes how far a value is from what it should be, in any measure: out[0] the largest, out[1] those that are no
/// numbers.
inline __device__ void note_error(double* out, double value, double error) {
  if (!isfinite(value)) {
    atomicAdd(out + 1, 1.0);
  } else if (!(error <= 0)) {
    raise(out, error);  // not for each value that is right
  }
}

}  // namespace podwright::probes::cuda
