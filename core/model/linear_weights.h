#pragma once
/// The matrix products of one layer, as an engine fuses them: what rooflines, gradient buffers and adapters are sized
/// by.
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "catalog/model.h"
#include "model/layers.h"

namespace podwright {

/// attention: divided over tensor-parallel ranks with the heads. mlp: a dense MLP. shared: shared experts and
/// projections into a narrower expert width. expert: one of `copies` routed experts.
enum class LinearRole { attention, mlp, shared, expert };

/// How tensor-parallel ranks share a weight: by its outputs, by its inputs, or not at all.
enum class TensorSplit { columns, rows, none };

/// A weight of `in` x `out` (before any parallel split).
struct LinearWeight {
  std::string_view name;
  LinearRole role = LinearRole::attention;
  double in = 0;
  double out = 0;
  double copies = 1;
  double active = 1;  ///< copies that one token passes through
  TensorSplit split = TensorSplit::columns;

  constexpr double parameters() const { return in * out; }
};

/// What one of `ranks` holds of it.
struct RankShape {
  double in = 0;
  double out = 0;
};
constexpr RankShape shape_on_rank(const LinearWeight& weight, double ranks) {
  return {.in = weight.split == TensorSplit::rows ? weight.in / ranks : weight.in,
          .out = weight.split == TensorSplit::columns ? weight.out / ranks : weight.out};
}

/// A short list without allocation.
class LinearWeights {
 public:
  void add(const LinearWeight& weight) {
    if (size_ < weights_.size() && weight.in > 0 && weight.out > 0) weights_[size_++] = weight;
  }
  const LinearWeight* begin() const { return weights_.data(); }
  const LinearWeight* end() const { return weights_.data() + size_; }
  std::size_t size() const { return size_; }

 private:
  std::array<LinearWeight, 16> weights_{};
  std::size_t size_ = 0;
};

/// Router, norms, biases, convolutions and the output head are not among them.
LinearWeights linear_weights(const Model& model, const LayerKind& kind);

/// Weights that low-rank adapters can be put on, by the names that Transformers gives them.
enum class LoraTarget { q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj };
inline constexpr std::array<std::string_view, 7> kLoraTargetWords{"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                                                  "gate_proj", "up_proj", "down_proj"};

/// The weights with adapters: those of the targets, each by itself; without targets all, as an engine fuses them.
LinearWeights adapted_weights(const Model& model, const LayerKind& kind, const std::vector<LoraTarget>& targets);

}  // namespace podwright
