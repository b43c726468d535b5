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

/// Holds sampled heads against the same in double.
void judge_heads(const DecodeAttention& x, double* out, PwCheck& check, cudaStream_t stream, Checked& checked);

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
  /// Heads of one copy, after `run` into poisoned outputs.
  template <class Run>
  void compare(std::int64_t copy, Run run, double* out, PwCheck& check, cudaStream_t stream, Checked& checked) const {
    checked(cudaMemsetAsync(out, 0, 64, stream), "cudaMemset");
    checked(cudaMemsetAsync(result_.as<void>(), 0xff, result_.bytes(), stream), "poison");
    run(attention(copy));
    judge_heads(attention(copy), out, check, stream, checked);
  }
  std::size_t bytes() const { return keys_.bytes() + values_.bytes(); }
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
  /// Rows of several heads, after `run` into poisoned outputs.
  template <class Run>
  void compare(Run run, double* out, PwCheck& check, cudaStream_t stream, Checked& checked) const {
    checked(cudaMemsetAsync(out, 0, 64, stream), "cudaMemset");
    checked(cudaMemsetAsync(out_.as<void>(), 0xff, out_.bytes(), stream), "poison");
    run();
    judge_heads(x_, out, check, stream, checked);
  }
  std::size_t bytes() const { return q_.bytes() + k_.bytes() + v_.bytes() + out_.bytes(); }
  char* query() const { return q_.as<char>(); }
  char* keys() const { return k_.as<char>(); }
  char* values() const { return v_.as<char>(); }
  char* out() const { return out_.as<char>(); }

 private:
  DecodeAttention x_;
  Memory q_, k_, v_, out_, table_;
};

/// Scores, probabilities and their products with the values, each written out: a reference, never a norm.
class UnfusedAttention {
 public:
  bool prepare(int heads, int context, std::uint64_t seed, const Memory& workspace, const DeviceFacts& device,
               Checked& checked);
  bool forward(cudaStream_t stream, Checked& checked);
  static constexpr int kLaunches = 3;
  void compare(double* out, PwCheck& check, cudaStream_t stream, Checked& checked) {
    prompt_.compare([&] { forward(stream, checked); }, out, check, stream, checked);
  }
  std::size_t bytes() const { return scores_.bytes() + prompt_.bytes(); }

 private:
  int heads_ = 0;
  int context_ = 0;
  Prompt prompt_;
  Memory scores_;
  Product score_, apply_;
};

}  // namespace podwright::probes::cuda
