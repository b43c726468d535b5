/// Data of collectives: what each rank sends, and what it must have received then.
#include <cuda_bf16.h>

#include "probes/cuda/device_functions.cuh"
#include "probes/cuda/kernels.h"

namespace podwright::probes::cuda {
namespace {

/// Whole numbers so small that the sum over all ranks is exact in bf16, which holds those up to 256. Of more than 128
/// ranks only some send more than zeros to a place, others to the next.
__device__ double sent(int rank, int ranks, std::size_t place) {
  const int apart = (ranks + 127) / 128;
  if (static_cast<std::size_t>(rank % apart) != place % static_cast<std::size_t>(apart)) return 0;
  const auto range = static_cast<std::uint64_t>(256 / ((ranks + apart - 1) / apart));
  return static_cast<double>(draw(static_cast<std::uint64_t>(1000 + rank), place) % range);
}

__device__ double sum_of_ranks(int ranks, std::size_t place) {
  double sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += sent(rank, ranks, place);
  return sum;
}

__device__ double expected(Collective kind, int rank, int ranks, std::size_t each, std::size_t place) {
  const auto own = static_cast<std::size_t>(rank) * each;
  switch (kind) {
    case Collective::allreduce:
      return sum_of_ranks(ranks, place);
    case Collective::reducescatter:
      return sum_of_ranks(ranks, own + place);
    case Collective::allgather:
      return sent(static_cast<int>(place / each), ranks, place % each);
    case Collective::alltoall:
      return sent(static_cast<int>(place / each), ranks, own + place % each);
    case Collective::sendrecv:
      return sent((rank + ranks - 1) % ranks, ranks, place);
    case Collective::broadcast:
      return sent(0, ranks, place);
  }
  return 0;
}

__global__ void fill_kernel(__nv_bfloat16* to, std::size_t values, int rank, int ranks) {
  for (std::size_t i = thread_of_grid(); i < values; i += grid_threads())
    to[i] = __float2bfloat16(static_cast<float>(sent(rank, ranks, i)));
}

__global__ void check_kernel(const __nv_bfloat16* received, Collective kind, int rank, int ranks, std::size_t each,
                             std::size_t values, std::size_t samples, double* out) {
  const std::size_t stride = values / samples;
  for (std::size_t i = thread_of_grid(); i < samples; i += grid_threads()) {
    // One value of each stretch, so that no part of a message stays unseen.
    const std::size_t place = i * stride + draw(7, i) % stride;
    const auto value = static_cast<double>(__bfloat162float(received[place]));
    note_error(out, value, fabs(value - expected(kind, rank, ranks, each, place)));
  }
}

}  // namespace

void fill_collective(void* to, std::size_t values, int rank, int ranks, cudaStream_t stream) {
  fill_kernel<<<blocks_for(values), kThreads, 0, stream>>>(static_cast<__nv_bfloat16*>(to), values, rank, ranks);
}
void check_collective(const void* received, Collective kind, int rank, int ranks, std::size_t each, std::size_t values,
                      std::size_t samples, double* out, cudaStream_t stream) {
  check_kernel<<<blocks_for(samples), kThreads, 0, stream>>>(static_cast<const __nv_bfloat16*>(received), kind, rank,
                                                             ranks, each, values, samples, out);
}

}  // namespace podwright::probes::cuda
