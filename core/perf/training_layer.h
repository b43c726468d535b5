#pragma once
/// Time of one layer of a training step on one GPU, forward and backward, for the parts of a layout that it depends on:
/// tensor, context, expert, expert_tensor, micro-batch and recompute. docs/method/training_time.md.
#include <array>
#include <iterator>
#include <vector>

#include "base/arithmetic.h"
#include "catalog/catalog.h"
#include "catalog/compute_capability.h"
#include "memory/training_memory.h"
#include "memory/training_run.h"
#include "model/flops.h"
#include "model/linear_weights.h"
#include "model/total.h"
#include "perf/layer_times.h"
#include "perf/training_arithmetic.h"
#include "perf/training_links.h"
#include "perf/training_rates.h"
#include "perf/training_software.h"

namespace podwright {

template <class Tracer>
class TrainingLayers {
 public:
  template <class T>
  using Known = podwright::Known<Tracer, T>;
  using Time = Known<Seconds>;
  using Link = typename TrainingRates<Tracer>::Link;

  /// `run` gives what is no layout: precision, method, sequence length, framework. All references are kept.
  TrainingLayers(Tracer& trace, TrainingRates<Tracer>& rates, const TrainingEfficiency& efficiency,
                 const SoftwareTraits& traits, const Model& model, const LayerStack& stack, const TrainingRun& run,
                 const TrainingRecipe& recipe)
      : trace_(trace),
        rates_(rates),
        constants_(trace, efficiency),
        links_(trace, rates, constants_, run.in_network_reduction, run.tuning),
        traits_(traits),
        model_(model),
        selective_(recipe ? recipe.stack->selective : SelectiveRecompute::core_attention) {
    narrow_ = run.precision == Precision::fp8 || run.precision == Precision::mxfp8 || run.precision == Precision::nvfp4;
    frozen_ = run.method != TrainingMethod::full;
    quantised_weights_ = run.method == TrainingMethod::qlora;
    if (frozen_ && recipe && recipe.bytes().adapter > Bytes(0)) {
      adapter_width_ = recipe_fact(trace, recipe, "adapter_bytes", recipe.bytes().adapter);
      element_ = recipe_fact(trace, recipe, "element_bytes", recipe.bytes().element);
    }
    sequence_ = trace.input("/sequence_length", run.sequence_length);
    attention_tokens_ = run.attention_tokens > 0 ? trace.input("/attention_tokens", run.attention_tokens) : sequence_;
    hidden_ = trace.fact(model, "hidden_size", model.hidden_size);
    vocabulary_ = trace.fact(model, "vocab_size", model.vocab_size);
    layers_ = trace.fact(model, "layers", model.layers);
    set_rates(run, efficiency[Efficiency::power_exponent].value);
    set_constants(run);
    set_kinds(stack, run);
  }

  /// The mean layer of the model. False where a link is not known: see links().missing_ranks().
  bool mean_layer(const TrainingRun& run, LayerTimes<Tracer>& mean) {
    set_layout(run);
    if (!exchanges(run)) return false;
    if (kinds_.size() == 1) {
      mean = layer(kinds_.front(), run);
      return true;
    }
    std::array<Total<Tracer, Seconds>, std::size(kLayerParts<Tracer>)> sums;
    for (const Kind& kind : kinds_) {
      const LayerTimes<Tracer> times = layer(kind, run);
      for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i].add(named("perf.time_of_kind", kind.count * (times.*kLayerParts<Tracer>[i])));
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      mean.*kLayerParts<Tracer>[i] =
          named("perf.mean_of_layers", (sums[i].sum(trace_, "perf.time_of_layers")) / layers_);
    return true;
  }

