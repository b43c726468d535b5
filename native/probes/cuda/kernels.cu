/// Memory, checks and small things. Tensor work goes through cuBLASLt, so that nothing here needs a feature of one
/// architecture.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "probes/cuda/device_functions.cuh"
#include "probes/cuda/kernels.h"

namespace podwright::probes::cuda {
namespace {

/// Box and Muller, from 64 random bits.
__device__ float normal(std::uint64_t bits) {
  const float u = (static_cast<float>(bits >> 40U) + 0.5F) * 0x1p-24F;
  const float v = static_cast<float>((bits & 0xffffffU)) * 0x1p-24F;
  return sqrtf(-2.0F * logf(u)) * cospif(2.0F * v);
}

/// The nearest of the eight magnitudes of E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6.
__device__ unsigned to_fp4(float value) {
  const float edges[] = {0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.0F};
  unsigned code = value < 0 ? 8U : 0U;
  for (const float edge : edges) code += fabsf(value) > edge ? 1U : 0U;
  return code;
}

__device__ double from_fp4(unsigned code) {
  const double sizes[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return (code & 8U) != 0 ? -sizes[code & 7U] : sizes[code & 7U];
}

__global__ void fill_kernel(void* to, Format format, std::size_t values, std::uint64_t seed) {
  for (std::size_t i = thread_of_grid(); i < values; i += grid_threads()) {
    const std::uint64_t bits = draw(seed, i);
    switch (format) {
      case Format::fp32:
        static_cast<float*>(to)[i] = normal(bits);
        break;
      case Format::fp16:
        static_cast<__half*>(to)[i] = __float2half(normal(bits));
        break;
      case Format::bf16:
        static_cast<__nv_bfloat16*>(to)[i] = __float2bfloat16(normal(bits));
        break;
      case Format::fp8:
        static_cast<__nv_fp8_storage_t*>(to)[i] = __nv_cvt_float_to_fp8(normal(bits), __NV_SATFINITE, __NV_E4M3);
        break;
      case Format::int8:
        static_cast<std::int8_t*>(to)[i] = static_cast<std::int8_t>(bits >> 56U);
        break;
      case Format::int32:
        static_cast<std::int32_t*>(to)[i] = static_cast<std::int32_t>(bits >> 32U);
        break;
      case Format::fp4:
        if (i % 2 == 0) {
          const unsigned low = to_fp4(1.5F * normal(bits));
          const unsigned high = to_fp4(1.5F * normal(draw(seed, i + 1)));
          static_cast<unsigned char*>(to)[i / 2] = static_cast<unsigned char>(low | (high << 4U));
        }
        break;
    }
  }
}

__device__ double load(const void* from, Format format, std::size_t i) {
  switch (format) {
    case Format::fp32:
      return static_cast<double>(static_cast<const float*>(from)[i]);
    case Format::fp16:
      return static_cast<double>(__half2float(static_cast<const __half*>(from)[i]));
    case Format::bf16:
      return static_cast<double>(__bfloat162float(static_cast<const __nv_bfloat16*>(from)[i]));
    case Format::fp8: {
      const __half_raw raw = __nv_cvt_fp8_to_halfraw(static_cast<const __nv_fp8_storage_t*>(from)[i], __NV_E4M3);
      return static_cast<double>(__half2float(__half(raw)));
    }
    case Format::int8:
      return static_cast<double>(static_cast<const std::int8_t*>(from)[i]);
    case Format::int32:
      return static_cast<double>(static_cast<const std::int32_t*>(from)[i]);
    case Format::fp4:
      return from_fp4((static_cast<const unsigned char*>(from)[i / 2] >> (4U * (i % 2))) & 15U);
  }
  return 0;
}

__global__ void bits_kernel(std::uint32_t* to, std::size_t words, std::uint64_t seed) {
  for (std::size_t i = thread_of_grid(); i < words; i += grid_threads())
    to[i] = static_cast<std::uint32_t>(draw(seed, i) >> 32U);
}

__device__ long long nanoseconds() {
  long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void gate_kernel(volatile int* open, int* timed_out, long long patience_ns) {
  const long long start = nanoseconds();
  while (*open == 0)
    if (nanoseconds() - start > patience_ns) {
      *timed_out = 1;
      return;
    }
}

__global__ void clock_kernel(double* hertz) {
  const long long start_ns = nanoseconds();
  const long long start = clock64();
  while (nanoseconds() - start_ns < 20000) {
  }
  const long long cycles = clock64() - start;
  const long long elapsed = nanoseconds() - start_ns;
  *hertz = elapsed > 0 ? 1e9 * static_cast<double>(cycles) / static_cast<double>(elapsed) : 0;
}

constexpr int kAtOnce = 4;
// Told to the compiler, so that it spends the registers that loads in flight need.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kResident = 4;
#else
constexpr int kResident = kStreamBlocks;
#endif

/// Four places of a thread at once, so that their loads are in flight together.
template <class Load, class Use>
__device__ void four_at_once(std::size_t count, Load load, Use use) {
  const std::size_t step = grid_threads();
  std::size_t i = thread_of_grid();
  for (; i + (kAtOnce - 1) * step < count; i += kAtOnce * step) {
    decltype(load(i)) seen[kAtOnce];
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) seen[j] = load(i + static_cast<std::size_t>(j) * step);
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) use(i + static_cast<std::size_t>(j) * step, seen[j]);
  }
  for (; i < count; i += step) use(i, load(i));
}

__device__ float sum_of(const float4& v) { return (v.x + v.y) + (v.z + v.w); }

__global__ void __launch_bounds__(kThreads, kResident)
    read_kernel(const float4* __restrict__ from, std::size_t count, float* sum) {
  float total = 0;
  four_at_once(
      count, [=](std::size_t i) { return from[i]; }, [&](std::size_t, const float4& v) { total += sum_of(v); });
  // Kept alive without traffic: no sum of these values is this number.
  if (total == 1.2345678e33F) *sum = total;
}

__global__ void __launch_bounds__(kThreads, kResident)
    write_kernel(float4* __restrict__ to, std::size_t count, float value) {
  const float4 all = make_float4(value, value, value, value);
  four_at_once(
      count, [=](std::size_t) { return all; }, [=](std::size_t i, const float4& v) { to[i] = v; });
}

__global__ void __launch_bounds__(kThreads, kResident)
    copy_kernel(float4* __restrict__ to, const float4* __restrict__ from, std::size_t count) {
  four_at_once(
      count, [=](std::size_t i) { return from[i]; }, [=](std::size_t i, const float4& v) { to[i] = v; });
}

struct TwoWords {
  float4 a, b;
};

__global__ void __launch_bounds__(kThreads, kResident)
    triad_kernel(float4* __restrict__ c, const float4* __restrict__ a, const float4* __restrict__ b,
                 std::size_t count) {
  four_at_once(
      count,
      [=](std::size_t i) {
        return TwoWords{a[i], b[i]};
      },
      [=](std::size_t i, const TwoWords& v) {
        c[i] = make_float4(v.a.x + 3 * v.b.x, v.a.y + 3 * v.b.y, v.a.z + 3 * v.b.z, v.a.w + 3 * v.b.w);
      });
}

/// One warp for four rows, so that each is read as wide as it is and short ones wait together.
__global__ void __launch_bounds__(kThreads, kResident)
    gather_kernel(const float4* __restrict__ table, std::size_t table_rows, std::size_t row_words, std::size_t rows,
                  std::uint64_t seed, float* sum) {
  const unsigned lane = threadIdx.x % 32;
  float total = 0;
  for (std::size_t base = thread_of_grid() / 32 * kAtOnce; base < rows; base += grid_threads() / 32 * kAtOnce) {
    // Each lane draws one of the rows; the product's upper half needs no division.
    const unsigned long long drawn = __umul64hi(draw(seed, base + lane % kAtOnce), table_rows);
    std::size_t first[kAtOnce];
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) first[j] = __shfl_sync(0xffffffffU, drawn, j) * row_words;
    const int there = static_cast<int>(rows - base < kAtOnce ? rows - base : kAtOnce);
    for (std::size_t i = lane; i < row_words; i += 32) {
      float4 seen[kAtOnce];
#pragma unroll
      for (int j = 0; j < kAtOnce; ++j) seen[j] = j < there ? table[first[j] + i] : make_float4(0, 0, 0, 0);
#pragma unroll
      for (int j = 0; j < kAtOnce; ++j) total += sum_of(seen[j]);
    }
  }
  if (total == 1.2345678e33F) *sum = total;
}

__global__ void check_words_kernel(const float* c, const float* a, const float* b, float constant, std::size_t count,
                                   double* out) {
  for (std::size_t i = thread_of_grid(); i < count; i += grid_threads()) {
    double expected = static_cast<double>(a == nullptr ? constant : a[i]);
    if (b != nullptr) expected += 3.0 * static_cast<double>(b[i]);
    const auto value = static_cast<double>(c[i]);
    note_error(out, value, fabs(value - expected));
  }
}

__global__ void chase_kernel(const std::uint32_t* next, std::uint32_t* place, long long hops) {
  std::uint32_t at = *place;
  for (long long hop = 0; hop < hops; ++hop) at = __ldcg(next + static_cast<std::size_t>(at) * 32);
  *place = at;
}

__global__ void nothing_kernel() {}

/// Value p of a row of k.
__device__ double load(const void* from, Format format, long long row, long long k, long long p) {
  return load(from, format, static_cast<std::size_t>(row * k + p));
}

__global__ void sample_product_kernel(const void* x, const void* w, const void* d, Format in, Format result,
                                      long long m, long long n, long long k, double output_unit, double* out) {
  const std::uint64_t bits = draw(77, blockIdx.x);
  const auto row = static_cast<long long>((bits >> 32U) % static_cast<std::uint64_t>(m));
  const auto column = static_cast<long long>((bits & 0xffffffffU) % static_cast<std::uint64_t>(n));
  double sum = 0;
  double squares_x = 0;
  double squares_w = 0;
  for (long long p = threadIdx.x; p < k; p += blockDim.x) {
    const double a = load(x, in, row, k, p);
    const double b = load(w, in, column, k, p);
    sum += a * b;
    squares_x += a * a;
    squares_w += b * b;
  }
  sum = over_block(sum);
  squares_x = over_block(squares_x);
  squares_w = over_block(squares_w);
  if (threadIdx.x != 0) return;
  const double value = load(d, result, row, n, column);
  const double error = fmax(0.0, fabs(value - sum) - output_unit * fabs(sum));
  const double size = sqrt(squares_x * squares_w / static_cast<double>(k));
  note_error(out, value, size > 0 ? error / size : error);
}

__device__ double sign_of(std::size_t i) { return (draw(99, i) & 1U) != 0 ? 1.0 : -1.0; }

/// to[p] = sum over columns j of sign(j) * W[j][p].
__global__ void signed_weights_kernel(const void* w, Format in, long long n, long long k, double* to) {
  for (auto p = static_cast<long long>(thread_of_grid()); p < k; p += static_cast<long long>(grid_threads())) {
    double sum = 0;
    for (long long j = 0; j < n; ++j) sum += sign_of(static_cast<std::size_t>(j)) * load(w, in, j, k, p);
    to[p] = sum;
  }
}

/// Freivalds' test of one row for each block: D·s against X·(W^T·s).
__global__ void freivalds_kernel(const void* x, const void* d, Format in, Format result, long long n, long long k,
                                 const double* signed_weights, double output_unit, double* out) {
  const auto row = static_cast<long long>(blockIdx.x);
  double ds = 0;
  double size_d = 0;
  double xws = 0;
  double size = 0;
  for (long long j = threadIdx.x; j < n; j += blockDim.x) {
    const double value = load(d, result, row, n, j);
    if (!isfinite(value)) atomicAdd(out + 1, 1.0);
    ds += sign_of(static_cast<std::size_t>(j)) * value;
    size_d += value * value;
  }
  for (long long p = threadIdx.x; p < k; p += blockDim.x) {
    const double term = load(x, in, row, k, p) * signed_weights[p];
    xws += term;
    size += term * term;
  }
  ds = over_block(ds);
  size_d = over_block(size_d);
  xws = over_block(xws);
  size = over_block(size);
  if (threadIdx.x != 0 || !isfinite(ds)) return;
  // Roundings of the n outputs add up like a random walk: eight of its deviations pass.
  const double error = fmax(0.0, fabs(ds - xws) - 8.0 * output_unit * sqrt(size_d));
  raise(out, size > 0 ? error / (8.0 * sqrt(size)) : error);
}

__global__ void not_numbers_kernel(const void* d, Format format, std::size_t count, double* out) {
  for (std::size_t i = thread_of_grid(); i < count; i += grid_threads())
    if (!isfinite(load(d, format, i))) atomicAdd(out + 1, 1.0);
}

}  // namespace

