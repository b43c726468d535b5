/// Products, and what language models make of them: weights of decoding, attention, a layer, a step.
#include <algorithm>
#include <cmath>
#include <vector>

#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"

namespace podwright::probes::cuda {
namespace {

constexpr int kSamples = 256;
constexpr int kDimension = 128;

class Gemm final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    dtype_ = one.dtype;
    stream_ = device.stream;
    m_ = one.m;
    shape_ = {dtype_, Product::padded(dtype_, one.m), one.n, one.k};
    const Format in = Product::input(dtype_);
    x_bytes_ = bytes_of(in, static_cast<std::size_t>(shape_.m * shape_.k));
    w_bytes_ = bytes_of(in, static_cast<std::size_t>(shape_.n * shape_.k));
    y_bytes_ = bytes_of(Product::output(dtype_), static_cast<std::size_t>(shape_.m * shape_.n));
    footprint_bytes = x_bytes_ + w_bytes_ + y_bytes_;
    copies_ = device.copies(footprint_bytes);
    rotated_bytes = footprint_bytes * static_cast<std::size_t>(copies_);
    const auto all = [&](std::size_t bytes) { return bytes * static_cast<std::size_t>(copies_); };
    if (!x_.allocate(all(x_bytes_), checked) || !w_.allocate(all(w_bytes_), checked) ||
        !y_.allocate(all(y_bytes_), checked) || !workspace_.allocate(device.workspace_bytes, checked) ||
        !out_.allocate(8 * check_scratch(shape_.n, shape_.k), checked))
      return false;
    if (std::string(one.variant) == "zeros") {
      checked(cudaMemsetAsync(x_.as<void>(), 0, x_.bytes(), stream_), "cudaMemset");
      checked(cudaMemsetAsync(w_.as<void>(), 0, w_.bytes(), stream_), "cudaMemset");
    } else {
      const auto values = [&](std::size_t bytes) { return bytes * 8 / static_cast<std::size_t>(bits_of(in)); };
      fill_normal(x_.as<void>(), in, values(x_.bytes()), one.seed, stream_);
      fill_normal(w_.as<void>(), in, values(w_.bytes()), one.seed + 1, stream_);
    }
    checked(cudaStreamSynchronize(stream_), "fill");
    if (!product_.plan(shape_, x_.as<void>(), w_.as<void>(), y_.as<void>(), workspace_.as<void>(),
                       device.workspace_bytes, stream_, checked))
      return false;
    algorithm = "cublaslt-" + std::to_string(product_.algorithm());
    repeats_ = std::string(one.variant) == "repeat";
    return !repeats_ || (enqueue(0, stream_, checked) && hash(first_hash_, checked));
  }