  /// Output head, loss and their backward pass of one micro-batch; after mean_layer() of the same layout.
  Time head() {
    const auto columns = named("perf.vocabulary_per_rank", vocabulary_ / tensor_);
    if (value_of(columns) < 1) return Seconds(0);
    const auto product =
        named("perf.head_product", matrix_product_time(tokens_, columns, hidden_, wide_products_, rates_.wave(),
                                                       quantisation_share_, half_depth_, misaligned_, start_));
    const auto passes = trace_.constant(frozen_ ? "passes_with_frozen_weights" : "passes", frozen_ ? 2.0 : 3.0,
                                        frozen_ ? "forward, backward to inputs: weights are frozen"
                                                : "forward, backward to inputs, backward to weights");
    Total<Tracer, Seconds> parts;
    parts.add(named("perf.head_products", passes_time(passes, product)));
    const auto logits = named("perf.logit_bytes", row_bytes(tokens_, columns, two()));
    parts.add(named("perf.loss_time", streaming_time(logits, loss_passes_, memory_)));
    if (!frozen_)
      parts.add(named("perf.head_accumulation",
                      accumulation_time(named("perf.head_parameters", hidden_ * columns), accumulate_bytes_, memory_)));
    return named("perf.head_time", parts.sum(trace_, "perf.head_parts") * software_);
  }

  TrainingLinks<Tracer>& links() { return links_; }
  const TrainingConstants<Tracer>& constants() const { return constants_; }
  const Known<double>& tokens() const { return tokens_; }
  const Known<double>& norm_ranks() const { return norm_ranks_; }
  const Known<double>& hidden() const { return hidden_; }
  const Known<BytesPerSecond>& memory() const { return memory_; }
  const SoftwareTraits& traits() const { return traits_; }
  Known<double> two() { return trace_.constant("bytes_of_16_bit", 2.0, "definition"); }

 private:
  /// Rates of products, attention and memory as this software reaches them.
  void set_rates(const TrainingRun& run, double power_exponent) {
    const double clock = rates_.power() < 1 ? math::pow(rates_.power(), power_exponent) : 1;
    const auto clock_share =
        trace_.method("perf.power_limited_clock", clock, "docs/method/training_time.md#power-limited-clocks");
    const auto loaded = [&](const Known<FlopsPerSecond>& rate) {
      return clock < 1 ? named("perf.rate_under_load", rate * clock_share) : rate;
    };
    const auto wide = constants_(Efficiency::gemm_16_bit);
    const auto narrow = run.precision == Precision::nvfp4 ? constants_(Efficiency::gemm_4_bit)
                        : narrow_                         ? constants_(Efficiency::gemm_8_bit)
                                                          : wide;
    products_ = named("perf.product_rate", loaded(rates_.products()) * narrow);
    wide_products_ = named("perf.wide_product_rate", loaded(rates_.wide_products()) * wide);
    grouped_ = named("perf.grouped_product_rate", products_ * constants_(Efficiency::grouped_products));
    score_products_ = named("perf.score_product_rate", wide_products_ * constants_(Efficiency::unfused_products));
    auto attention =
        named("perf.attention_rate", loaded(rates_.attention()) * constants_(Efficiency::attention_forward));
    const bool newer = capability_number(rates_.gpu().compute_capability) >= 9;
    if (newer && (traits_.kernels == KernelSet::eager || traits_.kernels == KernelSet::compiled))
      attention = named("perf.attention_rate_of_older_kernels",
                        attention * constants_(traits_.kernels == KernelSet::eager ? Efficiency::flash_1_on_newer
                                                                                   : Efficiency::flash_2_on_newer));
    attention_rate_ = attention;
    backward_share_ = constants_(Efficiency::attention_backward);
    narrow_head_ = constants_(Efficiency::narrow_head);
    latent_share_ = constants_(Efficiency::latent_attention);
    memory_ = named("perf.streaming_rate", rates_.memory() * constants_(Efficiency::memory_rate));
  }