void fill_normal(void* to, Format format, std::size_t values, std::uint64_t seed, cudaStream_t stream) {
  fill_kernel<<<blocks_for(values), kThreads, 0, stream>>>(to, format, values, seed);
}
void fill_bits(std::uint32_t* to, std::size_t words, std::uint64_t seed, cudaStream_t stream) {
  bits_kernel<<<blocks_for(words), kThreads, 0, stream>>>(to, words, seed);
}
void gate(volatile int* open, int* timed_out, long long patience_ns, cudaStream_t stream) {
  gate_kernel<<<1, 1, 0, stream>>>(open, timed_out, patience_ns);
}
void clock_rate(double* hertz, cudaStream_t stream) { clock_kernel<<<1, 1, 0, stream>>>(hertz); }
void read_words(const float4* from, std::size_t count, float* sum, int blocks, cudaStream_t stream) {
  read_kernel<<<blocks, kThreads, 0, stream>>>(from, count, sum);
}
void write_words(float4* to, std::size_t count, float value, int blocks, cudaStream_t stream) {
  write_kernel<<<blocks, kThreads, 0, stream>>>(to, count, value);
}
void copy_words(float4* to, const float4* from, std::size_t count, int blocks, cudaStream_t stream) {
  copy_kernel<<<blocks, kThreads, 0, stream>>>(to, from, count);
}
void triad_words(float4* c, const float4* a, const float4* b, std::size_t count, int blocks, cudaStream_t stream) {
  triad_kernel<<<blocks, kThreads, 0, stream>>>(c, a, b, count);
}
void gather_rows(const float4* table, std::size_t table_rows, std::size_t row_words, std::size_t rows,
                 std::uint64_t seed, float* sum, int blocks, cudaStream_t stream) {
  gather_kernel<<<blocks, kThreads, 0, stream>>>(table, table_rows, row_words, rows, seed, sum);
}
void check_words(const float* c, const float* a, const float* b, float constant, std::size_t count, double* out,
                 cudaStream_t stream) {
  check_words_kernel<<<blocks_for(count), kThreads, 0, stream>>>(c, a, b, constant, count, out);
}
void chase(const std::uint32_t* next, std::uint32_t* place, long long hops, cudaStream_t stream) {
  chase_kernel<<<1, 1, 0, stream>>>(next, place, hops);
}
void nothing(cudaStream_t stream) { nothing_kernel<<<1, 32, 0, stream>>>(); }

void check_product(const void* x, const void* w, const void* d, Format in, Format result, long long m, long long n,
                   long long k, double output_unit, int samples, double* out, cudaStream_t stream) {
  double* const signed_weights = out + 2;
  sample_product_kernel<<<samples, kThreads, 0, stream>>>(x, w, d, in, result, m, n, k, output_unit, out);
  signed_weights_kernel<<<blocks_for(static_cast<std::size_t>(k)), kThreads, 0, stream>>>(w, in, n, k, signed_weights);
  freivalds_kernel<<<static_cast<unsigned>(m), kThreads, 0, stream>>>(x, d, in, result, n, k, signed_weights,
                                                                      output_unit, out);
}
void count_not_numbers(const void* d, Format format, std::size_t count, double* out, cudaStream_t stream) {
  not_numbers_kernel<<<blocks_for(count), kThreads, 0, stream>>>(d, format, count, out);
}

}  // namespace podwright::probes::cuda