  double first_proposal_s() const override { return product_.first_proposal_s(); }

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    const auto copy = static_cast<std::size_t>(index % copies_);
    return product_.run(x_.as<char>() + copy * x_bytes_, w_.as<char>() + copy * w_bytes_,
                        y_.as<char>() + copy * y_bytes_, stream, checked);
  }

  void verify(PwCheck& check, Checked& checked) override {
    unsigned long long last_hash = first_hash_;
    if (repeats_ && !hash(last_hash, checked)) return;
    checked(cudaMemsetAsync(y_.as<void>(), 0xff, y_bytes_, stream_), "cudaMemset");  // NaN in every float format
    checked(cudaMemsetAsync(out_.as<void>(), 0, out_.bytes(), stream_), "cudaMemset");
    if (!enqueue(0, stream_, checked)) return;
    check_product(x_.as<void>(), w_.as<void>(), y_.as<void>(), Product::input(dtype_), Product::output(dtype_), m_,
                  shape_.n, shape_.k, output_unit(dtype_), kSamples, out_.as<double>(), stream_);
    judge(out_.as<double>(), product_tolerance(dtype_, shape_.k), kSamples + static_cast<std::uint64_t>(m_),
          "sampled values and Freivalds' test", stream_, check, checked);
    if (last_hash == first_hash_) return;
    check.status = PW_CHECK_FAIL;
    std::strcpy(check.note, "the same product gave other bits under load");
  }

 private:
  /// Of the first copy of the output: algorithm and operands are fixed, so its bits must repeat.
  bool hash(unsigned long long& sum, Checked& checked) {
    checked(cudaMemsetAsync(out_.as<void>(), 0, 8, stream_), "cudaMemset");
    add_hash(y_.as<std::uint32_t>(), y_bytes_ / 4, out_.as<unsigned long long>(), stream_);
    checked(cudaMemcpyAsync(&sum, out_.as<void>(), sizeof sum, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    return checked(cudaStreamSynchronize(stream_), "hash");
  }

  std::string dtype_;
  bool repeats_ = false;
  unsigned long long first_hash_ = 0;
  cudaStream_t stream_ = nullptr;
  long long m_ = 0;
  ProductShape shape_;
  std::size_t x_bytes_ = 0, w_bytes_ = 0, y_bytes_ = 0;
  int copies_ = 1;
  Memory x_, w_, y_, workspace_, out_;
  Product product_;
};

/// The four products of a layer with its weights and the buffers between them.
class LayerProducts {
 public:
  struct Sizes {
    long long rows = 0, hidden = 0, feed_forward = 0, heads = 0, groups = 0;
    long long qkv() const { return (heads + 2 * groups) * kDimension; }
  };

  /// `layers` sets of weights and one set of buffers.
  bool prepare(const Sizes& sizes, int layers, std::uint64_t seed, const DeviceFacts& device, Checked& checked) {
    sizes_ = sizes;
    const auto area = [](long long a, long long b) { return static_cast<std::size_t>(a * b); };
    const long long inner = sizes.heads * kDimension;
    const std::size_t counts[4] = {area(sizes.qkv(), sizes.hidden), area(sizes.hidden, inner),
                                   area(2 * sizes.feed_forward, sizes.hidden), area(sizes.hidden, sizes.feed_forward)};
    const std::size_t widest = area(sizes.rows, std::max({sizes.qkv(), 2 * sizes.feed_forward, sizes.hidden, inner}));
    layer_values_ = counts[0] + counts[1] + counts[2] + counts[3];
    for (int i = 1; i < 4; ++i) starts_[i] = starts_[i - 1] + counts[i - 1];
    if (!weights_.allocate(2 * layer_values_ * static_cast<std::size_t>(layers), checked) ||
        !norm_.allocate(2 * static_cast<std::size_t>(sizes.hidden), checked) ||
        !workspace_.allocate(device.workspace_bytes, checked))
      return false;
    for (Memory& buffer : buffers_)
      if (!buffer.allocate(2 * widest, checked)) return false;
    fill_normal(weights_.as<void>(), Format::bf16, layer_values_ * static_cast<std::size_t>(layers), seed,
                device.stream);
    fill_normal(norm_.as<void>(), Format::bf16, static_cast<std::size_t>(sizes.hidden), seed + 1, device.stream);
    for (Memory& buffer : buffers_) fill_normal(buffer.as<void>(), Format::bf16, widest, seed + 2, device.stream);
    checked(cudaStreamSynchronize(device.stream), "fill");
    const ProductShape shapes[4] = {{"bf16", sizes.rows, sizes.qkv(), sizes.hidden},
                                    {"bf16", sizes.rows, sizes.hidden, inner},
                                    {"bf16", sizes.rows, 2 * sizes.feed_forward, sizes.hidden},
                                    {"bf16", sizes.rows, sizes.hidden, sizes.feed_forward}};
    for (int i = 0; i < 4; ++i)
      if (!products_[i].plan(shapes[i], buffer(0), weight(0, i), buffer(1), workspace_.as<void>(),
                             device.workspace_bytes, device.stream, checked))
        return false;
    return true;
  }

  bool project(int layer, int which, const void* x, void* y, cudaStream_t stream, Checked& checked) {
    return products_[which].run(x, weight(layer, which), y, stream, checked);
  }
  void normalise(void* y, const void* x, cudaStream_t stream) const {
    rms_norm(y, x, norm_.as<void>(), sizes_.rows, static_cast<int>(sizes_.hidden), stream);
  }
  void activate(void* y, const void* x, cudaStream_t stream) const {
    silu_multiply(y, x, sizes_.rows, static_cast<int>(sizes_.feed_forward), stream);
  }

  void* buffer(int i) const { return buffers_[i].as<void>(); }
  void* weight(int layer, int which) const {
    return weights_.as<char>() + 2 * (static_cast<std::size_t>(layer) * layer_values_ + starts_[which]);
  }
  Memory& workspace() { return workspace_; }
  std::size_t weight_bytes() const { return weights_.bytes(); }
  const Sizes& sizes() const { return sizes_; }

 private:
  Sizes sizes_;
  std::size_t layer_values_ = 0;
  std::size_t starts_[4] = {};
  Memory weights_, norm_, workspace_;
  Memory buffers_[4];
  Product products_[4];
};

/// Buffers whose numbers must still be numbers after a run.
void check_numbers(const void* buffer, std::size_t count, double* out, cudaStream_t stream, PwCheck& check,
                   Checked& checked) {
  checked(cudaMemsetAsync(out, 0, 64, stream), "cudaMemset");
  count_not_numbers(buffer, Format::bf16, count, out, stream);
  judge(out, 0, count, "all numbers are finite", stream, check, checked);
}

/// Heads of a hidden size, and the groups that a case names.
LayerProducts::Sizes layer_sizes(const PwCase& one, long long rows, long long hidden) {
  return {rows, hidden, one.k, hidden / kDimension, one.n};
}

/// Weights of several layers, one row of products after the other. One operation is one pass over all.
class DecodeWeights final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    layers_ = static_cast<int>(std::max<std::int64_t>(1, one.batch));
    if (!out_.allocate(64, checked) ||
        !layer_.prepare(layer_sizes(one, one.m, one.hidden), layers_, one.seed, device, checked))
      return false;
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
    if (!enqueue(0, stream_, checked)) return;
    check_numbers(layer_.buffer(2), static_cast<std::size_t>(layer_.sizes().rows * layer_.sizes().hidden),
                  out_.as<double>(), stream_, check, checked);
  }

 private:
  cudaStream_t stream_ = nullptr;
  int layers_ = 1;
  LayerProducts layer_;
  Memory out_;
};