  /// Which of the fitted constants hold for this software.
  void set_constants(const TrainingRun& run) {
    quantisation_share_ = constants_(Efficiency::quantisation_share);
    half_depth_ = constants_(Efficiency::half_depth);
    misaligned_ = constants_(Efficiency::misaligned_width);
    start_ = constants_.seconds(Efficiency::kernel_start_s);
    softmax_passes_ =
        constants_(model_.attention_sinks ? Efficiency::softmax_passes_with_sinks : Efficiency::softmax_passes);
    head_not_of_64_ = constants_(Efficiency::head_not_of_64);
    head_not_of_8_ = constants_(Efficiency::head_not_of_8);
    elementwise_ = constants_(traits_.fused()                          ? Efficiency::elementwise_fused
                              : traits_.kernels == KernelSet::compiled ? Efficiency::elementwise_compiled
                                                                       : Efficiency::elementwise_eager);
    permute_passes_ = constants_(Efficiency::permute_passes);
    quantise_passes_ = constants_(Efficiency::quantise_passes);
    if (run.precision != Precision::fp8 || run.fp8_recipe != Fp8Recipe::delayed)
      quantise_passes_ =
          named("perf.casts_with_own_scale", quantise_passes_ * constants_(Efficiency::casts_with_own_scale));
    accumulate_bytes_ =
        constants_(traits_.fused() ? Efficiency::accumulate_fused_bytes : Efficiency::accumulate_eager_bytes);
    alternate_ = constants_(Efficiency::alternate_products);
    const TrainingFramework* framework = traits_.framework;
    if (framework != nullptr && framework->layer_kernels > 0)
      host_ =
          named("perf.host_of_kernels", passes_time(trace_.fact(*framework, "layer_kernels", framework->layer_kernels),
                                                    constants_.seconds(Efficiency::host_kernel_s)));
    else
      host_ = constants_.seconds(traits_.kernels == KernelSet::unfused    ? Efficiency::host_unfused_s
                                 : traits_.kernels == KernelSet::eager    ? Efficiency::host_eager_s
                                 : traits_.kernels == KernelSet::compiled ? Efficiency::host_compiled_s
                                                                          : Efficiency::host_fused_s);
    host_experts_ = constants_.seconds(Efficiency::host_experts_s);
    layer_start_ = constants_.seconds(Efficiency::layer_start_s);
    loss_passes_ = constants_(traits_.fused() ? Efficiency::loss_passes_fused : Efficiency::loss_passes);
    tensor_exposed_ = !run.overlap                             ? 1.0
                      : traits_.fused()                        ? constants_(Efficiency::tensor_exposed_fused)
                      : traits_.kernels == KernelSet::compiled ? constants_(Efficiency::tensor_exposed_compiled)
                                                               : 1.0;
    context_exposed_ = constants_(Efficiency::context_exposed);
    expert_exposed_ = traits_.framework != nullptr && traits_.framework->hides_expert_exchange
                          ? constants_(Efficiency::dual_batch_exposed)
                          : 1.0;
    software_ = named("perf.software_as_tuned",
                      constants_.compute_factor(traits_) * constants_.of_tuning(run.tuning, Efficiency::tuning_typical,
                                                                                Efficiency::tuning_as_installed));
    experts_ = constants_.experts_factor(traits_);
  }

  void set_kinds(const LayerStack& stack, const TrainingRun& run) {
    const FlopsConvention causal{};
    FlopsConvention full{};
    full.attention = FlopsConvention::Attention::full;
    full.window_counted = false;
    for (const LayerKind& kind : stack.kinds) {
      Kind known{.kind = &kind, .weights = linear_weights(model_, kind)};
      known.count = trace_.method("layers_of_kind", kind.count, "docs/method/parameters_and_flops.md");
      const bool scores = !traits_.fused_attention && has_attention(kind);
      known.attention_work =
          layer_training_flops(trace_, model_, kind, scores ? full : causal, attention_tokens_).core_attention;
      known.scores = scores;
      known.heads = trace_.method("perf.heads", kind.heads, kPage);
      known.heads_width =
          trace_.method("perf.heads_width",
                        has_attention(kind) && !kind.latent ? (kind.heads + 2.0 * kind.kv_heads) * kind.head_dim
                                                            : 2.0 * kind.heads * kind.head_dim,
                        kPage);
      if (value_of(adapter_width_) > Bytes(0)) set_adapters(known, run);
      kinds_.push_back(std::move(known));
    }
  }

