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

void judge_heads(const DecodeAttention& x, double* out, PwCheck& check, cudaStream_t stream, Checked& checked) {
  check_decode_attention(x, kHeadsChecked, out, stream);
  judge(out, attention_tolerance(x.context, x.causal), kHeadsChecked * kDimension, "16 heads in double", stream, check,
        checked);
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
  if (!keys_.allocate(bytes_of(format, values), checked) || !values_.allocate(bytes_of(format, values), checked) ||
      !table_.allocate(4 * pages, checked) || !query_.allocate(2 * heads_of_all * kDimension, checked) ||
      !result_.allocate(2 * heads_of_all * kDimension, checked) ||
      !partial_.allocate(4 * heads_of_all * static_cast<std::size_t>(x_.splits) * (kDimension + 2), checked))
    return false;
  fill_normal(keys_.as<void>(), format, values, seed, device.stream);
  fill_normal(values_.as<void>(), format, values, seed + 1, device.stream);
  fill_normal(query_.as<void>(), Format::bf16, heads_of_all * kDimension, seed + 2, device.stream);
  std::vector<int> order(pages);
  std::iota(order.begin(), order.end(), 0);
  std::uint64_t state = seed;
  for (std::size_t i = pages; i > 1; --i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth's MMIX
    std::swap(order[i - 1], order[(state >> 33U) % i]);
  }
  checked(cudaMemcpyAsync(table_.as<void>(), order.data(), 4 * pages, cudaMemcpyHostToDevice, device.stream), "pages");
  x_.query = query_.as<void>();
  x_.keys = keys_.as<void>();
  x_.values = values_.as<void>();
  x_.partial = partial_.as<float>();
  x_.out = result_.as<void>();
  return checked(cudaStreamSynchronize(device.stream), "fill");
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
  if (!q_.allocate(2 * values_of(heads), checked) || !k_.allocate(2 * values_of(groups), checked) ||
      !v_.allocate(2 * values_of(groups), checked) || !out_.allocate(2 * values_of(heads), checked) ||
      !table_.allocate(4 * group_of.size(), checked))
    return false;
  checked(cudaMemcpyAsync(table_.as<void>(), group_of.data(), table_.bytes(), cudaMemcpyHostToDevice, device.stream),
          "groups");
  for (Memory* one : {&q_, &k_, &v_})
    fill_normal(one->as<void>(), Format::bf16, one->bytes() / 2, seed++, device.stream);
  x_.query = q_.as<void>();
  x_.keys = k_.as<void>();
  x_.values = v_.as<void>();
  x_.pages = table_.as<int>();
  x_.out = out_.as<void>();
  x_.batch = heads;
  x_.heads = x_.context = x_.page = context;
  x_.groups = 1;
  x_.causal = causal;
  return checked(cudaStreamSynchronize(device.stream), "fill");
}

bool UnfusedAttention::prepare(int heads, int context, std::uint64_t seed, const Memory& workspace,
                               const DeviceFacts& device, Checked& checked) {
  heads_ = heads;
  context_ = context;
  const std::size_t scores =
      static_cast<std::size_t>(heads) * static_cast<std::size_t>(context) * static_cast<std::size_t>(context);
  if (!prompt_.prepare(heads, heads, context, true, seed, device, checked) || !scores_.allocate(2 * scores, checked))
    return false;
  ProductShape to_scores{"bf16", context, context, kDimension};
  to_scores.batch = heads;
  to_scores.x_stride = to_scores.w_stride = static_cast<long long>(context) * kDimension;
  to_scores.y_stride = static_cast<long long>(context) * context;
  ProductShape to_values{"bf16", context, kDimension, context};
  to_values.plain_w = true;
  to_values.batch = heads;
  to_values.x_stride = to_scores.y_stride;
  to_values.w_stride = to_values.y_stride = to_scores.x_stride;
  return score_.plan(to_scores, {prompt_.query(), prompt_.keys(), scores_.as<char>()}, workspace, device.stream,
                     checked) &&
         apply_.plan(to_values, {scores_.as<char>(), prompt_.values(), prompt_.out()}, workspace, device.stream,
                     checked);
}

bool UnfusedAttention::forward(cudaStream_t stream, Checked& checked) {
  if (!score_.run(prompt_.query(), prompt_.keys(), scores_.as<void>(), stream, checked)) return false;
  softmax_rows(scores_.as<void>(), static_cast<long long>(heads_) * context_, context_, true,
               1.0F / std::sqrt(static_cast<float>(kDimension)), stream);
  return apply_.run(scores_.as<void>(), prompt_.values(), prompt_.out(), stream, checked);
}

}  // namespace podwright::probes::cuda
