#pragma once
/// What attention reads, and attention over a prompt that is written out step by step.
#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"

namespace podwright::probes::cuda {

/// Largest error that passes: one output is the mean of values of size 1, rounded to bf16, with short exponentials.
inline constexpr double kAttentionTolerance = 2e-2;
inline constexpr int kHeadsChecked = 16;

/// Sizes of decoding: heads of queries and of keys and values, tokens of a sequence and of a page.
struct CacheSizes {
  long long batch = 0, heads = 0, groups = 0, context = 0, page = 0;
};

/// Keys and values of many sequences in pages that lie in no order, several times over.
class PagedCache {
 public:
  bool prepare(const CacheSizes& sizes, int copies, Format format, std::uint64_t seed, const DeviceFacts& device,
               Checked& checked);
  /// Of keys and values.
  static std::size_t bytes_of_copy(const CacheSizes& sizes, Format format);
  /// Over the pages of this copy.
  DecodeAttention attention(std::int64_t copy) const;
  /// Heads of one copy, run into poisoned outputs.
  void compare(std::int64_t copy, double* out, PwCheck& check, cudaStream_t stream, Checked& checked) const;
  std::size_t bytes() const { return keys_.bytes() + values_.bytes(); }

 private:
  DecodeAttention x_;
  std::size_t pages_of_copy_ = 0;
  Memory keys_, values_, table_, query_, result_, partial_;
};

/// Scores, probabilities and their products with the values, each written out: a reference, never a norm.
class UnfusedAttention {
 public:
  bool prepare(int heads, int context, std::uint64_t seed, const Memory& workspace, const DeviceFacts& device,
               Checked& checked);
  bool forward(cudaStream_t stream, Checked& checked);
  static constexpr int kLaunches = 3;
  /// Rows of several heads, run into a poisoned output.
  void compare(double* out, PwCheck& check, cudaStream_t stream, Checked& checked);
  std::size_t bytes() const { return scores_.bytes() + 4 * q_.bytes(); }

 private:
  int heads_ = 0;
  int context_ = 0;
  Memory q_, k_, v_, out_, scores_, table_;
  Product score_, apply_;
};

}  // namespace podwright::probes::cuda