  static constexpr std::string_view kPage = "docs/method/training_time.md#kernels";
  struct Kind {
    const LayerKind* kind = nullptr;
    LinearWeights weights;
    Known<double> count{};
    Known<Flops> attention_work{};
    bool scores = false;  ///< attention whose scores go through memory
    Known<double> heads{};
    Known<double> heads_width{};
    Known<double> adapters{}, adapter_inputs{}, adapter_outputs{};
  };
  Known<double> whole(std::string_view id, double value) { return trace_.method(id, value, kPage); }

  void set_adapters(Kind& known, const TrainingRun& run) {
    double in = 0;
    double out = 0;
    double count = 0;
    for (const LinearWeight& weight : adapted_weights(model_, *known.kind, run.lora_targets)) {
      in += weight.active * weight.in;
      out += weight.active * weight.out;
      count += weight.active;
    }
    known.adapters = whole("perf.adapters_of_layer", count);
    known.adapter_inputs = whole("perf.adapter_inputs", in);
    known.adapter_outputs = whole("perf.adapter_outputs", out);
  }

  void set_layout(const TrainingRun& run) {
    const TrainingParallelism& p = run.parallelism;
    tensor_ = trace_.input("/parallelism/tensor", p.tensor);
    norm_ranks_ = p.sequence_parallel ? tensor_ : 1.0;
    const auto context = trace_.input("/parallelism/context", p.context);
    tokens_ = named("perf.micro_batch_tokens",
                    tokens_per_rank(sequence_, trace_.input("/micro_batch_size", run.micro_batch_size), context));
    if (model_.experts <= 0) return;
    // Tokens of a tensor group are spread over its ranks before they travel; ranks that share an expert work on the
    // tokens of all of them.
    const auto expert_tensor = trace_.input("/parallelism/expert_tensor", p.expert_tensor);
    rows_ =
        named("perf.rows_of_experts",
              expert_rows(tokens_, trace_.fact(model_, "experts_per_token", model_.experts_per_token),
                          named("perf.ranks_of_own_tokens", tensor_ / expert_tensor),
                          run.expert_imbalance > 1 ? trace_.input("/expert_imbalance", run.expert_imbalance) : 1.0));
    expert_width_ = named("perf.expert_width",
                          trace_.fact(model_, "moe_ffn_hidden_size", model_.moe_ffn_hidden_size) / expert_tensor);
    local_experts_ = whole("perf.experts_of_rank", std::max(1.0, model_.experts / p.expert));
    rows_each_ = named("perf.rows_of_one_expert", rows_ / local_experts_);
  }

  /// Times of the exchanges, which do not depend on the kind of layer.
  bool exchanges(const TrainingRun& run) {
    const TrainingParallelism& p = run.parallelism;
    tensor_time_ = Seconds(0);
    if (p.tensor > 1) {
      GroupLinks<Tracer> group;
      if (!links_.group(tensor_, 1, Link::all_reduce, group)) return false;
      const auto payload = named("perf.tensor_payload", row_bytes(tokens_, hidden_, two()));
      const auto two_exchanges =
          trace_.constant("exchanges_of_one_pass", 2.0, "arXiv 1909.08053 section 3: one each for attention and MLP");
      tensor_time_ = named(
          "perf.tensor_exposed",
          named("perf.tensor_exchange_time", two_exchanges * links_.all_reduce(group, payload)) * tensor_exposed_);
    }
    if (p.context > 1 &&
        !links_.group(trace_.input("/parallelism/context", p.context), p.tensor, Link::all_gather, context_group_))
      return false;
    expert_time_ = Seconds(0);
    if (p.expert > 1) {
      GroupLinks<Tracer> group;
      if (!links_.group(trace_.input("/parallelism/expert", p.expert), p.expert_tensor, Link::all_to_all, group))
        return false;
      expert_time_ = expert_exchange(run, group);
    }
    return true;
  }

