/// What language models make of products: weights of decoding, attention, a layer of training, a step of decoding.
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
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    layers_ = static_cast<int>(std::max<std::int64_t>(1, one.batch));
    if (!layer_.prepare(LayerProducts::sizes_of(one, one.m), layers_, one.seed, device, checked)) return false;
    footprint_bytes = rotated_bytes = layer_.weight_bytes();
    algorithm = "cublaslt-chain";
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (int layer = 0; layer < layers_ && checked.good(); ++layer) {
      layer_.project(layer, 0, layer_.buffer(0), layer_.buffer(1), stream, checked);
      layer_.project(layer, 1, layer_.buffer(1), layer_.buffer(2), stream, checked);
      layer_.project(layer, 2, layer_.buffer(0), layer_.buffer(1), stream, checked);
      layer_.project(layer, 3, layer_.buffer(1), layer_.buffer(2), stream, checked);
    }
    return checked.good();
  }
  std::int64_t launches() const override { return 4 * layers_; }
  void verify(PwCheck& check, Checked& checked) override {
    JoinedCheck joined("the products of the last layer, and the end of the chain");
    layer_.poison(1, stream_, checked);
    layer_.poison(2, stream_, checked);
    if (!enqueue(0, stream_, checked)) return;
    layer_.compare_numbers(2, layer_.sizes().rows * layer_.sizes().hidden, joined, stream_, checked);
    layer_.compare(layers_ - 1, joined, stream_, checked);
    if (checked.good()) check = joined.all();
  }

 private:
  cudaStream_t stream_ = nullptr;
  int layers_ = 1;
  LayerProducts layer_;
};

/// With a kernel of this project, or with cuDNN's.
class DecodeAttentionProbe final : public Operation {
 public:
  explicit DecodeAttentionProbe(bool by_library) : by_library_(by_library) {}
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    algorithm = by_library_ ? "cudnn" : "own-split-kv";
    const CacheSizes sizes{one.batch, one.m, one.n, one.context, one.page};
    const Format format = Product::input(one.dtype);
    footprint_bytes = PagedCache::bytes_of_copy(sizes, format);
    copies = device.copies(footprint_bytes);
    if (!out_.allocate(64, checked) ||
        !cache_.prepare(sizes, static_cast<int>(copies), format, one.seed, device, checked))
      return false;
    rotated_bytes = cache_.bytes();
    return !by_library_ ||
           fused_.plan({one.batch, one.m, one.n, 1, one.context, one.page, static_cast<long long>(cache_.pages())},
                       stream_, checked);
  }
  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    return attend(cache_.attention(index % copies), stream, checked);
  }
  std::int64_t launches() const override { return 2; }
  void verify(PwCheck& check, Checked& checked) override {
    cache_.compare(
        0, [&](const DecodeAttention& x) { attend(x, stream_, checked); }, out_.as<double>(), check, stream_, checked);
  }

 private:
  bool attend(const DecodeAttention& x, cudaStream_t stream, Checked& checked) {
    if (by_library_) return fused_.run(x, stream, checked);
    decode_attention(x, stream);
    return checked(cudaGetLastError(), "decode_attention");
  }

  cudaStream_t stream_ = nullptr;
  bool by_library_;
  PagedCache cache_;
  FusedAttention fused_;
  Memory out_;
};

class PrefillAttention final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    algorithm = "reference_kernel";
    if (!out_.allocate(64, checked) || !workspace_.allocate(device.workspace_bytes, checked) ||
        !attention_.prepare(static_cast<int>(one.m), static_cast<int>(one.context), one.seed, workspace_, device,
                            checked))
      return false;
    footprint_bytes = rotated_bytes = attention_.bytes();
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    return attention_.forward(stream, checked);
  }
  std::int64_t launches() const override { return UnfusedAttention::kLaunches; }
  void verify(PwCheck& check, Checked& checked) override {
    attention_.compare(out_.as<double>(), check, stream_, checked);
  }

 private:
  cudaStream_t stream_ = nullptr;
  Memory out_, workspace_;
  UnfusedAttention attention_;
};

