/// Attention of decoding over paged keys and values in bf16 or E4M3, and the row operations of a layer in bf16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "probes/cuda/device_functions.cuh"
#include "probes/cuda/kernels.h"

namespace podwright::probes::cuda {
namespace {

constexpr int kLanesOfToken = 16;                    // each holds eight values of a row
constexpr int kValues = kDimension / kLanesOfToken;  // 16 bytes
constexpr int kWarps = 8;
constexpr int kTokensAtOnce = kWarps * 32 / kLanesOfToken;  // of a block
constexpr int kMostHeads = 8;                               // queries that share keys and values
constexpr int kPartial = kDimension + 2;                    // weighted sum, largest score, sum of weights

struct Row {
  float value[kValues];
};

__device__ Row load_row(const __nv_bfloat16* from) {
  const uint4 raw = *reinterpret_cast<const uint4*>(from);
  const unsigned words[4] = {raw.x, raw.y, raw.z, raw.w};
  Row row;
  for (int i = 0; i < 4; ++i) {
    row.value[2 * i] = __uint_as_float(words[i] << 16U);
    row.value[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000U);
  }
  return row;
}

__device__ Row load_row(const __nv_fp8_e4m3* from) {
  const uint2 raw = *reinterpret_cast<const uint2*>(from);
  const unsigned words[2] = {raw.x, raw.y};
  Row row;
  for (int i = 0; i < 4; ++i) {
    const auto pair = static_cast<__nv_fp8x2_storage_t>(words[i / 2] >> (16U * (static_cast<unsigned>(i) % 2U)));
    const float2 two = __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(pair, __NV_E4M3)));
    row.value[2 * i] = two.x;
    row.value[2 * i + 1] = two.y;
  }
  return row;
}

__device__ double value_at(const void* from, bool fp8, std::size_t place) {
  if (fp8) return static_cast<double>(static_cast<float>(static_cast<const __nv_fp8_e4m3*>(from)[place]));
  return static_cast<double>(__bfloat162float(static_cast<const __nv_bfloat16*>(from)[place]));
}

/// One block reads one part of the context of one sequence and one group of heads.
template <int kHeads, class Value>
__global__ void decode_kernel(const __nv_bfloat16* query, const Value* keys, const Value* values, const int* pages,
                              float* partial, int groups, int context, int page) {
  const int group = static_cast<int>(blockIdx.y);
  const int sequence = static_cast<int>(blockIdx.z);
  const int splits = static_cast<int>(gridDim.x);
  const int lane = static_cast<int>(threadIdx.x) % kLanesOfToken;
  const int slot = static_cast<int>(threadIdx.x) / kLanesOfToken;
  const int pages_of_sequence = (context + page - 1) / page;
  const int first = static_cast<int>(static_cast<long long>(context) * blockIdx.x / splits);
  const int last = static_cast<int>(static_cast<long long>(context) * (blockIdx.x + 1) / splits);
  Row q[kHeads];
  Row sums[kHeads] = {};
  float largest[kHeads];
  float weights[kHeads];
  for (int h = 0; h < kHeads; ++h) {
    const std::size_t head = (static_cast<std::size_t>(sequence) * groups + group) * kHeads + h;
    q[h] = load_row(query + head * kDimension + lane * kValues);
    largest[h] = -1e30F;
    weights[h] = 0;
  }
  const float scale = 0.08838834764831845F;  // 1 / sqrt(128)
  for (int base = first; base < last; base += kTokensAtOnce) {
    const int token = base + slot;
    const bool inside = token < last;
    const int seen = inside ? token : first;
    const int physical = pages[static_cast<std::size_t>(sequence) * pages_of_sequence + seen / page];
    const std::size_t at =
        ((static_cast<std::size_t>(physical) * page + seen % page) * groups + group) * kDimension + lane * kValues;
    const Row key = load_row(keys + at);
    const Row value = load_row(values + at);
    for (int h = 0; h < kHeads; ++h) {
      float score = 0;
      for (int i = 0; i < kValues; ++i) score += q[h].value[i] * key.value[i];
      for (int step = kLanesOfToken / 2; step > 0; step /= 2) score += __shfl_xor_sync(0xffffffffU, score, step);
      score = inside ? score * scale : -1e30F;
      const float top = fmaxf(largest[h], score);
      const float shrink = __expf(largest[h] - top);
      const float weight = inside ? __expf(score - top) : 0;
      weights[h] = weights[h] * shrink + weight;
      for (int i = 0; i < kValues; ++i) sums[h].value[i] = sums[h].value[i] * shrink + weight * value.value[i];
      largest[h] = top;
    }
  }
  // The slots of a block are joined through shared memory.
  __shared__ float joined[kTokensAtOnce][kPartial];
  for (int h = 0; h < kHeads; ++h) {
    __syncthreads();
    for (int i = 0; i < kValues; ++i) joined[slot][lane * kValues + i] = sums[h].value[i];
    if (lane == 0) {
      joined[slot][kDimension] = largest[h];
      joined[slot][kDimension + 1] = weights[h];
    }
    __syncthreads();
    float top = -1e30F;
    for (int s = 0; s < kTokensAtOnce; ++s) top = fmaxf(top, joined[s][kDimension]);
    const int column = static_cast<int>(threadIdx.x);
    if (column >= kDimension && column != kDimension + 1) continue;
    float sum = 0;
    for (int s = 0; s < kTokensAtOnce; ++s) sum += joined[s][column] * __expf(joined[s][kDimension] - top);
    const std::size_t head = ((static_cast<std::size_t>(sequence) * groups + group) * splits + blockIdx.x) * kHeads + h;
    partial[head * kPartial + column] = sum;
    if (column == 0) partial[head * kPartial + kDimension] = top;
  }
}

