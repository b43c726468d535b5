#pragma once
/// The four products of a layer with its weights, the buffers between them, and the row operations between these.
#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"

namespace podwright::probes::cuda {

class LayerProducts {
 public:
  struct Sizes {
    long long rows = 0, hidden = 0, feed_forward = 0, heads = 0, groups = 0;
    long long qkv() const { return (heads + 2 * groups) * kDimension; }
    long long inner() const { return heads * kDimension; }
  };
  /// Heads of a hidden size, and the groups that a case names.
  static Sizes sizes_of(const PwCase& one, long long rows) {
    return {rows, one.hidden, one.k, one.hidden / kDimension, one.n};
  }

  /// `layers` sets of weights and one set of buffers.
  bool prepare(const Sizes& sizes, int layers, std::uint64_t seed, const DeviceFacts& device, Checked& checked);

  bool project(int layer, int which, const void* x, void* y, cudaStream_t stream, Checked& checked) {
    return products_[which].run(x, weight(layer, which), y, stream, checked);
  }
  void normalise(void* y, const void* x, cudaStream_t stream) const {
    rms_norm(y, x, norm_.as<void>(), sizes_.rows, static_cast<int>(sizes_.hidden), stream);
  }
  void activate(void* y, const void* x, cudaStream_t stream) const {
    silu_multiply(y, x, sizes_.rows, static_cast<int>(sizes_.feed_forward), stream);
  }
  /// Each product of one layer and each row operation, from buffer 0 into buffer 1.
  void compare(int layer, JoinedCheck& joined, cudaStream_t stream, Checked& checked);
  /// The first values of a buffer must be numbers.
  void compare_numbers(int which, long long count, JoinedCheck& joined, cudaStream_t stream, Checked& checked);
  void poison(int which, cudaStream_t stream, Checked& checked) const {
    checked(cudaMemsetAsync(buffer(which), 0xff, buffers_[which].bytes(), stream), "poison");
  }

  char* buffer(int i) const { return buffers_[i].as<char>(); }
  char* weight(int layer, int which) const {
    return weights_.as<char>() + 2 * (static_cast<std::size_t>(layer) * layer_values_ + starts_[which]);
  }
  const Memory& workspace() const { return workspace_; }
  double* out() const { return out_.as<double>(); }
  std::size_t weight_bytes() const { return weights_.bytes(); }
  const Sizes& sizes() const { return sizes_; }

 private:
  Sizes sizes_;
  std::size_t layer_values_ = 0;
  std::size_t starts_[4] = {};
  Memory weights_, norm_, workspace_, out_;
  Memory buffers_[4];
  Product products_[4];
};

}  // namespace podwright::probes::cuda