/// By cuDNN, over all pairs of tokens.
class FusedPrefill final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    algorithm = "cudnn";
    if (!out_.allocate(64, checked) ||
        !prompt_.prepare(static_cast<int>(one.m), static_cast<int>(one.n), static_cast<int>(one.context), false,
                         one.seed, device, checked))
      return false;
    footprint_bytes = rotated_bytes = prompt_.bytes();
    return fused_.plan({1, one.m, one.n, one.context, one.context}, stream_, checked);
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    return fused_.run(prompt_.attention(), stream, checked);
  }
  void verify(PwCheck& check, Checked& checked) override {
    prompt_.compare([&] { enqueue(0, stream_, checked); }, out_.as<double>(), check, stream_, checked);
  }

 private:
  cudaStream_t stream_ = nullptr;
  Memory out_;
  Prompt prompt_;
  FusedAttention fused_;
};

/// One layer forward, then the products of its way back: with the weights for the inputs' gradients, and with the
/// inputs for the weights' gradients, which have as many operations each.
class LayerTrain final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    const LayerProducts::Sizes sizes = LayerProducts::sizes_of(one, one.m);
    if (!layer_.prepare(sizes, 2, one.seed, device, checked) ||
        !attention_.prepare(static_cast<int>(sizes.heads), static_cast<int>(one.context), one.seed + 9,
                            layer_.workspace(), device, checked))
      return false;
    const long long inner = sizes.inner();
    const long long shapes[4][2] = {{sizes.qkv(), sizes.hidden},
                                    {sizes.hidden, inner},
                                    {2 * sizes.feed_forward, sizes.hidden},
                                    {sizes.hidden, sizes.feed_forward}};
    for (int i = 0; i < 4; ++i) {
      // dX (rows x in) = dY (rows x out) · W (out x in); dW (out x in) = dY^T (out x rows) · X (rows x in).
      ProductShape inputs{"bf16", sizes.rows, shapes[i][1], shapes[i][0]};
      inputs.plain_w = true;
      ProductShape weights{"bf16", shapes[i][0], shapes[i][1], sizes.rows};
      weights.plain_w = weights.turned_x = true;
      outputs_[i] = weights.m;
      if (!to_inputs_[i].plan(inputs, {layer_.buffer(0), layer_.weight(0, i), layer_.buffer(1)}, layer_.workspace(),
                              stream_, checked) ||
          !to_weights_[i].plan(weights, {layer_.buffer(0), layer_.buffer(3), layer_.weight(1, i)}, layer_.workspace(),
                               stream_, checked))
        return false;
    }
    footprint_bytes = rotated_bytes = layer_.weight_bytes() + attention_.bytes();
    algorithm = "cublaslt-unfused";
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    layer_.normalise(layer_.buffer(1), layer_.buffer(0), stream);
    layer_.project(0, 0, layer_.buffer(1), layer_.buffer(2), stream, checked);
    attention_.forward(stream, checked);
    layer_.project(0, 1, layer_.buffer(2), layer_.buffer(1), stream, checked);
    layer_.normalise(layer_.buffer(2), layer_.buffer(1), stream);
    layer_.project(0, 2, layer_.buffer(2), layer_.buffer(1), stream, checked);
    layer_.activate(layer_.buffer(2), layer_.buffer(1), stream);
    layer_.project(0, 3, layer_.buffer(2), layer_.buffer(1), stream, checked);
    for (int i = 3; i >= 0 && checked.good(); --i) {
      to_inputs_[i].run(layer_.buffer(1), layer_.weight(0, i), layer_.buffer(2), stream, checked);
      to_weights_[i].run(layer_.buffer(1), layer_.buffer(0), layer_.weight(1, i), stream, checked);
    }
    // The four products of attention's way back have the sizes of its two, twice.
    attention_.forward(stream, checked);
    attention_.forward(stream, checked);
    return checked.good();
  }
  std::int64_t launches() const override { return 7 + 8 + 3 * UnfusedAttention::kLaunches; }
  void verify(PwCheck& check, Checked& checked) override {
    JoinedCheck joined("each product, row operation and attention");
    layer_.compare(0, joined, stream_, checked);
    PwCheck one{};
    for (int i = 0; i < 4 && checked.good(); ++i) {
      to_inputs_[i].compare(layer_.buffer(0), layer_.weight(0, i), layer_.buffer(1), layer_.sizes().rows, layer_.out(),
                            one, stream_, checked);
      joined.take(one);
      to_weights_[i].compare(layer_.buffer(0), layer_.buffer(3), layer_.weight(1, i), outputs_[i], layer_.out(), one,
                             stream_, checked);
      joined.take(one);
    }
    attention_.compare(layer_.out(), one, stream_, checked);
    joined.take(one);
    if (checked.good()) check = joined.all();
  }

 private:
  cudaStream_t stream_ = nullptr;
  LayerProducts layer_;
  UnfusedAttention attention_;
  Product to_inputs_[4], to_weights_[4];
  long long outputs_[4] = {};
};

