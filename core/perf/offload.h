#pragma once
/// Time of states and activations that live outside the GPU: what passes over the link to the host or to NVMe, what the
/// host's processors compute, and how much of it the GPU's own work hides. docs/method/calendar.md#offload.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Bytes that leave the GPU in one step when the optimizer lives on the host: the gradients of the parameters that it
/// updates. The new weights come back: kOffloadedWeightBytes.
constexpr auto offloaded_gradient_bytes(Of<double> auto updated_parameters, Of<Bytes> auto gradient) {
  return cited("arXiv 2101.06840 section 3.3", updated_parameters * gradient);
}

/// Bytes that return: the updated weights in the format of the forward pass.
constexpr auto offloaded_weight_bytes(Of<double> auto updated_parameters, Of<Bytes> auto weight) {
  return cited("arXiv 2101.06840 section 3.3", updated_parameters * weight);
}

/// Bytes of weights fetched when the parameters live on the host: once for each pass of each micro-batch over them
/// (forward, backward, and the repeated forward of full recomputation).
constexpr auto fetched_weight_bytes(Of<double> auto parameters, Of<Bytes> auto weight, Of<double> auto passes,
                                    Of<double> auto micro_batches) {
  return cited("arXiv 2104.07857 section 4.1", parameters * weight * passes * micro_batches);
}

/// One direction of a link; both directions carry at once.
constexpr auto offload_transfer_time(Of<Bytes> auto out, Of<Bytes> auto back, Of<BytesPerSecond> auto one_way) {
  return cited("docs/method/calendar.md#offload", max(out, back) / one_way);
}

/// Update by the host's processors, which the GPUs of a node share. `rate` is in parameters per second of one node.
constexpr auto host_optimizer_time(Of<double> auto updated_parameters, Of<double> auto gpus_per_node,
                                   Of<PerSecond> auto rate) {
  return cited("arXiv 2101.06840 table 4", updated_parameters * gpus_per_node / rate);
}

/// Optimizer states that live on NVMe are read and written once in a step.
constexpr auto nvme_state_time(Of<double> auto updated_parameters, Of<Bytes> auto states,
                               Of<BytesPerSecond> auto rate) {
  return cited("arXiv 2104.07857 section 4.1", 2.0 * (updated_parameters * states) / rate);
}

/// What a step waits for at its end. Gradients leave while the backward pass still runs, and what does not fit behind
/// it waits; then the host updates, and the new weights return while it updates the next ones, so the longer of the two
/// counts.
constexpr auto exposed_optimizer_offload(Of<Seconds> auto gradients_out, Of<Seconds> auto backward,
                                         Of<Seconds> auto update, Of<Seconds> auto weights_back) {
  return cited("arXiv 2101.06840 section 4.1", max(Seconds(0), gradients_out - backward) + max(update, weights_back));
}

/// Weights and activations that stream beside the computation: what is longer than it waits.
constexpr auto exposed_streaming(Of<Seconds> auto transfer, Of<Seconds> auto compute) {
  return cited("arXiv 2104.07857 section 6.2", max(Seconds(0), transfer - compute));
}

}  // namespace podwright
