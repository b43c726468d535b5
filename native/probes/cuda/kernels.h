#pragma once
/// The kernels of this project, called from plain C++. All launch into `stream` and report nothing: errors of a launch
/// are asked for by the caller.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace podwright::probes::cuda {

enum class Format { fp32, fp16, bf16, fp8, fp4, int8, int32 };
/// Bits of one value of each.
constexpr int kBits[] = {32, 16, 16, 8, 4, 8, 32};
constexpr std::size_t bytes_of(Format format, std::size_t values) {
  return (values * static_cast<std::size_t>(kBits[static_cast<int>(format)]) + 7) / 8;
}

/// Normal values of standard deviation 1 (integers: all values evenly); place and seed alone decide them.
void fill_normal(void* to, Format format, std::size_t values, std::uint64_t seed, cudaStream_t stream);
void fill_bits(std::uint32_t* to, std::size_t words, std::uint64_t seed, cudaStream_t stream);

constexpr long long kGatePatience = 2000000000;  ///< nanoseconds
/// Spins until *open is not 0, or `patience_ns` are over: then *timed_out becomes 1.
void gate(volatile int* open, int* timed_out, long long patience_ns, cudaStream_t stream);
/// Writes the multiprocessor's clock in Hz, measured over about 20 microseconds.
void clock_rate(double* hertz, cudaStream_t stream);

/// Blocks of these for each multiprocessor: so many run together.
constexpr int kStreamBlocks = 5;
void read_words(const float4* from, std::size_t count, float* sum, int blocks, cudaStream_t stream);
void write_words(float4* to, std::size_t count, float value, int blocks, cudaStream_t stream);
void copy_words(float4* to, const float4* from, std::size_t count, int blocks, cudaStream_t stream);
/// c = a + 3 b
void triad_words(float4* c, const float4* a, const float4* b, std::size_t count, int blocks, cudaStream_t stream);
/// Sums `rows` random rows of `row_words` each out of a table of `table_rows`.
void gather_rows(const float4* table, std::size_t table_rows, std::size_t row_words, std::size_t rows,
                 std::uint64_t seed, float* sum, int blocks, cudaStream_t stream);
/// Largest difference of c from what the streams should have written, and values that are not numbers: out[0], out[1].
/// Without `a` that is the constant, without `b` a copy of a, else a + 3 b.
void check_words(const float* c, const float* a, const float* b, float constant, std::size_t count, double* out,
                 cudaStream_t stream);

/// Follows `next`, whose entries stand 32 words apart, from *place on, which it moves; each load waits for the one
/// before.
void chase(const std::uint32_t* next, std::uint32_t* place, long long hops, cudaStream_t stream);

/// What reads of a pattern found: words that differ, the number of the first of them, and the bits that were wrong in
/// any. Starts as {0, ~0, 0}.
struct Mismatches {
  unsigned long long words;
  unsigned long long first;
  unsigned long long bits;
};
/// Each of `words` (an even number) holds a hash of its own number, which is counted from `first`, or the complement.
void write_pattern(std::uint64_t* to, std::size_t words, std::uint64_t first, std::uint64_t seed, bool inverted,
                   int blocks, cudaStream_t stream);
void check_pattern(const std::uint64_t* from, std::size_t words, std::uint64_t first, std::uint64_t seed, bool inverted,
                   Mismatches* found, int blocks, cudaStream_t stream);

/// Adds a hash of all words and their places to *sum, in no order: the same words give the same sum.
void add_hash(const std::uint32_t* from, std::size_t words, unsigned long long* sum, cudaStream_t stream);

void nothing(cudaStream_t stream);

/// Against `samples` random products in double, and by Freivalds' test: out[0] the largest error in units of
/// sqrt(sum a^2 sum b^2 / k), out[1] values that are not numbers. D (m x n) = X (m x k) · W (n x k) transposed.
/// `out` holds check_scratch(k) doubles.
void check_product(const void* x, const void* w, const void* d, Format in, Format result, long long m, long long n,
                   long long k, double output_unit, int samples, double* out, cudaStream_t stream);
constexpr std::size_t check_scratch(long long k) { return static_cast<std::size_t>(k) + 8; }
/// Values that are not numbers among `count` of D: out[1].
void count_not_numbers(const void* d, Format format, std::size_t count, double* out, cudaStream_t stream);

enum class Collective { allreduce, allgather, reducescatter, alltoall, sendrecv, broadcast };
/// What `rank` of `ranks` sends, in bf16: whole numbers whose sum over all ranks is exact.
void fill_collective(void* to, std::size_t values, int rank, int ranks, cudaStream_t stream);
/// `samples` of the `values` that `rank` received, with `each` values of every rank: out[0] the largest error, out[1]
/// those that are not numbers.
void check_collective(const void* received, Collective kind, int rank, int ranks, std::size_t each, std::size_t values,
                      std::size_t samples, double* out, cudaStream_t stream);

constexpr int kDimension = 128;  ///< of a head

/// Decoding over pages of keys and values in bf16, or in E4M3 with a scale of 1: one query for each head and sequence.
struct DecodeAttention {
  const void* query = nullptr;  ///< batch x heads x 128
  const void* keys = nullptr;   ///< pages x page x groups x 128
  const void* values = nullptr;
  const int* pages = nullptr;  ///< batch x pages of a sequence
  float* partial = nullptr;    ///< batch x groups x splits x (heads / groups) x 130
  void* out = nullptr;         ///< batch x heads x 128
  int batch = 0, heads = 0, groups = 0, context = 0, page = 0, splits = 0;
  bool fp8 = false;     ///< keys and values
  bool causal = false;  ///< of a check: head h sees the tokens 0 to h
};
void decode_attention(const DecodeAttention& x, cudaStream_t stream);
/// out[0]: largest difference of `samples` heads from sums in double, over the size of a value.
void check_decode_attention(const DecodeAttention& x, int samples, double* out, cudaStream_t stream);

/// Rows of bf16 scores to probabilities: of row i the positions up to i % columns count.
void softmax_rows(void* scores, long long rows, int columns, float scale, cudaStream_t stream);
/// y = x / rms(x) * w, rows of bf16.
void rms_norm(void* y, const void* x, const void* w, long long rows, int columns, cudaStream_t stream);
/// `samples` rows of either in double: out[0] the largest error over the larger of 1 and the value, out[1] those that
/// are not numbers. Without `w` it is the activation that is checked.
void check_rows(const void* y, const void* x, const void* w, long long rows, int columns, int samples, double* out,
                cudaStream_t stream);
/// y = silu(gate) * up, where each row of `x` holds gate and up.
void silu_multiply(void* y, const void* x, long long rows, int columns, cudaStream_t stream);

}  // namespace podwright::probes::cuda
