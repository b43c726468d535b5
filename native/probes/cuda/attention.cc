#include "probes/cuda/attention.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace podwright::probes::cuda {
namespace {

long long pages_of(const CacheSizes& sizes) { return sizes.batch * ((sizes.context + sizes.page - 1) / sizes.page); }

}  // namespace

double attention_tolerance(int context, bool causal) {
  constexpr double kOfOne = 2e-2;  // of an output of size 1
  // 0.16 / sqrt(n) is a sixth of a deviation and more than ten times what rounding does to it.
  return causal ? kOfOne : kOfOne * std::min(1.0, 8 / std::sqrt(static_cast<double>(context)));
}

std::size_t PagedCache::bytes_of_copy(const CacheSizes& sizes, Format format) {
  return 2 * bytes_of(format, static_cast<std::size_t>(pages_of(sizes) * sizes.page * sizes.groups * kDimension));
}

bool PagedCache::prepare(const CacheSizes& sizes, int copies, Format format, std::uint64_t seed,
                         const DeviceFacts& device, Checked& checked) {
  x_.fp8 = format == Format::fp8;
  x_.batch = static_cast<int>(sizes.batch);
  x_.heads = static_cast<int>(sizes.heads);
  x_.groups = static_cast<int>(sizes.groups);
  x_.context = static_cast<int>(sizes.context);
  x_.page = static_cast<int>(sizes.page);
  pages_of_copy_ = static_cast<std::size_t>(pages_of(sizes));
  const std::size_t pages = pages_of_copy_ * static_cast<std::size_t>(copies);
  const std::size_t values = pages * static_cast<std::size_t>(sizes.page * sizes.groups * kDimension);
  // Enough parts that the whole device has work four times over.
  const long long wanted = std::max(1LL, 4 * device.multiprocessors / std::max(1LL, sizes.batch * sizes.groups));
  x_.splits = static_cast<int>(std::clamp(wanted, 1LL, std::max(1LL, sizes.context / 64)));
  const auto heads_of_all = static_cast<std::size_t>(sizes.batch * sizes.heads);
  const cudaStream_t stream = device.stream;
  if (!allocate_normal(keys_, format, values, seed, stream, checked) ||
      !allocate_normal(values_, format, values, seed + 1, stream, checked) ||
      !allocate_normal(query_, Format::bf16, heads_of_all * kDimension, seed + 2, stream, checked) ||
      !table_.allocate(4 * pages, checked) || !result_.allocate(query_.bytes(), checked) ||
      !partial_.allocate(4 * heads_of_all * static_cast<std::size_t>(x_.splits) * (kDimension + 2), checked))
    return false;
  std::vector<int> order(pages);
  std::iota(order.begin(), order.end(), 0);
  std::uint64_t state = seed;
  for (std::size_t i = pages; i > 1; --i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth's MMIX
    std::swap(order[i - 1], order[(state >> 33U) % i]);
  }
  checked(cudaMemcpyAsync(table_.as<void>(), order.data(), 4 * pages, cudaMemcpyHostToDevice, stream), "pages");
  x_.query = query_.as<void>();
  x_.keys = keys_.as<void>();
  x_.values = values_.as<void>();
  x_.partial = partial_.as<float>();
  x_.out = result_.as<void>();
  return checked(cudaStreamSynchronize(stream), "pages");
}

DecodeAttention PagedCache::attention(std::int64_t copy) const {
  DecodeAttention x = x_;
  x.pages = table_.as<int>() + static_cast<std::size_t>(copy) * pages_of_copy_;
  return x;
}

bool Prompt::prepare(int heads, int groups, int context, bool causal, std::uint64_t seed, const DeviceFacts& device,
                     Checked& checked) {
  const auto values_of = [&](int rows) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(context) * kDimension;
  };
  std::vector<int> group_of(static_cast<std::size_t>(heads));
  for (int head = 0; head < heads; ++head) group_of[static_cast<std::size_t>(head)] = head / (heads / groups);
  const cudaStream_t stream = device.stream;
  if (!allocate_normal(q_, Format::bf16, values_of(heads), seed, stream, checked) ||
      !allocate_normal(k_, Format::bf16, values_of(groups), seed + 1, stream, checked) ||
      !allocate_normal(v_, Format::bf16, values_of(groups), seed + 2, stream, checked) ||
      !out_.allocate(q_.bytes(), checked) || !table_.allocate(4 * group_of.size(), checked))
    return false;
  checked(cudaMemcpyAsync(table_.as<void>(), group_of.data(), table_.bytes(), cudaMemcpyHostToDevice, stream),
          "groups");
  x_.query = q_.as<void>();
  x_.keys = k_.as<void>();
  x_.values = v_.as<void>();
  x_.pages = table_.as<int>();
  x_.out = out_.as<void>();
  x_.batch = heads;
  x_.heads = x_.context = x_.page = context;
  x_.groups = 1;
  x_.causal = causal;
  return checked(cudaStreamSynchronize(stream), "groups");
}

bool UnfusedAttention::plan(const DecodeAttention& x, const DeviceFacts& device, Checked& checked) {
  const auto heads = static_cast<std::size_t>(x.batch);
  const long long context = x.context;
  if (!scores_.allocate(2 * heads * static_cast<std::size_t>(context * context), checked) ||
      !workspace_.allocate(device.workspace_bytes, checked))
    return false;
  ProductShape to_scores{"bf16", context, context, kDimension};
  to_scores.batch = x.batch;
  to_scores.x_stride = to_scores.w_stride = context * kDimension;
  to_scores.y_stride = context * context;
  ProductShape to_values{"bf16", context, kDimension, context};
  to_values.plain_w = true;
  to_values.batch = x.batch;
  to_values.x_stride = to_scores.y_stride;
  to_values.w_stride = to_values.y_stride = to_scores.x_stride;
  char* const scores = scores_.as<char>();
  const auto bytes = [](const void* memory) { return static_cast<const char*>(memory); };
  return score_.plan(to_scores, {bytes(x.query), bytes(x.keys), scores}, workspace_, device.stream, checked) &&
         apply_.plan(to_values, {scores, bytes(x.values), static_cast<char*>(x.out)}, workspace_, device.stream,
                     checked);
}

bool UnfusedAttention::run(const DecodeAttention& x, cudaStream_t stream, Checked& checked) {
  if (!score_.run(x.query, x.keys, scores_.as<void>(), stream, checked)) return false;
  softmax_rows(scores_.as<void>(), static_cast<long long>(x.batch) * x.context, x.context,
               1.0F / std::sqrt(static_cast<float>(kDimension)), stream);
  return apply_.run(scores_.as<void>(), x.values, x.out, stream, checked);
}

}  // namespace podwright::probes::cuda