/// Keys and values of many sequences in pages that lie in no order.
class PagedCache {
 public:
  bool prepare(int batch, int heads, int groups, int context, int page, Format format, std::uint64_t seed,
               const DeviceFacts& device, Checked& checked) {
    x_.fp8 = format == Format::fp8;
    x_.batch = batch;
    x_.heads = heads;
    x_.groups = groups;
    x_.context = context;
    x_.page = page;
    const int per_sequence = (context + page - 1) / page;
    const std::size_t pages = static_cast<std::size_t>(batch) * static_cast<std::size_t>(per_sequence);
    const std::size_t values = pages * static_cast<std::size_t>(page * groups * kDimension);
    // Enough parts that the whole device has work four times over.
    const int wanted = std::max(1, 4 * device.multiprocessors / std::max(1, batch * groups));
    x_.splits = std::clamp(wanted, 1, std::max(1, context / 64));
    const std::size_t heads_of_all = static_cast<std::size_t>(batch) * static_cast<std::size_t>(heads);
    if (!keys_.allocate(bytes_of(format, values), checked) || !values_.allocate(bytes_of(format, values), checked) ||
        !table_.allocate(4 * pages, checked) || !query_.allocate(2 * heads_of_all * kDimension, checked) ||
        !result_.allocate(2 * heads_of_all * kDimension, checked) ||
        !partial_.allocate(4 * heads_of_all * static_cast<std::size_t>(x_.splits) * (kDimension + 2), checked))
      return false;
    fill_normal(keys_.as<void>(), format, values, seed, device.stream);
    fill_normal(values_.as<void>(), format, values, seed + 1, device.stream);
    fill_normal(query_.as<void>(), Format::bf16, heads_of_all * kDimension, seed + 2, device.stream);
    std::vector<int> order(pages);
    for (std::size_t i = 0; i < pages; ++i) order[i] = static_cast<int>(i);
    std::uint64_t state = seed;
    for (std::size_t i = pages; i > 1; --i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth's MMIX
      std::swap(order[i - 1], order[(state >> 33U) % i]);
    }
    checked(cudaMemcpyAsync(table_.as<void>(), order.data(), 4 * pages, cudaMemcpyHostToDevice, device.stream),
            "pages");
    x_.query = query_.as<void>();
    x_.keys = keys_.as<void>();
    x_.values = values_.as<void>();
    x_.pages = table_.as<int>();
    x_.partial = partial_.as<float>();
    x_.out = result_.as<void>();
    return checked(cudaStreamSynchronize(device.stream), "fill");
  }
  const DecodeAttention& attention() const { return x_; }
  std::size_t bytes() const { return keys_.bytes() + values_.bytes(); }

