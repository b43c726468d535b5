#pragma once
/// Products of the layers of a step, shape by shape, and their experts. docs/method/serving_time.md#products.
#include <algorithm>

#include "base/arithmetic.h"
#include "model/layers.h"
#include "model/linear_weights.h"
#include "perf/step_arithmetic.h"
#include "perf/step_costs.h"
#include "perf/step_rates.h"

namespace podwright {

inline constexpr const char* kProductsPage = "docs/method/serving_time.md#products";

/// A shape on one GPU, as the trace tells it.
template <class Tracer>
struct TracedShape {
  Known<Tracer, double> columns{};
  Known<Tracer, double> depth{};
  Known<Tracer, double> bits{};
};
template <class Tracer>
TracedShape<Tracer> traced_shape(Tracer& trace, const LinearWeight& weight, double ranks, double bits) {
  const RankShape shape = shape_on_rank(weight, ranks);
  return {.columns = trace.method("perf.product_columns", shape.out, kProductsPage),
          .depth = trace.method("perf.product_depth", shape.in, kProductsPage),
          .bits = trace.method("perf.streamed_bits", bits, kProductsPage)};
}

/// What the experts of a layer take beside their products.
template <class Tracer>
void add_routing(Tracer& trace, const ServingEfficiency& efficiency, const Model& model, const ServingRun& run,
                 const StepRates<Tracer>& rates, StepExperts<Tracer>& experts) {
  using C = ServingConstant;
  const StepConstants<Tracer> constants(trace, efficiency);
  const auto factor = named("perf.expert_layer_factor", factor_product(rates.factors.kernels, rates.figures.experts));
  experts.experts = trace.fact(model, "experts", model.experts);
  experts.experts_per_token = trace.fact(model, "experts_per_token", model.experts_per_token);
  experts.ranks = trace.input("/parallelism/expert", run.parallelism.expert);
  experts.rows_per_token =
      named("perf.routed_rows_per_token",
            routed_rows_per_token(experts.experts_per_token, experts.ranks, constants(C::expert_imbalance)));
  experts.padding = constants(C::expert_padding);
  experts.overlap_loss = constants(C::expert_overlap_loss);
  experts.routing_spread = constants(C::routing_spread);
  experts.row_extra =
      named("perf.expert_row_extra_scaled",
            named("perf.expert_row_extra", expert_row_extra(constants(C::expert_permute_passes),
                                                            trace.fact(model, "hidden_size", model.hidden_size),
                                                            rates.wide_streaming, constants.seconds(C::expert_row_s))) *
                factor);
  experts.start =
      named("perf.expert_start",
            named("perf.expert_start_of_generation",
                  constants.seconds(C::expert_start_s) *
                      named("perf.expert_start_factor", expert_start_factor(rates.factors.generation, experts.experts,
                                                                            constants(C::expert_count_power)))) *
                factor);
}

/// Products outside the experts, and the layers of experts.
template <class Tracer>
void add_products(Tracer& trace, const ServingEfficiency& efficiency, const Model& model, const LayerStack& stack,
                  const ServingRun& run, const StepRates<Tracer>& rates, EngineCosts<Tracer>& costs) {
  using C = ServingConstant;
  const StepConstants<Tracer> constants(trace, efficiency);
  const ServingParallelism& parallelism = run.parallelism;
  const auto kernels = rates.factors.kernels;
  costs.half_rows = constants(C::half_rows);
  costs.overlap_loss = constants(C::product_overlap_loss);
  const auto half_depth = constants(C::half_depth);
  const auto half_width = constants(C::half_width);
  const auto product_start = named(
      "perf.product_start",
      named("perf.product_start_of_generation", constants.seconds(C::product_start_s) * rates.factors.generation) *
          kernels);
  const auto passes = constants(C::activation_traffic);
  const double expert_ranks = std::max(1.0, parallelism.tensor * parallelism.attention_data / parallelism.expert);
  double expert_layers = 0;
  costs.products.reserve(8 * stack.kinds.size());
  for (const LayerKind& kind : stack.kinds) {
    const auto layers = trace.method("layers_of_kind", kind.count, "docs/method/parameters_and_flops.md");
    Total<Tracer, Seconds> expert_row;
    Total<Tracer, Seconds> expert_stream;
    Total<Tracer, Flops> expert_work;
    Total<Tracer, Bytes> expert_weights;
    Total<Tracer, Bytes> expert_traffic;
    for (const LinearWeight& weight : linear_weights(model, kind)) {
      const auto& role = rates.of(weight.role);
      if (!role.rates) continue;
      const bool routed = weight.role == LinearRole::expert;
      const auto shape = traced_shape(trace, weight, routed ? expert_ranks : parallelism.tensor, role.bits);
      if (routed) {
        const auto narrow = constants(C::expert_half_depth);
        const bool by_columns = weight.split == TensorSplit::columns;
        const auto row =
            named("perf.expert_row_time", product_row_time(shape.columns, shape.depth, role.rates->products,
                                                           by_columns ? narrow : 0.0, by_columns ? 0.0 : narrow));
        const auto stream = named("perf.expert_stream", weight_stream_time(shape.columns, shape.depth, shape.bits,
                                                                           role.rates->streaming, Seconds(0)));
        expert_row.add(row);
        expert_stream.add(stream);
        expert_work.add(named("perf.expert_row_work", product_row_work(shape.columns, shape.depth)));
        expert_weights.add(named("perf.expert_weights", product_weight_bytes(shape.columns, shape.depth, shape.bits)));
        expert_traffic.add(named("perf.expert_row_traffic", activation_row_bytes(1.0, shape.columns, shape.depth)));
        continue;
      }
      StepProducts<Tracer> product;
      product.count = layers;
      product.row = named("perf.product_row_time",
                          product_row_time(shape.columns, shape.depth, role.rates->products, half_width, half_depth));
      product.stream = named("perf.product_stream", weight_stream_time(shape.columns, shape.depth, shape.bits,
                                                                       role.rates->streaming, product_start));
      product.activations =
          named("perf.product_activations",
                named("perf.activation_row",
                      cited("docs/method/serving_time.md#products",
                            activation_row_bytes(passes, shape.columns, shape.depth) / rates.wide_streaming)) *
                    kernels);
      product.row_work = named("perf.product_row_work", product_row_work(shape.columns, shape.depth));
      product.weights = named("perf.product_weights", product_weight_bytes(shape.columns, shape.depth, shape.bits));
      product.row_traffic = named("perf.product_row_traffic", activation_row_bytes(1.0, shape.columns, shape.depth));
      costs.products.push_back(product);
    }
    if (kind.mlp == MlpKind::moe) {
      expert_layers += kind.count;
      costs.experts.row = expert_row.sum(trace, "perf.expert_row_of_layer");
      costs.experts.stream = expert_stream.sum(trace, "perf.expert_stream_of_layer");
      costs.experts.row_work = expert_work.sum(trace, "perf.expert_row_work_of_layer");
      costs.experts.weights = expert_weights.sum(trace, "perf.expert_weights_of_layer");
      costs.experts.row_traffic = expert_traffic.sum(trace, "perf.expert_row_traffic_of_layer");
    }
  }
  costs.experts.count = trace.method("expert_layers", expert_layers, "docs/method/parameters_and_flops.md");
  if (expert_layers > 0) add_routing(trace, efficiency, model, run, rates, costs.experts);
}

}  // namespace podwright
