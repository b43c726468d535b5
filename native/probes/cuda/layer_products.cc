#include "probes/cuda/layer_products.h"

#include <algorithm>

namespace podwright::probes::cuda {
namespace {

constexpr double kRowTolerance = 0x1p-7;  // one rounding to bf16, and the short exponential
constexpr int kRowsChecked = 64;

}  // namespace

bool LayerProducts::prepare(const Sizes& sizes, int layers, std::uint64_t seed, const DeviceFacts& device,
                            Checked& checked) {
  sizes_ = sizes;
  const auto area = [](long long a, long long b) { return static_cast<std::size_t>(a * b); };
  const long long inner = sizes.inner();
  const std::size_t counts[4] = {area(sizes.qkv(), sizes.hidden), area(sizes.hidden, inner),
                                 area(2 * sizes.feed_forward, sizes.hidden), area(sizes.hidden, sizes.feed_forward)};
  const std::size_t widest = area(sizes.rows, std::max({sizes.qkv(), 2 * sizes.feed_forward, sizes.hidden, inner}));
  layer_values_ = counts[0] + counts[1] + counts[2] + counts[3];
  for (int i = 1; i < 4; ++i) starts_[i] = starts_[i - 1] + counts[i - 1];
  if (!weights_.allocate(2 * layer_values_ * static_cast<std::size_t>(layers), checked) ||
      !norm_.allocate(2 * static_cast<std::size_t>(sizes.hidden), checked) ||
      !workspace_.allocate(device.workspace_bytes, checked) ||
      !out_.allocate(
          8 * check_scratch(std::max({sizes.qkv(), 2 * sizes.feed_forward, sizes.hidden, inner, sizes.rows})), checked))
    return false;
  for (Memory& buffer : buffers_)
    if (!buffer.allocate(2 * widest, checked)) return false;
  fill_normal(weights_.as<void>(), Format::bf16, layer_values_ * static_cast<std::size_t>(layers), seed, device.stream);
  fill_normal(norm_.as<void>(), Format::bf16, static_cast<std::size_t>(sizes.hidden), seed + 1, device.stream);
  for (Memory& buffer : buffers_) fill_normal(buffer.as<void>(), Format::bf16, widest, ++seed + 1, device.stream);
  checked(cudaStreamSynchronize(device.stream), "fill");
  const ProductShape shapes[4] = {{"bf16", sizes.rows, sizes.qkv(), sizes.hidden},
                                  {"bf16", sizes.rows, sizes.hidden, inner},
                                  {"bf16", sizes.rows, 2 * sizes.feed_forward, sizes.hidden},
                                  {"bf16", sizes.rows, sizes.hidden, sizes.feed_forward}};
  for (int i = 0; i < 4; ++i) {
    const ProductOperands operands{buffer(0), weight(0, i), buffer(1), 0, 2 * layer_values_, 0, layers};
    if (!products_[i].plan(shapes[i], operands, workspace_, device.stream, checked)) return false;
  }
  return true;
}

void LayerProducts::compare(int layer, JoinedCheck& joined, cudaStream_t stream, Checked& checked) {
  PwCheck one{};
  for (int which = 0; which < 4 && checked.good(); ++which) {
    products_[which].compare(buffer(0), weight(layer, which), buffer(1), sizes_.rows, out(), one, stream, checked);
    joined.take(one);
  }
  const int samples = static_cast<int>(std::min<long long>(kRowsChecked, sizes_.rows));
  for (const bool activation : {false, true}) {
    poison(1, stream, checked);
    checked(cudaMemsetAsync(out(), 0, 64, stream), "cudaMemset");
    if (activation) {
      activate(buffer(1), buffer(0), stream);
    } else {
      normalise(buffer(1), buffer(0), stream);
    }
    const long long columns = activation ? sizes_.feed_forward : sizes_.hidden;
    check_rows(buffer(1), buffer(0), activation ? nullptr : norm_.as<void>(), sizes_.rows, static_cast<int>(columns),
               samples, out(), stream);
    judge(out(), kRowTolerance, static_cast<std::uint64_t>(samples * columns), "rows in double", stream, one, checked);
    joined.take(one);
  }
}

void LayerProducts::compare_numbers(int which, long long count, JoinedCheck& joined, cudaStream_t stream,
                                    Checked& checked) {
  checked(cudaMemsetAsync(out(), 0, 64, stream), "cudaMemset");
  count_not_numbers(buffer(which), Format::bf16, static_cast<std::size_t>(count), out(), stream);
  PwCheck one{};
  judge(out(), 0, static_cast<std::uint64_t>(count), "all numbers are finite", stream, one, checked);
  joined.take(one);
}

}  // namespace podwright::probes::cuda
