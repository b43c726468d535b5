#pragma once
/// Weights, gradients and optimizer state of one GPU. docs/method/training_memory.md.
#include "base/formula.h"
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
constexpr Bytes sharded_bytes(double parameters, Bytes per_parameter, double shards) {
  return parameters * per_parameter / shards;
}
inline constexpr Formula<sharded_bytes> kShardedBytes{.id = "memory.sharded_bytes",
                                                      .inputs = {"parameters", "per_parameter", "shards"},
                                                      .equation = "parameters * per_parameter / shards",
                                                      .source = "arXiv 1910.02054 section 5"};

/// Parameters of a block divided over a tensor- or expert-parallel group.
constexpr double parameters_per_rank(double parameters, double ranks) { return parameters / ranks; }
inline constexpr Formula<parameters_per_rank> kParametersPerRank{.id = "memory.parameters_per_rank",
                                                                 .inputs = {"parameters", "ranks"},
                                                                 .equation = "parameters / ranks",
                                                                 .source = "arXiv 1909.08053"};

/// Ranks over which the states of dense parameters can be spread.
constexpr double dense_state_ranks(double data, double context) { return data * context; }
inline constexpr Formula<dense_state_ranks> kDenseStateRanks{.id = "memory.dense_state_ranks",
                                                             .inputs = {"data", "context"},
                                                             .equation = "data * context",
                                                             .source = "Megatron-Core, distributed optimizer"};

/// Ranks that hold the same routed experts.
constexpr double expert_state_ranks(double tensor, double context, double data, double expert, double expert_tensor) {
  return tensor * context * data / (expert * expert_tensor);
}
inline constexpr Formula<expert_state_ranks> kExpertStateRanks{
    .id = "memory.expert_state_ranks",
    .inputs = {"tensor", "context", "data", "expert", "expert_tensor"},
    .equation = "tensor * context * data / (expert * expert_tensor)",
    .source = "Megatron-Core, expert data parallelism"};

/// Ranks that share one copy of the routed experts.
constexpr double expert_ranks(double expert, double expert_tensor) { return expert * expert_tensor; }
inline constexpr Formula<expert_ranks> kExpertRanks{.id = "memory.expert_ranks",
                                                    .inputs = {"expert", "expert_tensor"},
                                                    .equation = "expert * expert_tensor",
                                                    .source = "Megatron-Core, expert parallelism"};

/// The optimizer's bytes per parameter.
constexpr Bytes optimizer_bytes_per_parameter(Bytes master, Bytes moments) { return master + moments; }
inline constexpr Formula<optimizer_bytes_per_parameter> kOptimizerBytesPerParameter{
    .id = "memory.optimizer_bytes_per_parameter",
    .inputs = {"master", "moments"},
    .equation = "master + moments",
    .source = "arXiv 1910.02054 section 3.1"};

/// Parameters of low-rank adapters: a down and an up matrix beside each linear weight; `widths` is the sum of in + out
/// of those.
constexpr double adapter_parameters(double rank, double widths) { return rank * widths; }
inline constexpr Formula<adapter_parameters> kAdapterParameters{.id = "memory.adapter_parameters",
                                                                .inputs = {"rank", "widths"},
                                                                .equation = "rank * widths",
                                                                .source = "arXiv 2106.09685 section 4.1"};

/// Bytes of a frozen weight in a 4-bit normal format with doubly quantised scales: 4 bits, an 8-bit scale per `block`
/// weights, and a 32-bit scale per `outer_block` of those.
constexpr Bytes double_quantised_bytes(double bits, double block, double outer_block) {
  return Bytes((bits + 8.0 / block + 32.0 / (block * outer_block)) / 8.0);
}
inline constexpr Formula<double_quantised_bytes> kDoubleQuantisedBytes{
    .id = "memory.double_quantised_bytes",
    .inputs = {"bits", "block", "outer_block"},
    .equation = "(bits + 8 / block + 32 / (block * outer_block)) / 8",
    .source = "arXiv 2305.14314 section 3"};

/// Parameters that other ranks hold.
constexpr double parameters_elsewhere(double parameters, double ranks) { return parameters - parameters / ranks; }
inline constexpr Formula<parameters_elsewhere> kParametersElsewhere{.id = "memory.parameters_elsewhere",
                                                                    .inputs = {"parameters", "ranks"},
                                                                    .equation = "parameters - parameters / ranks",
                                                                    .source = "arXiv 1910.02054 section 5.3"};

/// Parameters gathered from their shards: the unit in use and those fetched ahead, at most all that others hold.
constexpr double gathered_units(double unit, double prefetch_units, double elsewhere) {
  return unit * (1.0 + prefetch_units) < elsewhere ? unit * (1.0 + prefetch_units) : elsewhere;
}
inline constexpr Formula<gathered_units> kGatheredUnits{.id = "memory.gathered_units",
                                                        .inputs = {"unit", "prefetch_units", "elsewhere"},
                                                        .equation = "min(unit * (1 + prefetch_units), elsewhere)",
                                                        .source = "arXiv 2304.11277 section 4.3"};

/// A full-size buffer for something that is stored otherwise: gradients of one unit, a dequantised weight, a shape's
/// weight gradient.
constexpr Bytes working_buffer_bytes(double parameters, Bytes element) { return parameters * element; }
inline constexpr Formula<working_buffer_bytes> kWorkingBufferBytes{.id = "memory.working_buffer_bytes",
                                                                   .inputs = {"parameters", "element"},
                                                                   .equation = "parameters * element",
                                                                   .source = "definition"};

/// What the allocator reserves beyond what is allocated.
constexpr Bytes reserved_beyond_allocated(Bytes allocated, double allocated_share) {
  return allocated / allocated_share - allocated;
}
inline constexpr Formula<reserved_beyond_allocated> kReservedBeyondAllocated{
    .id = "memory.reserved_beyond_allocated",
    .inputs = {"allocated", "allocated_share"},
    .equation = "allocated / allocated_share - allocated",
    .source = "SimuMax v1.2"};

}  // namespace podwright
