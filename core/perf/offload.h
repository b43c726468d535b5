#pragma once
/// Time of states and activations that live outside the GPU: what passes over the link to the host or to NVMe, what the
/// host's processors compute, and how much of it the GPU's own work hides. docs/method/calendar.md#offload.
#include <algorithm>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Bytes that leave the GPU in one step when the optimizer lives on the host: the gradients of the parameters that it
/// updates. The new weights come back: kOffloadedWeightBytes.
constexpr Bytes offloaded_gradient_bytes(double updated_parameters, Bytes gradient) {
  return updated_parameters * gradient;
}
inline constexpr Formula<offloaded_gradient_bytes> kOffloadedGradientBytes{.id = "perf.offloaded_gradient_bytes",
                                                                           .inputs = {"updated_parameters", "gradient"},
                                                                           .equation = "updated_parameters * gradient",
                                                                           .source = "arXiv 2101.06840 section 3.3"};

/// Bytes that return: the updated weights in the format of the forward pass.
constexpr Bytes offloaded_weight_bytes(double updated_parameters, Bytes weight) { return updated_parameters * weight; }
inline constexpr Formula<offloaded_weight_bytes> kOffloadedWeightBytes{.id = "perf.offloaded_weight_bytes",
                                                                       .inputs = {"updated_parameters", "weight"},
                                                                       .equation = "updated_parameters * weight",
                                                                       .source = "arXiv 2101.06840 section 3.3"};

/// Bytes of weights fetched when the parameters live on the host: once for each pass of each micro-batch over them
/// (forward, backward, and the repeated forward of full recomputation).
constexpr Bytes fetched_weight_bytes(double parameters, Bytes weight, double passes, double micro_batches) {
  return parameters * weight * passes * micro_batches;
}
inline constexpr Formula<fetched_weight_bytes> kFetchedWeightBytes{
    .id = "perf.fetched_weight_bytes",
    .inputs = {"parameters", "weight", "passes", "micro_batches"},
    .equation = "parameters * weight * passes * micro_batches",
    .source = "arXiv 2104.07857 section 4.1"};

/// One direction of a link; both directions carry at once.
constexpr Seconds offload_transfer_time(Bytes out, Bytes back, BytesPerSecond one_way) {
  return std::max(out, back) / one_way;
}
inline constexpr Formula<offload_transfer_time> kOffloadTransferTime{.id = "perf.offload_transfer_time",
                                                                     .inputs = {"out", "back", "one_way"},
                                                                     .equation = "max(out, back) / one_way",
                                                                     .source = "docs/method/calendar.md#offload"};

/// Update by the host's processors, which the GPUs of a node share. `rate` is in parameters per second of one node.
constexpr Seconds host_optimizer_time(double updated_parameters, double gpus_per_node, PerSecond rate) {
  return updated_parameters * gpus_per_node / rate;
}
inline constexpr Formula<host_optimizer_time> kHostOptimizerTime{
    .id = "perf.host_optimizer_time",
    .inputs = {"updated_parameters", "gpus_per_node", "rate"},
    .equation = "updated_parameters * gpus_per_node / rate",
    .source = "arXiv 2101.06840 table 4"};

/// Optimizer states that live on NVMe are read and written once in a step.
constexpr Seconds nvme_state_time(double updated_parameters, Bytes states, BytesPerSecond rate) {
  return 2.0 * (updated_parameters * states) / rate;
}
inline constexpr Formula<nvme_state_time> kNvmeStateTime{.id = "perf.nvme_state_time",
                                                         .inputs = {"updated_parameters", "states", "rate"},
                                                         .equation = "2 * updated_parameters * states / rate",
                                                         .source = "arXiv 2104.07857 section 4.1"};

/// What a step waits for at its end. Gradients leave while the backward pass still runs, and what does not fit behind
/// it waits; then the host updates, and the new weights return while it updates the next ones, so the longer of the two
/// counts.
constexpr Seconds exposed_optimizer_offload(Seconds gradients_out, Seconds backward, Seconds update,
                                            Seconds weights_back) {
  return std::max(Seconds(0), gradients_out - backward) + std::max(update, weights_back);
}
inline constexpr Formula<exposed_optimizer_offload> kExposedOptimizerOffload{
    .id = "perf.exposed_optimizer_offload",
    .inputs = {"gradients_out", "backward", "update", "weights_back"},
    .equation = "max(0, gradients_out - backward) + max(update, weights_back)",
    .source = "arXiv 2101.06840 section 4.1"};

/// Weights and activations that stream beside the computation: what is longer than it waits.
constexpr Seconds exposed_streaming(Seconds transfer, Seconds compute) {
  return std::max(Seconds(0), transfer - compute);
}
inline constexpr Formula<exposed_streaming> kExposedStreaming{.id = "perf.exposed_streaming",
                                                              .inputs = {"transfer", "compute"},
                                                              .equation = "max(0, transfer - compute)",
                                                              .source = "arXiv 2104.07857 section 6.2"};

}  // namespace podwright