__global__ void join_kernel(const float* partial, __nv_bfloat16* out, int heads_of_group, int splits) {
  const std::size_t group = blockIdx.x;  // sequence and group
  const int h = static_cast<int>(blockIdx.y);
  const int column = static_cast<int>(threadIdx.x);
  float top = -1e30F;
  const auto place = [&](int split) { return ((group * splits + split) * heads_of_group + h) * kPartial; };
  for (int split = 0; split < splits; ++split) top = fmaxf(top, partial[place(split) + kDimension]);
  float sum = 0;
  float weights = 0;
  for (int split = 0; split < splits; ++split) {
    const float shrink = __expf(partial[place(split) + kDimension] - top);
    sum += partial[place(split) + column] * shrink;
    weights += partial[place(split) + kDimension + 1] * shrink;
  }
  out[(group * heads_of_group + h) * kDimension + column] = __float2bfloat16(sum / weights);
}

/// One thread block computes one head again, in double and in another order.
__global__ void check_kernel(DecodeAttention x, double* out) {
  const int heads_of_group = x.heads / x.groups;
  const unsigned sequence = blockIdx.x % static_cast<unsigned>(x.batch);
  const unsigned head = (blockIdx.x * 7919) % static_cast<unsigned>(x.heads);  // a prime
  const unsigned group = head / static_cast<unsigned>(heads_of_group);
  const int column = static_cast<int>(threadIdx.x);
  const int pages_of_sequence = (x.context + x.page - 1) / x.page;
  const auto* query =
      static_cast<const __nv_bfloat16*>(x.query) + (static_cast<std::size_t>(sequence) * x.heads + head) * kDimension;
  __shared__ double terms[kDimension];
  double top = -1e300;
  double sum = 0;
  double weights = 0;
  const int visible = x.causal ? static_cast<int>(head) + 1 : x.context;
  for (int token = 0; token < visible; ++token) {
    const int physical = x.pages[static_cast<std::size_t>(sequence) * pages_of_sequence + token / x.page];
    const std::size_t at =
        ((static_cast<std::size_t>(physical) * x.page + token % x.page) * x.groups + group) * kDimension + column;
    terms[column] = static_cast<double>(__bfloat162float(query[column])) * value_at(x.keys, x.fp8, at);
    __syncthreads();
    double score = 0;
    for (int i = 0; i < kDimension; ++i) score += terms[i];
    __syncthreads();
    score *= 0.08838834764831845;
    const double highest = fmax(top, score);
    const double shrink = exp(top - highest);
    const double weight = exp(score - highest);
    weights = weights * shrink + weight;
    sum = sum * shrink + weight * value_at(x.values, x.fp8, at);
    top = highest;
  }
  const double value =
      value_at(x.out, false, (static_cast<std::size_t>(sequence) * x.heads + head) * kDimension + column);
  note_error(out, value, fabs(value - sum / weights));
}