  /// Dispatch and combine of one pass.
  Time expert_exchange(const TrainingRun& run, const GroupLinks<Tracer>& group) {
    const auto width = trace_.constant("bytes_of_token_value", run.narrow_dispatch ? 1.5 : 2.0,
                                       run.narrow_dispatch ? "8 bit to the experts, 16 bit back" : "16 bit both ways");
    const auto own = named("perf.tokens_to_dispatch", tokens_ / tensor_);
    const auto bytes = named("perf.dispatched_bytes", row_bytes(own, hidden_, width));
    const double nodes = value_of(group.nodes);
    const auto limit =
        model_.routed_nodes_max > 0 ? trace_.fact(model_, "routed_nodes_max", model_.routed_nodes_max) : group.nodes;
    const auto experts_per_token = trace_.fact(model_, "experts_per_token", model_.experts_per_token);
    const auto inside =
        named("perf.expert_bytes_inside", expert_bytes_inside(bytes, experts_per_token, group.ranks_per_node));
    const auto once =
        nodes > 1
            ? named("perf.expert_exchange",
                    expert_exchange_time(
                        inside, value_of(group.ranks_per_node) > 1 ? group.inside : group.across,
                        named("perf.expert_bytes_across",
                              expert_bytes_across(
                                  bytes,
                                  named("perf.nodes_of_token", nodes_of_token(group.nodes, experts_per_token, limit)),
                                  group.nodes)),
                        group.across, group.across_start))
            : named("perf.expert_exchange_inside",
                    point_to_point_time(
                        inside, group.inside,
                        named("perf.two_starts",
                              trace_.constant("starts_of_exchange", 2.0, "counts of tokens travel before the tokens") *
                                  group.inside_start)));
    const auto both =
        named("perf.dispatch_and_combine", trace_.constant("exchanges_of_experts", 2.0, "dispatch and combine") * once);
    return named("perf.expert_exposed", named("perf.expert_exchange_factor", both * experts_) * expert_exposed_);
  }

  LayerTimes<Tracer> layer(const Kind& known, const TrainingRun& run) {
    const bool experts = known.kind->mlp == MlpKind::moe;
    LayerTimes<Tracer> times;
    const Products products = products_of(known, run);
    const Time stream = streams_of(known, products);
    const Time casts = casts_of(products, experts);
    attention(known, times);

    Total<Tracer, Seconds> forward;
    forward.add(products.time);
    forward.add(stream);
    if (casts_values()) forward.add(casts);
    Time backward = backward_of(products, stream, casts);
    if (value_of(known.adapters) > 0) {
      const auto adapters = [&](std::string_view id, std::string_view name, double each, const Known<Bytes>& payload) {
        return named(id,
                     adapter_time(named("perf.adapter_products",
                                        trace_.constant(name, each, "arXiv 2106.09685 section 4.1") * known.adapters),
                                  start_, payload, memory_));
      };
      forward.add(adapters(
          "perf.adapters_forward", "products_of_adapter", 2.0,
          named("perf.adapter_bytes_forward", adapter_forward_bytes(tokens_, known.adapter_inputs,
                                                                    known.adapter_outputs, adapter_width_, element_))));
      backward = sum_of(trace_, "perf.backward_with_adapters", backward,
                        adapters("perf.adapters_backward", "products_of_adapter_backward", 4.0,
                                 named("perf.adapter_bytes_backward",
                                       adapter_backward_bytes(tokens_, known.adapter_inputs, known.adapter_outputs,
                                                              adapter_width_, element_))));
    }
    times.compute_forward = with_software("perf.layer_compute_forward", forward.sum(trace_, "perf.layer_forward"));
    times.compute_backward = with_software("perf.layer_compute_backward", backward);
    if (!traits_.fused()) {
      times.compute_forward = sum_of(trace_, "perf.layer_forward_with_start", times.compute_forward, layer_start_);
      times.compute_backward = sum_of(trace_, "perf.layer_backward_with_start", times.compute_backward, layer_start_);
    }

    const Time host = experts ? sum_of(trace_, "perf.host_layer", host_, host_experts_) : host_;
    times.host_forward =
        named("perf.host_excess_forward", host_excess(host, sum_of(trace_, "perf.gpu_forward", times.compute_forward,
                                                                   times.attention_forward, tensor_time_)));
    times.host_backward =
        named("perf.host_excess_backward",
              host_excess(
                  named("perf.host_backward", passes_time(constants_(Efficiency::host_backward), host)),
                  sum_of(trace_, "perf.gpu_backward", times.compute_backward, times.attention_backward, tensor_time_)));

    times.repeated = repeated_of(run, times, products, stream);
    times.tensor = tensor_time_;
    context(*known.kind, times, run);
    times.expert = experts ? expert_time_ : Seconds(0);
    return times;
  }