 private:
  DecodeAttention x_;
  Memory keys_, values_, table_, query_, result_, partial_;
};

class DecodeAttentionProbe final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    algorithm = "own-split-kv";
    if (!out_.allocate(64, checked) ||
        !cache_.prepare(static_cast<int>(one.batch), static_cast<int>(one.m), static_cast<int>(one.n),
                        static_cast<int>(one.context), static_cast<int>(one.page), Product::input(one.dtype), one.seed,
                        device, checked))
      return false;
    footprint_bytes = rotated_bytes = cache_.bytes();
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    decode_attention(cache_.attention(), stream);
    return checked(cudaGetLastError(), "decode_attention");
  }
  void verify(PwCheck& check, Checked& checked) override {
    const DecodeAttention& x = cache_.attention();
    checked(cudaMemsetAsync(out_.as<void>(), 0, 64, stream_), "cudaMemset");
    checked(cudaMemsetAsync(x.out, 0xff, 2 * static_cast<std::size_t>(x.batch * x.heads) * kDimension, stream_),
            "poison");
    enqueue(0, stream_, checked);
    check_decode_attention(x, 16, out_.as<double>(), stream_);
    // One output is the mean of values of size 1: its rounding in bf16, and the short exponential.
    judge(out_.as<double>(), 2e-2, 16 * kDimension, "16 heads in double", stream_, check, checked);
  }

 private:
  cudaStream_t stream_ = nullptr;
  PagedCache cache_;
  Memory out_;
};

/// Scores, probabilities and their products with the values, each written out: a reference, never a norm.
class UnfusedAttention {
 public:
  bool prepare(int heads, int context, std::uint64_t seed, void* workspace, const DeviceFacts& device,
               Checked& checked) {
    heads_ = heads;
    context_ = context;
    const std::size_t values = static_cast<std::size_t>(heads) * static_cast<std::size_t>(context) * kDimension;
    const std::size_t scores =
        static_cast<std::size_t>(heads) * static_cast<std::size_t>(context) * static_cast<std::size_t>(context);
    for (Memory* one : {&q_, &k_, &v_, &out_})
      if (!one->allocate(2 * values, checked)) return false;
    if (!scores_.allocate(2 * scores, checked)) return false;
    for (Memory* one : {&q_, &k_, &v_}) fill_normal(one->as<void>(), Format::bf16, values, seed++, device.stream);
    checked(cudaStreamSynchronize(device.stream), "fill");
    ProductShape to_scores{"bf16", context, context, kDimension};
    to_scores.batch = heads;
    to_scores.x_stride = to_scores.w_stride = static_cast<long long>(context) * kDimension;
    to_scores.y_stride = static_cast<long long>(context) * context;
    ProductShape to_values{"bf16", context, kDimension, context};
    to_values.plain_w = true;
    to_values.batch = heads;
    to_values.x_stride = to_scores.y_stride;
    to_values.w_stride = to_values.y_stride = to_scores.x_stride;
    return score_.plan(to_scores, q_.as<void>(), k_.as<void>(), scores_.as<void>(), workspace, device.workspace_bytes,
                       device.stream, checked) &&
           apply_.plan(to_values, scores_.as<void>(), v_.as<void>(), out_.as<void>(), workspace, device.workspace_bytes,
                       device.stream, checked);
  }
  bool forward(cudaStream_t stream, Checked& checked) {
    if (!score_.run(q_.as<void>(), k_.as<void>(), scores_.as<void>(), stream, checked)) return false;
    softmax_rows(scores_.as<void>(), static_cast<long long>(heads_) * context_, context_, true,
                 1.0F / std::sqrt(static_cast<float>(kDimension)), stream);
    return apply_.run(scores_.as<void>(), v_.as<void>(), out_.as<void>(), stream, checked);
  }
  const void* out() const { return out_.as<void>(); }
  std::size_t out_values() const { return out_.bytes() / 2; }
  std::size_t bytes() const { return scores_.bytes() + 4 * q_.bytes(); }

 private:
  int heads_ = 0;
  int context_ = 0;
  Memory q_, k_, v_, out_, scores_;
  Product score_, apply_;
};