__global__ void softmax_kernel(__nv_bfloat16* scores, int columns, float scale) {
  const std::size_t row = blockIdx.x;
  __nv_bfloat16* line = scores + row * static_cast<std::size_t>(columns);
  const int visible = static_cast<int>(row % static_cast<std::size_t>(columns)) + 1;
  float top = -1e30F;
  for (int i = static_cast<int>(threadIdx.x); i < visible; i += static_cast<int>(blockDim.x))
    top = fmaxf(top, scale * __bfloat162float(line[i]));
  top = over_block(top, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < visible; i += static_cast<int>(blockDim.x))
    sum += __expf(scale * __bfloat162float(line[i]) - top);
  sum = over_block(sum);
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += static_cast<int>(blockDim.x))
    line[i] = __float2bfloat16(i < visible ? __expf(scale * __bfloat162float(line[i]) - top) / sum : 0.0F);
}

/// Eight values of bf16, read or written at once. Rows are whole multiples of that.
constexpr int kWide = kValues;

__device__ void store_row(__nv_bfloat16* to, const Row& row) {
  alignas(16) __nv_bfloat162 pairs[kWide / 2];
#pragma unroll
  for (int i = 0; i < kWide / 2; ++i) pairs[i] = __floats2bfloat162_rn(row.value[2 * i], row.value[2 * i + 1]);
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(pairs);
}

/// One block for each row; what it reads again is in the first cache.
__global__ void rms_norm_kernel(__nv_bfloat16* y, const __nv_bfloat16* x, const __nv_bfloat16* w, int columns) {
  const std::size_t row = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(columns);
  const int step = kWide * static_cast<int>(blockDim.x);
  float squares = 0;
  for (int i = kWide * static_cast<int>(threadIdx.x); i < columns; i += step) {
    const Row seen = load_row(x + row + i);
    for (float value : seen.value) squares += value * value;
  }
  squares = over_block(squares);
  const float factor = rsqrtf(squares / static_cast<float>(columns) + 1e-6F);
  for (int i = kWide * static_cast<int>(threadIdx.x); i < columns; i += step) {
    Row seen = load_row(x + row + i);
    const Row weight = load_row(w + i);
    for (int j = 0; j < kWide; ++j) seen.value[j] *= factor * weight.value[j];
    store_row(y + row + i, seen);
  }
}

/// Rows stand in the grid's second dimension.
__global__ void silu_kernel(__nv_bfloat16* y, const __nv_bfloat16* x, long long rows, int columns) {
  const int i = kWide * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= columns) return;
  for (long long row = blockIdx.y; row < rows; row += gridDim.y) {
    Row gate = load_row(x + 2 * row * columns + i);
    const Row up = load_row(x + (2 * row + 1) * columns + i);
    for (int j = 0; j < kWide; ++j) gate.value[j] *= up.value[j] / (1.0F + __expf(-gate.value[j]));
    store_row(y + row * columns + i, gate);
  }
}

/// One thread for each column of a sampled row; each computes the sum of the row for itself.
__global__ void check_rows_kernel(const __nv_bfloat16* y, const __nv_bfloat16* x, const __nv_bfloat16* w,
                                  long long stride, int columns, double* out) {
  const auto row = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(stride);
  const auto width = static_cast<std::size_t>(columns);
  const auto number = [](const __nv_bfloat16& from) { return static_cast<double>(__bfloat162float(from)); };
  double squares = 0;
  for (std::size_t i = 0; w != nullptr && i < width; ++i)
    squares += number(x[row * width + i]) * number(x[row * width + i]);
  for (std::size_t i = threadIdx.x; i < width; i += blockDim.x) {
    double expected = 0;
    if (w != nullptr) {
      expected = number(x[row * width + i]) / sqrt(squares / columns + 1e-6) * number(w[i]);
    } else {
      const double gate = number(x[2 * row * width + i]);
      expected = gate / (1 + exp(-gate)) * number(x[(2 * row + 1) * width + i]);
    }
    const double value = number(y[row * width + i]);
    note_error(out, value, fabs(value - expected) / fmax(1.0, fabs(expected)));
  }
}