  /// What one forward pass multiplies with the weights of a layer.
  struct Products {
    Time time{};
    double inputs = 0;         ///< values of a token that enter dense products
    double expert_inputs = 0;  ///< values of a row that enter products of experts
    double held = 0;           ///< weights on this GPU
    double mlp_width = 0;
  };

  Products products_of(const Kind& known, const TrainingRun& run) {
    Products products;
    Total<Tracer, Seconds> dense;
    Total<Tracer, Seconds> grouped;
    for (const LinearWeight& weight : known.weights) {
      if (weight.role == LinearRole::expert) {
        const auto [in, out] = shape_on_rank(weight, run.parallelism.expert_tensor);
        grouped.add(named("perf.expert_product",
                          grouped_product_time(rows_, rows_each_, whole("perf.columns", out), whole("perf.depth", in),
                                               grouped_, quantisation_share_, half_depth_, start_)));
        products.expert_inputs += in;
        products.held += in * out * value_of(local_experts_);
        continue;
      }
      const auto [in, out] = shape_on_rank(weight, run.parallelism.tensor);
      dense.add(named("perf.product",
                      matrix_product_time(tokens_, whole("perf.columns", out), whole("perf.depth", in), products_,
                                          rates_.wave(), quantisation_share_, half_depth_, misaligned_, start_)));
      products.inputs += in;
      products.held += in * out;
      if (weight.role != LinearRole::attention && weight.split == TensorSplit::rows)
        products.mlp_width += weight.in * (model_.mlp_matrices + 1.0);
    }
    products.time = dense.sum(trace_, "perf.dense_products");
    if (known.kind->mlp == MlpKind::moe)
      products.time = sum_of(trace_, "perf.products", products.time,
                             named("perf.expert_products", grouped.sum(trace_, "perf.grouped_products") * experts_));
    return products;
  }

  /// What streams through memory in one forward pass.
  Time streams_of(const Kind& known, const Products& products) {
    Total<Tracer, Seconds> streaming;
    streaming.add(named("perf.elementwise",
                        streaming_time(named("perf.elementwise_bytes",
                                             elementwise_bytes(tokens_, hidden_, norm_ranks_, known.heads_width,
                                                               whole("perf.mlp_width", products.mlp_width), tensor_)),
                                       elementwise_, memory_)));
    if (known.kind->mlp == MlpKind::moe) {
      const auto inner = sum_of(
          trace_, "perf.expert_streams",
          named("perf.expert_elementwise",
                streaming_time(named("perf.expert_elementwise_bytes", expert_elementwise_bytes(rows_, expert_width_)),
                               elementwise_, memory_)),
          named("perf.permute",
                streaming_time(named("perf.permuted_bytes", permuted_bytes(rows_, hidden_, permute_passes_)), 1.0,
                               memory_)));
      streaming.add(named("perf.expert_streaming", inner * experts_));
    }
    return streaming.sum(trace_, "perf.streaming");
  }

