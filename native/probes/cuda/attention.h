#pragma once
/// What attention reads, and attention over a prompt that is written out step by step.
#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"

namespace podwright::probes::cuda {

/// Largest error that passes: one output is the mean of values of size 1, rounded to bf16, with short exponentials. The
/// mean over n keys deviates by about 1 / sqrt(n) from 0, so over long contexts a wrong output is small as well. Of
/// causal attention rows with few keys are checked too, whose outputs have size 1.
double attention_tolerance(int context, bool causal);
inline constexpr int kHeadsChecked = 16;

/// Lets `run` write into poisoned outputs and holds sampled heads against the same in double.
template <class Run>
PwCheck compare_heads(const DecodeAttention& x, const Findings& found, cudaStream_t stream, Checked& checked, Run run) {
  poison(x.out, 2 * static_cast<std::size_t>(x.batch) * static_cast<std::size_t>(x.heads) * kDimension, stream,
         checked);
  run(x);
  return found.judge(attention_tolerance(x.context, x.causal), kHeadsChecked * kDimension, "16 heads in double", stream,
                     checked, [&](double* out) { check_decode_attention(x, kHeadsChecked, out, stream); });
}

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
  std::size_t pages() const { return table_.bytes() / sizeof(int); }

 private:
  DecodeAttention x_;
  std::size_t pages_of_copy_ = 0;
  Memory keys_, values_, table_, query_, result_, partial_;
};

/// Queries, keys and values of all tokens of one prompt, and the outputs. Checks take a head as a sequence whose one
/// page holds all tokens, and a row of it as one of its heads.
class Prompt {
 public:
  bool prepare(int heads, int groups, int context, bool causal, std::uint64_t seed, const DeviceFacts& device,
               Checked& checked);
  const DecodeAttention& attention() const { return x_; }

 private:
  DecodeAttention x_;
  Memory q_, k_, v_, out_, table_;
};

/// Scores, probabilities and their products with the values of a prompt, each written out: a reference, never a norm.
class UnfusedAttention {
 public:
  bool plan(const DecodeAttention& x, const DeviceFacts& device, Checked& checked);
  bool run(const DecodeAttention& x, cudaStream_t stream, Checked& checked);
  static constexpr int kLaunches = 3;

 private:
  Memory workspace_, scores_;
  Product score_, apply_;
};

}  // namespace podwright::probes::cuda