template <int kHeads, class Value>
void launch_decode(const DecodeAttention& x, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(x.splits), static_cast<unsigned>(x.groups), static_cast<unsigned>(x.batch));
  decode_kernel<kHeads><<<grid, kWarps * 32, 0, stream>>>(
      static_cast<const __nv_bfloat16*>(x.query), static_cast<const Value*>(x.keys),
      static_cast<const Value*>(x.values), x.pages, x.partial, x.groups, x.context, x.page);
}

template <class Value>
void launch_decode_of(const DecodeAttention& x, cudaStream_t stream) {
  const int heads_of_group = x.heads / x.groups;
  if (heads_of_group == 1) launch_decode<1, Value>(x, stream);
  if (heads_of_group == 4) launch_decode<4, Value>(x, stream);
  if (heads_of_group == 8) launch_decode<8, Value>(x, stream);
}

}  // namespace

void decode_attention(const DecodeAttention& x, cudaStream_t stream) {
  const int heads_of_group = x.heads / x.groups;
  static_assert(kMostHeads == 8);
  if (x.fp8) {
    launch_decode_of<__nv_fp8_e4m3>(x, stream);
  } else {
    launch_decode_of<__nv_bfloat16>(x, stream);
  }
  const dim3 grid(static_cast<unsigned>(x.batch * x.groups), static_cast<unsigned>(heads_of_group));
  join_kernel<<<grid, kDimension, 0, stream>>>(x.partial, static_cast<__nv_bfloat16*>(x.out), heads_of_group, x.splits);
}
void check_decode_attention(const DecodeAttention& x, int samples, double* out, cudaStream_t stream) {
  check_kernel<<<static_cast<unsigned>(samples), kDimension, 0, stream>>>(x, out);
}
void softmax_rows(void* scores, long long rows, int columns, float scale, cudaStream_t stream) {
  softmax_kernel<<<static_cast<unsigned>(rows), 256, 0, stream>>>(static_cast<__nv_bfloat16*>(scores), columns, scale);
}
void rms_norm(void* y, const void* x, const void* w, long long rows, int columns, cudaStream_t stream) {
  rms_norm_kernel<<<static_cast<unsigned>(rows), 256, 0, stream>>>(static_cast<__nv_bfloat16*>(y),
                                                                   static_cast<const __nv_bfloat16*>(x),
                                                                   static_cast<const __nv_bfloat16*>(w), columns);
}
void check_rows(const void* y, const void* x, const void* w, long long rows, int columns, int samples, double* out,
                cudaStream_t stream) {
  check_rows_kernel<<<static_cast<unsigned>(samples), 256, 0, stream>>>(
      static_cast<const __nv_bfloat16*>(y), static_cast<const __nv_bfloat16*>(x), static_cast<const __nv_bfloat16*>(w),
      rows / samples, columns, out);
}
void silu_multiply(void* y, const void* x, long long rows, int columns, cudaStream_t stream) {
  constexpr int kSiluThreads = 128;
  constexpr long long kMostRows = 65535;  // of a grid
  const int wide = kWide * kSiluThreads;
  const dim3 grid(static_cast<unsigned>((columns + wide - 1) / wide),
                  static_cast<unsigned>(rows < kMostRows ? rows : kMostRows));
  silu_kernel<<<grid, kSiluThreads, 0, stream>>>(static_cast<__nv_bfloat16*>(y), static_cast<const __nv_bfloat16*>(x),
                                                 rows, columns);
}

}  // namespace podwright::probes::cuda