/// One step of decoding through eight layers.
class DecodeStep final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    const LayerProducts::Sizes sizes = LayerProducts::sizes_of(one, one.batch);
    if (!layer_.prepare(sizes, kLayers, one.seed, device, checked) ||
        !caches_.prepare({one.batch, sizes.heads, sizes.groups, one.context, one.page}, kLayers, Format::bf16,
                         one.seed + 3, device, checked))
      return false;
    footprint_bytes = rotated_bytes = layer_.weight_bytes() + caches_.bytes();
    algorithm = "cublaslt-own-split-kv";
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (int layer = 0; layer < kLayers && checked.good(); ++layer) {
      layer_.normalise(layer_.buffer(1), layer_.buffer(0), stream);
      layer_.project(layer, 0, layer_.buffer(1), layer_.buffer(2), stream, checked);
      decode_attention(caches_.attention(layer), stream);
      layer_.project(layer, 1, layer_.buffer(2), layer_.buffer(1), stream, checked);
      layer_.normalise(layer_.buffer(2), layer_.buffer(1), stream);
      layer_.project(layer, 2, layer_.buffer(2), layer_.buffer(1), stream, checked);
      layer_.activate(layer_.buffer(2), layer_.buffer(1), stream);
      layer_.project(layer, 3, layer_.buffer(2), layer_.buffer(3), stream, checked);
    }
    return checked(cudaGetLastError(), "decode.step");
  }
  std::int64_t launches() const override { return 9 * kLayers; }
  void verify(PwCheck& check, Checked& checked) override {
    JoinedCheck joined("each product, row operation and attention, and the end of the step");
    layer_.poison(3, stream_, checked);
    if (!enqueue(0, stream_, checked)) return;
    layer_.compare_numbers(3, layer_.sizes().rows * layer_.sizes().hidden, joined, stream_, checked);
    layer_.compare(kLayers - 1, joined, stream_, checked);
    PwCheck one{};
    caches_.compare(
        kLayers - 1, [&](const DecodeAttention& x) { decode_attention(x, stream_); }, layer_.out(), one, stream_,
        checked);
    joined.take(one);
    if (checked.good()) check = joined.all();
  }

 private:
  static constexpr int kLayers = 8;
  cudaStream_t stream_ = nullptr;
  LayerProducts layer_;
  PagedCache caches_;  ///< one copy for each layer
};

}  // namespace

std::unique_ptr<Operation> make_layer(const std::string& probe) {
  if (probe == "decode.weights") return std::make_unique<DecodeWeights>();
  if (probe == "decode.attn") return std::make_unique<DecodeAttentionProbe>(false);
  if (probe == "decode.attn.cudnn") return std::make_unique<DecodeAttentionProbe>(true);
  if (probe == "prefill.attn") return std::make_unique<PrefillAttention>();
  if (probe == "prefill.attn.cudnn") return std::make_unique<FusedPrefill>();
  if (probe == "layer.train") return std::make_unique<LayerTrain>();
  if (probe == "decode.step") return std::make_unique<DecodeStep>();
  return nullptr;
}

}  // namespace podwright::probes::cuda
