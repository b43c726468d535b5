#include "probes/cuda/layer_products.h"

#include <algorithm>

namespace podwright::probes::cuda {

void row_operation(void* y, const void* x, const void* weights, long long rows, long long columns,
                   cudaStream_t stream) {
  if (weights == nullptr) {
    silu_multiply(y, x, rows, static_cast<int>(columns), stream);
  } else {
    rms_norm(y, x, weights, rows, static_cast<int>(columns), stream);
  }
}

PwCheck compare_rows(void* y, const void* x, const void* weights, long long rows, long long columns,
                     const Findings& found, cudaStream_t stream, Checked& checked) {
  constexpr double kTolerance = 0x1p-7;  // one rounding to bf16, and the short exponential
  const long long samples = std::min(64LL, rows);
  poison(y, 2 * static_cast<std::size_t>(rows * columns), stream, checked);
  row_operation(y, x, weights, rows, columns, stream);
  return found.judge(
      kTolerance, static_cast<std::uint64_t>(samples * columns), "rows in double", stream, checked, [&](double* out) {
        check_rows(y, x, weights, rows, static_cast<int>(columns), static_cast<int>(samples), out, stream);
      });
}

bool LayerProducts::prepare(const Sizes& sizes, int layers, std::uint64_t seed, const DeviceFacts& device,
                            Checked& checked) {
  sizes_ = sizes;
  const ProductShape shapes[4] = {{"bf16", sizes.rows, sizes.qkv(), sizes.hidden},
                                  {"bf16", sizes.rows, sizes.hidden, sizes.inner()},
                                  {"bf16", sizes.rows, 2 * sizes.feed_forward, sizes.hidden},
                                  {"bf16", sizes.rows, sizes.hidden, sizes.feed_forward}};
  long long widest = 0;
  for (int i = 0; i < 4; ++i) {
    starts_[i] = layer_values_;
    layer_values_ += static_cast<std::size_t>(shapes[i].n * shapes[i].k);
    widest = std::max({widest, shapes[i].n, shapes[i].k});
  }
  const cudaStream_t stream = device.stream;
  if (!allocate_normal(weights_, Format::bf16, layer_values_ * static_cast<std::size_t>(layers), seed, stream,
                       checked) ||
      !allocate_normal(norm_, Format::bf16, static_cast<std::size_t>(sizes.hidden), seed + 1, stream, checked) ||
      !workspace_.allocate(device.workspace_bytes, checked) || !found_.allocate(checked, check_scratch(widest)))
    return false;
  for (Memory& buffer : buffers_)
    if (!allocate_normal(buffer, Format::bf16, static_cast<std::size_t>(sizes.rows * widest), ++seed + 1, stream,
                         checked))
      return false;
  for (int i = 0; i < 4; ++i) {
    const ProductOperands operands{buffer(0), weight(0, i), buffer(1), 0, 2 * layer_values_, 0, layers};
    if (!products_[i].plan(shapes[i], operands, workspace_, stream, checked)) return false;
  }
  return true;
}

void LayerProducts::compare_parts(int layer, int last, JoinedCheck& joined, cudaStream_t stream, Checked& checked) {
  const auto values = static_cast<std::size_t>(sizes_.rows * sizes_.hidden);
  joined.take(found_.judge(0, values, "all numbers are finite", stream, checked,
                           [&](double* out) { count_not_numbers(buffer(last), Format::bf16, values, out, stream); }));
  for (int which = 0; which < 4; ++which)
    joined.take(
        products_[which].compare(buffer(0), weight(layer, which), buffer(1), sizes_.rows, found_, stream, checked));
  for (const bool activation : {false, true})
    joined.take(compare_rows(buffer(1), buffer(0), activation ? nullptr : norm_.as<void>(), sizes_.rows,
                             activation ? sizes_.feed_forward : sizes_.hidden, found_, stream, checked));
}

}  // namespace podwright::probes::cuda