  bool casts_values() const { return narrow_ || quantised_weights_; }

  /// Values cast to narrow formats, and weights unpacked from them, in one forward pass.
  Time casts_of(const Products& products, bool experts) {
    Time casts = Seconds(0);
    if (narrow_)
      casts = named("perf.quantise",
                    streaming_time(named("perf.quantised_bytes",
                                         quantised_bytes(tokens_, whole("perf.product_inputs", products.inputs),
                                                         experts ? rows_ : 0.0,
                                                         whole("perf.expert_inputs", products.expert_inputs))),
                                   quantise_passes_, memory_));
    if (quantised_weights_)
      casts = sum_of(trace_, "perf.quantise_and_unpack", casts,
                     named("perf.unpack_weights", accumulation_time(whole("perf.weights_of_layer", products.held),
                                                                    constants_(Efficiency::unpacked_bytes), memory_)));
    return casts;
  }

  /// The backward pass of products, streams and casts, before the factor of the software.
  Time backward_of(const Products& products, const Time& stream, const Time& casts) {
    Total<Tracer, Seconds> backward;
    const auto weight_passes =
        trace_.constant(frozen_ ? "backward_products_with_frozen_weights" : "backward_products", frozen_ ? 1.0 : 2.0,
                        frozen_ ? "to inputs: weights are frozen" : "to inputs and to weights");
    backward.add(named("perf.backward_products", passes_time(weight_passes, products.time)));
    backward.add(named("perf.backward_streaming",
                       passes_time(trace_.constant("backward_streams", 2.0, "inputs and gradients are read"), stream)));
    if (casts_values())
      backward.add(named(
          "perf.backward_quantise",
          passes_time(constants_(frozen_ ? Efficiency::casts_backward_frozen : Efficiency::casts_backward), casts)));
    if (!frozen_)
      backward.add(named("perf.accumulate",
                         accumulation_time(whole("perf.weights_of_layer", products.held), accumulate_bytes_, memory_)));
    return backward.sum(trace_, "perf.layer_backward");
  }

  /// What is computed once more before the backward pass.
  Time repeated_of(const TrainingRun& run, const LayerTimes<Tracer>& times, const Products& products,
                   const Time& stream) {
    if (run.activation_recompute == Recompute::full)
      return sum_of(trace_, "perf.repeated_forward", times.compute_forward, times.attention_forward,
                    times.host_forward);
    if (run.activation_recompute != Recompute::selective) return Seconds(0);
    switch (selective_) {
      case SelectiveRecompute::core_attention:
        return times.attention_forward;
      case SelectiveRecompute::cheap_values:
        return with_software("perf.repeated_streams", stream);
      case SelectiveRecompute::alternate_products:
        return with_software("perf.repeated_products",
                             named("perf.alternate_products", passes_time(alternate_, products.time)));
    }
    return Seconds(0);
  }

  Time with_software(std::string_view id, const Time& time) const { return named(id, time * software_); }

