#pragma once
/// Weights, gradients and optimizer state of one GPU. docs/method/training_memory.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Over how many ranks each part of the state is spread.
struct StateShards {
  double weights = 1;
  double gradients = 1;
  double optimizer = 1;
};
/// ZeRO stage 0 keeps all, 1 shards the optimizer, 2 also gradients, 3 also weights (arXiv 1910.02054).
constexpr StateShards state_shards(int zero_stage, double ranks) {
  return {.weights = zero_stage >= 3 ? ranks : 1.0,
          .gradients = zero_stage >= 2 ? ranks : 1.0,
          .optimizer = zero_stage >= 1 ? ranks : 1.0};
}

/// State of parameters that are spread evenly over `shards` ranks.
constexpr auto sharded_bytes(Of<double> auto parameters, Of<Bytes> auto per_parameter, Of<double> auto shards) {
  return cited("arXiv 1910.02054 section 5", parameters * per_parameter / shards);
}

/// Ranks that hold the same routed experts.
constexpr auto expert_state_ranks(Of<double> auto tensor, Of<double> auto context, Of<double> auto data,
                                  Of<double> auto expert, Of<double> auto expert_tensor) {
  return cited("Megatron-Core, expert data parallelism", tensor * context * data / (expert * expert_tensor));
}

/// Parameters of low-rank adapters: a down and an up matrix beside each linear weight; `widths` is the sum of in + out
/// of those.
constexpr auto adapter_parameters(Of<double> auto rank, Of<double> auto widths) {
  return cited("arXiv 2106.09685 section 4.1", rank * widths);
}

/// Bytes of a frozen weight in a 4-bit normal format with doubly quantised scales: 4 bits, an 8-bit scale per `block`
/// weights, and a 32-bit scale per `outer_block` of those.
constexpr auto double_quantised_bytes(Of<double> auto bits, Of<double> auto block, Of<double> auto outer_block) {
  return cited("arXiv 2305.14314 section 3", in<Bytes>((bits + 8.0 / block + 32.0 / (block * outer_block)) / 8.0));
}

/// Parameters that other ranks hold.
constexpr auto parameters_elsewhere(Of<double> auto parameters, Of<double> auto ranks) {
  return cited("arXiv 1910.02054 section 5.3", parameters - parameters / ranks);
}

/// Parameters gathered from their shards: the unit in use and those fetched ahead, at most all that others hold.
constexpr auto gathered_units(Of<double> auto unit, Of<double> auto prefetch_units, Of<double> auto elsewhere) {
  return cited("arXiv 2304.11277 section 4.3", min(unit * (1.0 + prefetch_units), elsewhere));
}

/// What the kernels of the optimizer, one for each of its operations, hold while they run.
constexpr auto update_temporaries(Of<Bytes> auto optimizer, Of<double> auto temporary) {
  return cited("torch/optim/adamw.py, _multi_tensor_adamw", optimizer * temporary);
}

/// What the allocator reserves beyond what is allocated.
constexpr auto reserved_beyond_allocated(Of<Bytes> auto allocated, Of<double> auto allocated_share) {
  return cited("SimuMax v1.2", allocated / allocated_share - allocated);
}

}  // namespace podwright
