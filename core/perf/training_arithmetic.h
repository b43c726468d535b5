#pragma once
/// Equations of one training step. A stage works micro-batch by micro-batch; the bubble, the gradient exchange and the
/// optimizer follow. docs/method/training_time.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Forward and backward, in forward passes of equal cost.
constexpr auto passes_time(Of<double> auto passes, Of<Seconds> auto forward) {
  return cited("docs/method/training_time.md#kernels", passes * forward);
}

/// Parameters of a model part that one GPU holds.
constexpr auto parameters_per_gpu(Of<double> auto parameters, Of<double> auto ranks, Of<double> auto pipeline) {
  return cited("arXiv 2104.04473 section 2", parameters / (ranks * pipeline));
}

constexpr auto payload_of(Of<double> auto values, Of<double> auto bytes_per_value) {
  return in<Bytes>(values * bytes_per_value);
}

/// Values of a row for each token: hidden states that ranks exchange, logits.
constexpr auto row_bytes(Of<double> auto tokens, Of<double> auto width, Of<double> auto bytes_per_value) {
  return cited("arXiv 2205.05198 section 4.2.2", in<Bytes>(tokens * width * bytes_per_value));
}

constexpr auto micro_batches_time(Of<double> auto count, Of<Seconds> auto each) {
  return cited("arXiv 2104.04473 section 2.2", count * each);
}

/// An optimizer reads and writes its states once; nothing else limits it.
constexpr auto optimizer_time(Of<double> auto parameters, Of<double> auto bytes_per_parameter,
                              Of<BytesPerSecond> auto bandwidth) {
  return cited("docs/method/training_time.md#streaming-operations",
               in<Bytes>(parameters * bytes_per_parameter) / bandwidth);
}

constexpr auto tokens_per_step(Of<double> auto global_batch_size, Of<double> auto sequence_length) {
  return global_batch_size * sequence_length;
}

constexpr auto tokens_per_second(Of<double> auto tokens, Of<Seconds> auto step) { return tokens / step; }

constexpr auto achieved_rate(Of<Flops> auto work, Of<Seconds> auto step, Of<double> auto gpus) {
  return cited("arXiv 2104.04473 section 5.1", work / step / gpus);
}

/// Work of a frozen weight: forward, and backward to the inputs only.
constexpr auto frozen_weight_work(Of<Flops> auto training) {
  return cited("arXiv 2106.09685 section 4", training * 2.0 / 3.0);
}

}  // namespace podwright