  void attention(const Kind& known, LayerTimes<Tracer>& times) {
    const LayerKind& kind = *known.kind;
    times.attention_forward = Seconds(0);
    times.attention_backward = Seconds(0);
    if (value_of(known.attention_work) <= Flops(0)) return;
    const auto work =
        named("perf.attention_work_forward", attention_work_of_rank(known.attention_work, tokens_, tensor_));
    Time forward;
    Time backward;
    if (known.scores) {
      const double dim = kind.head_dim;
      const bool of_64 = dim == 64.0 * std::floor(dim / 64.0);
      const bool of_8 = dim == 8.0 * std::floor(dim / 8.0);
      const auto scores =
          named("perf.score_pass_bytes", score_pass_bytes(tokens_, known.heads, attention_tokens_, tensor_));
      forward =
          named("perf.unfused_attention",
                unfused_attention_time(work, score_products_, of_64 ? 1.0 : (of_8 ? head_not_of_64_ : head_not_of_8_),
                                       softmax_passes_, scores, memory_, start_));
      backward = named("perf.unfused_attention_backward",
                       passes_time(trace_.constant("unfused_backward", 2.0, "arXiv 2205.05198 section 4.1"), forward));
    } else {
      Known<FlopsPerSecond> rate = attention_rate_;
      if (kind.latent)
        rate = named("perf.latent_attention_rate", rate * latent_share_);
      else if (kind.head_dim <= 64)
        rate = named("perf.narrow_head_rate", rate * narrow_head_);
      forward = named("perf.fused_attention", fused_attention_time(work, rate, start_));
      backward = named("perf.fused_attention_backward",
                       fused_attention_time(named("perf.attention_work_backward", backward_attention_work(work)),
                                            named("perf.attention_rate_backward", rate * backward_share_), start_));
    }
    times.attention_forward = named("perf.attention_forward", forward * software_);
    times.attention_backward = named("perf.attention_backward", backward * software_);
  }

  void context(const LayerKind& kind, LayerTimes<Tracer>& times, const TrainingRun& run) {
    times.context_forward = Seconds(0);
    times.context_backward = Seconds(0);
    if (run.parallelism.context <= 1 || !has_attention(kind)) return;
    const double t = run.parallelism.tensor;
    const double kv =
        kind.latent ? 2.0 * kind.heads * kind.head_dim / t : 2.0 * std::max(1.0, kind.kv_heads / t) * kind.head_dim;
    const auto ranks = context_group_.ranks;
    const auto bytes =
        run.context_exchange == ContextExchange::ring
            ? named("perf.ring_bytes", ring_bytes(tokens_, whole("perf.kv_width", kv), ranks))
            : named("perf.head_exchange_bytes",
                    head_exchange_bytes(
                        tokens_, whole("perf.exchanged_width", kv + 2.0 * kind.heads * kind.head_dim / t), ranks));
    const auto once = links_.transfer(context_group_, bytes);
    const auto twice = named("perf.context_exchange_backward",
                             trace_.constant("exchanges_of_backward", 2.0, "values and their gradients") * once);
    times.context_forward =
        named("perf.context_exposed_forward", interfering_exchange(once, times.attention_forward, context_exposed_));
    times.context_backward =
        named("perf.context_exposed_backward", interfering_exchange(twice, times.attention_backward, context_exposed_));
  }

  Tracer& trace_;
  TrainingRates<Tracer>& rates_;
  TrainingConstants<Tracer> constants_;
  TrainingLinks<Tracer> links_;
  SoftwareTraits traits_;
  const Model& model_;
  SelectiveRecompute selective_;
  bool narrow_ = false;
  bool frozen_ = false;
  bool quantised_weights_ = false;
  std::vector<Kind> kinds_;

  Known<FlopsPerSecond> products_{}, wide_products_{}, grouped_{}, score_products_{}, attention_rate_{};
  Known<BytesPerSecond> memory_{};
  Known<double> backward_share_{}, narrow_head_{}, latent_share_{}, quantisation_share_{}, half_depth_{}, misaligned_{},
      softmax_passes_{}, head_not_of_64_{}, head_not_of_8_{}, elementwise_{}, permute_passes_{}, quantise_passes_{},
      accumulate_bytes_{}, alternate_{}, loss_passes_{}, tensor_exposed_{}, context_exposed_{}, expert_exposed_{},
      software_{}, experts_{}, sequence_{}, attention_tokens_{}, hidden_{}, vocabulary_{}, layers_{};
  Known<Bytes> adapter_width_{}, element_{};
  Time start_{}, host_{}, host_experts_{}, layer_start_{};

  // Of the layout
  Known<double> tensor_{}, norm_ranks_{}, tokens_{}, rows_{}, rows_each_{}, expert_width_{}, local_experts_{};
  Time tensor_time_{}, expert_time_{};
  GroupLinks<Tracer> context_group_;
};

}  // namespace podwright
