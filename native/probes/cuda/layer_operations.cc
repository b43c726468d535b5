/// What language models make of products: weights of decoding, attention, rows between products, a step of decoding.
#include <algorithm>

#include "probes/cuda/attention.h"
#include "probes/cuda/cudnn.h"
#include "probes/cuda/layer_products.h"
#include "probes/cuda/operation.h"

namespace podwright::probes::cuda {
namespace {

/// Weights of several layers, one row of products after the other. One operation is one pass over all.
class DecodeWeights final : public Operation {
 public:
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (int layer = 0; layer < layers_ && checked.good(); ++layer) {
      layer_.project(layer, 0, 0, 1, stream, checked);
      layer_.project(layer, 1, 1, 2, stream, checked);
      layer_.project(layer, 2, 0, 1, stream, checked);
      layer_.project(layer, 3, 1, 2, stream, checked);
    }
    return checked.good();
  }
  std::int64_t launches() const override { return 4 * layers_; }
  PwCheck verify(Checked& checked) override {
    JoinedCheck joined("the products of the last layer, and the end of the chain");
    layer_.compare(layers_ - 1, 2, joined, stream(), checked, [&] { enqueue(0, stream(), checked); });
    return joined.all();
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    layers_ = static_cast<int>(std::max<std::int64_t>(1, one.batch));
    algorithm = "cublaslt-chain";
    return layer_.prepare(LayerProducts::sizes_of(one, one.m), layers_, one.seed, device_, checked);
  }

 private:
  int layers_ = 1;
  LayerProducts layer_;
};

/// With a kernel of this project, or with cuDNN's.
class DecodeAttentionProbe final : public Operation {
 public:
  explicit DecodeAttentionProbe(bool by_library) : by_library_(by_library) {}

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    return attend(cache_.attention(index % copies), stream, checked);
  }
  std::int64_t launches() const override { return 2; }
  PwCheck verify(Checked& checked) override {
    return compare_heads(cache_.attention(0), found_, stream(), checked,
                         [&](const DecodeAttention& x) { attend(x, stream(), checked); });
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    algorithm = by_library_ ? "cudnn" : "own-split-kv";
    const CacheSizes sizes{one.batch, one.m, one.n, one.context, one.page};
    const Format format = Product::input(one.dtype);
    copies = device_.copies(PagedCache::bytes_of_copy(sizes, format));
    if (!found_.allocate(checked) ||
        !cache_.prepare(sizes, static_cast<int>(copies), format, one.seed, device_, checked))
      return false;
    return !by_library_ ||
           fused_.plan({one.batch, one.m, one.n, 1, one.context, one.page, static_cast<long long>(cache_.pages())},
                       stream(), checked);
  }

 private:
  bool attend(const DecodeAttention& x, cudaStream_t stream, Checked& checked) {
    if (by_library_) return fused_.run(x, stream, checked);
    decode_attention(x, stream);
    return checked(cudaGetLastError(), "decode_attention");
  }

  bool by_library_;
  PagedCache cache_;
  FusedAttention fused_;
  Findings found_;
};

/// Of a causal prompt step by step, or by cuDNN over all pairs of tokens.
class PrefillAttention final : public Operation {
 public:
  explicit PrefillAttention(bool by_library) : by_library_(by_library) {}

  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    const DecodeAttention& x = prompt_.attention();
    return by_library_ ? fused_.run(x, stream, checked) : unfused_.run(x, stream, checked);
  }
  std::int64_t launches() const override { return by_library_ ? 1 : UnfusedAttention::kLaunches; }
  PwCheck verify(Checked& checked) override {
    return compare_heads(prompt_.attention(), found_, stream(), checked,
                         [&](const DecodeAttention&) { enqueue(0, stream(), checked); });
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    algorithm = by_library_ ? "cudnn" : "reference_kernel";
    const auto heads = static_cast<int>(one.m);
    const int groups = by_library_ ? static_cast<int>(one.n) : heads;
    return found_.allocate(checked) &&
           prompt_.prepare(heads, groups, static_cast<int>(one.context), !by_library_, one.seed, device_, checked) &&
           (by_library_ ? fused_.plan({1, one.m, one.n, one.context, one.context}, stream(), checked)
                        : unfused_.plan(prompt_.attention(), device_, checked));
  }

 private:
  bool by_library_;
  Prompt prompt_;
  FusedAttention fused_;
  UnfusedAttention unfused_;
  Findings found_;
};

