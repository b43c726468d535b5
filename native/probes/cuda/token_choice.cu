/// The choice of the next token: the k most likely of a vocabulary, of these the ones that hold a share of the
/// probability, and one of them at random.
#include "probes/cuda/device_functions.cuh"
#include "probes/cuda/kernels.h"

namespace podwright::probes::cuda {
namespace {

constexpr int kBlock = 512;
constexpr unsigned kBins = 2048;
constexpr unsigned kStretches = 32;  // of bins that are summed at once
constexpr int kMostKept = 64;

/// Bits that order as the values do.
__device__ unsigned ordered(float value) {
  const unsigned bits = __float_as_uint(value);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

__device__ float uniform_of(std::uint64_t seed, unsigned row) {
  return (static_cast<float>(draw(seed, row) >> 40U) + 0.5F) * 0x1p-24F;
}

/// Counts keys that share the digits above by their next digit, and finds the digit of the `wanted`-th largest.
__device__ void next_digit(const float* scores, int vocabulary, unsigned above, unsigned mask, int shift,
                           unsigned* bins, unsigned* found) {
  for (unsigned i = threadIdx.x; i < kBins; i += kBlock) bins[i] = 0;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < vocabulary; i += kBlock) {
    const unsigned key = ordered(scores[i]);
    if ((key & mask) == above) atomicAdd(bins + ((key >> static_cast<unsigned>(shift)) & (kBins - 1)), 1U);
  }
  __syncthreads();
  // First the stretch of bins that holds it, then the bin.
  __shared__ unsigned stretches[kStretches];
  if (threadIdx.x < kStretches) {
    stretches[threadIdx.x] = 0;
    for (unsigned i = 0; i < kBins / kStretches; ++i)
      stretches[threadIdx.x] += bins[threadIdx.x * (kBins / kStretches) + i];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned wanted = found[1];
    unsigned stretch = kStretches - 1;
    while (stretch > 0 && stretches[stretch] < wanted) wanted -= stretches[stretch--];
    unsigned digit = (stretch + 1) * (kBins / kStretches) - 1;
    while (digit > stretch * (kBins / kStretches) && bins[digit] < wanted) wanted -= bins[digit--];
    found[0] = digit;
    found[1] = wanted;
  }
  __syncthreads();
}

/// One block for each sequence.
__global__ void choose_kernel(const float* scores, int vocabulary, int kept, float share, std::uint64_t seed,
                              int* tokens) {
  const float* row = scores + static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(vocabulary);
  __shared__ unsigned bins[kBins];
  __shared__ unsigned found[2];  // digit, and how many are still wanted below the digits above
  __shared__ float values[kMostKept];
  __shared__ int places[kMostKept];
  __shared__ float sorted[kMostKept];
  __shared__ int order[kMostKept];
  __shared__ unsigned count;
  __shared__ unsigned equals;
  if (threadIdx.x == 0) {
    found[1] = static_cast<unsigned>(kept);
    count = 0;
    equals = 0;
  }
  __syncthreads();
  // Digits of 11, 11 and 10 bits.
  unsigned key = 0;
  next_digit(row, vocabulary, 0, 0, 21, bins, found);
  key = found[0] << 21U;
  next_digit(row, vocabulary, key, 0xffe00000U, 10, bins, found);
  key |= found[0] << 10U;
  // Bit 10 stands in the mask and in the bins: it is the same for all keys that are counted.
  next_digit(row, vocabulary, key, 0xfffffc00U, 0, bins, found);
  key |= found[0] & 1023U;
  const unsigned of_equal = found[1];
  for (int i = static_cast<int>(threadIdx.x); i < vocabulary; i += kBlock) {
    const unsigned own = ordered(row[i]);
    if (own < key || (own == key && atomicAdd(&equals, 1U) >= of_equal)) continue;
    const unsigned place = atomicAdd(&count, 1U);
    if (place >= kMostKept) continue;
    values[place] = row[i];
    places[place] = i;
  }
  __syncthreads();
  const int mine = static_cast<int>(threadIdx.x);
  if (mine < kept) {
    int rank = 0;
    for (int i = 0; i < kept; ++i)
      rank += values[i] > values[mine] || (values[i] == values[mine] && places[i] < places[mine]) ? 1 : 0;
    sorted[rank] = values[mine];
    order[rank] = places[mine];
  }
  __syncthreads();
  if (mine != 0) return;
  float all = 0;
  for (int i = 0; i < kept; ++i) all += expf(sorted[i] - sorted[0]);
  float held = 0;
  int last = 0;
  while (last < kept && held < share * all) held += expf(sorted[last++] - sorted[0]);
  float left = uniform_of(seed, blockIdx.x) * held;
  int chosen = 0;
  while (chosen + 1 < last && left >= expf(sorted[chosen] - sorted[0])) left -= expf(sorted[chosen++] - sorted[0]);
  tokens[blockIdx.x] = order[chosen];
}

/// The same in double, by taking the largest away again and again: one block for each sampled sequence.
__global__ void check_kernel(const float* scores, int vocabulary, int kept, double share, std::uint64_t seed,
                             const int* tokens, unsigned stride, double* out) {
  const unsigned sequence = blockIdx.x * stride;
  const float* row = scores + static_cast<std::size_t>(sequence) * static_cast<std::size_t>(vocabulary);
  __shared__ float best_value[kBlock];
  __shared__ int best_place[kBlock];
  __shared__ float sorted[kMostKept];
  float bound = 3.4e38F;
  int bound_place = -1;
  for (int round = 0; round < kept; ++round) {
    float value = -3.4e38F;
    int place = vocabulary;
    for (int i = static_cast<int>(threadIdx.x); i < vocabulary; i += kBlock) {
      const bool below = row[i] < bound || (row[i] == bound && i > bound_place);
      if (below && (row[i] > value || (row[i] == value && i < place))) {
        value = row[i];
        place = i;
      }
    }
    best_value[threadIdx.x] = value;
    best_place[threadIdx.x] = place;
    __syncthreads();
    for (unsigned half = kBlock / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) {
        const float other = best_value[threadIdx.x + half];
        const int other_place = best_place[threadIdx.x + half];
        if (other > best_value[threadIdx.x] ||
            (other == best_value[threadIdx.x] && other_place < best_place[threadIdx.x])) {
          best_value[threadIdx.x] = other;
          best_place[threadIdx.x] = other_place;
        }
      }
      __syncthreads();
    }
    bound = best_value[0];
    bound_place = best_place[0];
    if (threadIdx.x == 0) sorted[round] = bound;
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  const int token = tokens[sequence];
  if (token < 0 || token >= vocabulary) {
    atomicAdd(out + 1, 1.0);
    return;
  }
  const auto weight = [&](int i) { return exp(static_cast<double>(sorted[i]) - static_cast<double>(sorted[0])); };
  double all = 0;
  for (int i = 0; i < kept; ++i) all += weight(i);
  double held = 0;
  int last = 0;
  // Where a sum in float may fall on the other side of a bound, either choice is right.
  constexpr double kNear = 1e-5;
  while (last < kept && held < share * all) held += weight(last++);
  const double before_last = held - weight(last - 1);
  const bool near_share = fabs(before_last - share * all) < kNear * all || fabs(held - share * all) < kNear * all;
  const double point = static_cast<double>(uniform_of(seed, sequence)) * held;
  double until = 0;
  bool right = false;
  for (int i = 0; i < last; ++i) {
    const double from = until;
    until += weight(i);
    const bool inside = point >= from - kNear * held && point < until + kNear * held;
    right = right || (inside && row[token] == sorted[i]);
  }
  if (!right && !near_share) raise(out, 1.0);
}

}  // namespace

void choose_tokens(const float* scores, int sequences, int vocabulary, int kept, float share, std::uint64_t seed,
                   int* tokens, cudaStream_t stream) {
  choose_kernel<<<static_cast<unsigned>(sequences), kBlock, 0, stream>>>(scores, vocabulary, kept, share, seed, tokens);
}
void check_tokens(const float* scores, int sequences, int vocabulary, int kept, float share, std::uint64_t seed,
                  const int* tokens, int samples, double* out, cudaStream_t stream) {
  const int checked = samples < sequences ? samples : sequences;
  check_kernel<<<static_cast<unsigned>(checked), kBlock, 0, stream>>>(scores, vocabulary, kept,
                                                                      static_cast<double>(share), seed, tokens,
                                                                      static_cast<unsigned>(sequences / checked), out);
}

}  // namespace podwright::probes::cuda
