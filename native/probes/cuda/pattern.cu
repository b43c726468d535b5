/// The pattern that tests memory: every word differs from all others, so that a fault of an address line shows as well.
#include "probes/cuda/device_functions.cuh"
#include "probes/cuda/kernels.h"

namespace podwright::probes::cuda {
namespace {

__device__ unsigned long long pattern_of(std::uint64_t seed, std::uint64_t number, bool inverted) {
  const std::uint64_t hash = draw(seed, number);
  return inverted ? ~hash : hash;
}

__global__ void write_kernel(ulonglong2* to, std::size_t pairs, std::uint64_t first, std::uint64_t seed,
                             bool inverted) {
  for (std::size_t i = thread_of_grid(); i < pairs; i += grid_threads()) {
    const std::uint64_t number = first + 2 * i;
    to[i] = make_ulonglong2(pattern_of(seed, number, inverted), pattern_of(seed, number + 1, inverted));
  }
}

__device__ void compare(unsigned long long seen, std::uint64_t seed, std::uint64_t number, bool inverted,
                        Mismatches* found) {
  const unsigned long long wrong = seen ^ pattern_of(seed, number, inverted);
  if (wrong == 0) return;
  atomicAdd(&found->words, 1ULL);
  atomicMin(&found->first, static_cast<unsigned long long>(number));
  atomicOr(&found->bits, wrong);
}

__global__ void check_kernel(const ulonglong2* from, std::size_t pairs, std::uint64_t first, std::uint64_t seed,
                             bool inverted, Mismatches* found) {
  for (std::size_t i = thread_of_grid(); i < pairs; i += grid_threads()) {
    const ulonglong2 seen = from[i];
    compare(seen.x, seed, first + 2 * i, inverted, found);
    compare(seen.y, seed, first + 2 * i + 1, inverted, found);
  }
}

__global__ void hash_kernel(const std::uint32_t* from, std::size_t words, unsigned long long* sum) {
  unsigned long long total = 0;
  for (std::size_t i = thread_of_grid(); i < words; i += grid_threads()) total += draw(from[i], i);
  atomicAdd(sum, total);
}

}  // namespace

void write_pattern(std::uint64_t* to, std::size_t words, std::uint64_t first, std::uint64_t seed, bool inverted,
                   int blocks, cudaStream_t stream) {
  write_kernel<<<blocks, kThreads, 0, stream>>>(reinterpret_cast<ulonglong2*>(to), words / 2, first, seed, inverted);
}
void check_pattern(const std::uint64_t* from, std::size_t words, std::uint64_t first, std::uint64_t seed, bool inverted,
                   Mismatches* found, int blocks, cudaStream_t stream) {
  check_kernel<<<blocks, kThreads, 0, stream>>>(reinterpret_cast<const ulonglong2*>(from), words / 2, first, seed,
                                                inverted, found);
}
void add_hash(const std::uint32_t* from, std::size_t words, unsigned long long* sum, cudaStream_t stream) {
  hash_kernel<<<blocks_for(words), kThreads, 0, stream>>>(from, words, sum);
}

}  // namespace podwright::probes::cuda