class PrefillAttention final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    algorithm = "reference_kernel";
    if (!out_.allocate(64, checked) || !workspace_.allocate(device.workspace_bytes, checked) ||
        !attention_.prepare(static_cast<int>(one.m), static_cast<int>(one.context), one.seed, workspace_.as<void>(),
                            device, checked))
      return false;
    footprint_bytes = rotated_bytes = attention_.bytes();
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    return attention_.forward(stream, checked);
  }
  void verify(PwCheck& check, Checked& checked) override {
    if (!enqueue(0, stream_, checked)) return;
    check_numbers(attention_.out(), attention_.out_values(), out_.as<double>(), stream_, check, checked);
  }

 private:
  cudaStream_t stream_ = nullptr;
  Memory out_, workspace_;
  UnfusedAttention attention_;
};

/// One layer forward, then the products of its way back: with the weights for the inputs' gradients, and with the
/// inputs for the weights' gradients, which have as many operations each.
class LayerTrain final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    const LayerProducts::Sizes sizes = layer_sizes(one, one.m, one.hidden);
    if (!out_.allocate(64, checked) || !layer_.prepare(sizes, 2, one.seed, device, checked) ||
        !attention_.prepare(static_cast<int>(sizes.heads), static_cast<int>(one.context), one.seed + 9,
                            layer_.workspace().as<void>(), device, checked))
      return false;
    const long long inner = sizes.heads * kDimension;
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
      if (!to_inputs_[i].plan(inputs, layer_.buffer(0), layer_.weight(0, i), layer_.buffer(1),
                              layer_.workspace().as<void>(), device.workspace_bytes, stream_, checked) ||
          !to_weights_[i].plan(weights, layer_.buffer(0), layer_.buffer(1), layer_.weight(1, i),
                               layer_.workspace().as<void>(), device.workspace_bytes, stream_, checked))
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
  void verify(PwCheck& check, Checked& checked) override {
    if (!enqueue(0, stream_, checked)) return;
    check_numbers(attention_.out(), attention_.out_values(), out_.as<double>(), stream_, check, checked);
  }

 private:
  cudaStream_t stream_ = nullptr;
  LayerProducts layer_;
  UnfusedAttention attention_;
  Product to_inputs_[4], to_weights_[4];
  Memory out_;
};

/// One step of decoding through eight layers.
class DecodeStep final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    const LayerProducts::Sizes sizes = layer_sizes(one, one.batch, one.hidden);
    if (!out_.allocate(64, checked) || !layer_.prepare(sizes, kLayers, one.seed, device, checked)) return false;
    for (PagedCache& cache : caches_)
      if (!cache.prepare(static_cast<int>(one.batch), static_cast<int>(sizes.heads), static_cast<int>(sizes.groups),
                         static_cast<int>(one.context), static_cast<int>(one.page), Format::bf16, one.seed + 3, device,
                         checked))
        return false;
    footprint_bytes = rotated_bytes = layer_.weight_bytes() + kLayers * caches_[0].bytes();
    algorithm = "cublaslt-own-split-kv";
    return true;
  }
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (int layer = 0; layer < kLayers && checked.good(); ++layer) {
      layer_.normalise(layer_.buffer(1), layer_.buffer(0), stream);
      layer_.project(layer, 0, layer_.buffer(1), layer_.buffer(2), stream, checked);
      decode_attention(caches_[layer].attention(), stream);
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
    if (!enqueue(0, stream_, checked)) return;
    check_numbers(layer_.buffer(3), static_cast<std::size_t>(layer_.sizes().rows * layer_.sizes().hidden),
                  out_.as<double>(), stream_, check, checked);
  }

 private:
  static constexpr int kLayers = 8;
  cudaStream_t stream_ = nullptr;
  LayerProducts layer_;
  PagedCache caches_[kLayers];
  Memory out_;
};

}  // namespace

std::unique_ptr<Operation> make_product(const std::string& probe) {
  if (probe.rfind("gemm.", 0) == 0) return std::make_unique<Gemm>();
  return nullptr;
}

std::unique_ptr<Operation> make_layer(const std::string& probe) {
  if (probe == "decode.weights") return std::make_unique<DecodeWeights>();
  if (probe == "decode.attn") return std::make_unique<DecodeAttentionProbe>();
  if (probe == "prefill.attn") return std::make_unique<PrefillAttention>();
  if (probe == "layer.train") return std::make_unique<LayerTrain>();
  if (probe == "decode.step") return std::make_unique<DecodeStep>();
  return nullptr;
}

}  // namespace podwright::probes::cuda
