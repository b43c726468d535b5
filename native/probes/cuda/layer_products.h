#pragma once
/// The four products of a layer with its weights, the buffers between them, and the row operations between these.
#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"

namespace podwright::probes::cuda {

/// What a layer does between its products: normalisation with these weights, without them the activation with its gate.
void row_operation(void* y, const void* x, const void* weights, long long rows, long long columns, cudaStream_t stream);
/// Runs it into poisoned rows and holds some of them against the same in double.
PwCheck compare_rows(void* y, const void* x, const void* weights, long long rows, long long columns,
                     const Findings& found, cudaStream_t stream, Checked& checked);

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

  // From one buffer into another.
  bool project(int layer, int which, int from, int to, cudaStream_t stream, Checked& checked) {
    return products_[which].run(buffer(from), weight(layer, which), buffer(to), stream, checked);
  }
  void normalise(int from, int to, cudaStream_t stream) const {
    row_operation(buffer(to), buffer(from), norm_.as<void>(), sizes_.rows, sizes_.hidden, stream);
  }
  void activate(int from, int to, cudaStream_t stream) const {
    row_operation(buffer(to), buffer(from), nullptr, sizes_.rows, sizes_.feed_forward, stream);
  }
  /// Lets `pass` run all layers, which must leave numbers in the buffer of this number, then compares each product of
  /// one layer and each row operation, from buffer 0 into buffer 1.
  template <class Pass>
  void compare(int layer, int last, JoinedCheck& joined, cudaStream_t stream, Checked& checked, Pass pass) {
    for (const int between : {1, 2, last}) poison(buffer(between), buffers_[between].bytes(), stream, checked);
    pass();
    compare_parts(layer, last, joined, stream, checked);
  }
  const Findings& found() const { return found_; }

 private:
  void compare_parts(int layer, int last, JoinedCheck& joined, cudaStream_t stream, Checked& checked);
  char* buffer(int i) const { return buffers_[i].as<char>(); }
  char* weight(int layer, int which) const {
    return weights_.as<char>() + 2 * (static_cast<std::size_t>(layer) * layer_values_ + starts_[which]);
  }

  Sizes sizes_;
  std::size_t layer_values_ = 0;
  std::size_t starts_[4] = {};
  Memory weights_, norm_, workspace_;
  Findings found_;
  Memory buffers_[4];
  Product products_[4];
};

}  // namespace podwright::probes::cuda