/// One step of decoding through eight layers.
class DecodeStep final : public Operation {
 public:
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (int layer = 0; layer < kLayers && checked.good(); ++layer) {
      layer_.normalise(0, 1, stream);
      layer_.project(layer, 0, 1, 2, stream, checked);
      decode_attention(caches_.attention(layer), stream);
      layer_.project(layer, 1, 2, 1, stream, checked);
      layer_.normalise(1, 2, stream);
      layer_.project(layer, 2, 2, 1, stream, checked);
      layer_.activate(1, 2, stream);
      layer_.project(layer, 3, 2, 3, stream, checked);
    }
    return checked(cudaGetLastError(), "decode.step");
  }
  std::int64_t launches() const override { return 9 * kLayers; }
  PwCheck verify(Checked& checked) override {
    JoinedCheck joined("each product, row operation and attention, and the end of the step");
    layer_.compare(kLayers - 1, 3, joined, stream(), checked, [&] { enqueue(0, stream(), checked); });
    joined.take(compare_heads(caches_.attention(kLayers - 1), layer_.found(), stream(), checked,
                              [&](const DecodeAttention& x) { decode_attention(x, stream()); }));
    return joined.all();
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    const LayerProducts::Sizes sizes = LayerProducts::sizes_of(one, one.batch);
    algorithm = "cublaslt-own-split-kv";
    return layer_.prepare(sizes, kLayers, one.seed, device_, checked) &&
           caches_.prepare({one.batch, sizes.heads, sizes.groups, one.context, one.page}, kLayers, Format::bf16,
                           one.seed + 3, device_, checked);
  }

 private:
  static constexpr int kLayers = 8;
  LayerProducts layer_;
  PagedCache caches_;  ///< one copy for each layer
};

/// What a layer does between its products, through copies of the rows.
class RowOperation final : public Operation {
 public:
  explicit RowOperation(bool activation) : activation_(activation) {}

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    const auto copy = static_cast<std::size_t>(index % copies);
    row_operation(y_.as<char>() + copy * y_.bytes() / static_cast<std::size_t>(copies),
                  x_.as<char>() + copy * x_.bytes() / static_cast<std::size_t>(copies), weights(), rows_, columns_,
                  stream);
    return checked(cudaGetLastError(), "layer.norm_act");
  }
  PwCheck verify(Checked& checked) override {
    return compare_rows(y_.as<void>(), x_.as<void>(), weights(), rows_, columns_, found_, stream(), checked);
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    rows_ = one.m;
    columns_ = one.n;
    algorithm = activation_ ? "own-silu-multiply" : "own-rms-norm";
    const auto values = static_cast<std::size_t>(rows_ * columns_);
    const std::size_t operands = activation_ ? 2 : 1;
    copies = device_.copies(2 * (operands + 1) * values);
    const std::size_t all = values * static_cast<std::size_t>(copies);
    return allocate_normal(x_, Format::bf16, operands * all, one.seed, stream(), checked) &&
           allocate_normal(weights_, Format::bf16, static_cast<std::size_t>(columns_), one.seed + 1, stream(),
                           checked) &&
           y_.allocate(2 * all, checked) && found_.allocate(checked);
  }

 private:
  const void* weights() const { return activation_ ? nullptr : weights_.as<void>(); }

  bool activation_;
  long long rows_ = 1;
  long long columns_ = 1;
  Memory x_, y_, weights_;
  Findings found_;
};

}  // namespace

std::unique_ptr<Operation> make_layer(const std::string& probe) {
  if (probe == "decode.weights") return std::make_unique<DecodeWeights>();
  if (probe == "decode.attn") return std::make_unique<DecodeAttentionProbe>(false);
  if (probe == "decode.attn.cudnn") return std::make_unique<DecodeAttentionProbe>(true);
  if (probe == "prefill.attn") return std::make_unique<PrefillAttention>(false);
  if (probe == "prefill.attn.cudnn") return std::make_unique<PrefillAttention>(true);
  if (probe == "decode.step") return std::make_unique<DecodeStep>();
  if (probe == "layer.norm_act") return std::make_unique<RowOperation>(false);
  if (probe == "layer.norm_act.silu") return std::make_unique<RowOperation>(true);
  return nullptr;
}

}  // namespace podwright::probes::cuda
