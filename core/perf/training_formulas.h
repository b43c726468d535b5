#pragma once
/// Equations of one training step. A stage works micro-batch by micro-batch; the bubble, the gradient exchange and the
/// optimizer follow. docs/method/training_time.md.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Forward and backward, in forward passes of equal cost.
constexpr Seconds passes_time(double passes, Seconds forward) { return passes * forward; }
inline constexpr Formula<passes_time> kPassesTime{.id = "perf.passes_time",
                                                  .inputs = {"passes", "forward"},
                                                  .equation = "passes * forward",
                                                  .source = "docs/method/training_time.md#kernels"};

/// Parameters of a model part that one GPU holds.
constexpr double parameters_per_gpu(double parameters, double ranks, double pipeline) {
  return parameters / (ranks * pipeline);
}
inline constexpr Formula<parameters_per_gpu> kParametersPerGpu{.id = "perf.parameters_per_gpu",
                                                               .inputs = {"parameters", "ranks", "pipeline"},
                                                               .equation = "parameters / (ranks * pipeline)",
                                                               .source = "arXiv 2104.04473 section 2"};

constexpr Bytes payload_of(double values, double bytes_per_value) { return Bytes(values * bytes_per_value); }
inline constexpr Formula<payload_of> kPayloadOf{.id = "perf.payload_of",
                                                .inputs = {"values", "bytes_per_value"},
                                                .equation = "values * bytes_per_value",
                                                .source = "definition"};

/// Values of a row for each token: hidden states that ranks exchange, logits.
constexpr Bytes row_bytes(double tokens, double width, double bytes_per_value) {
  return Bytes(tokens * width * bytes_per_value);
}
inline constexpr Formula<row_bytes> kRowBytes{.id = "perf.row_bytes",
                                              .inputs = {"tokens", "width", "bytes_per_value"},
                                              .equation = "tokens * width * bytes_per_value",
                                              .source = "arXiv 2205.05198 section 4.2.2"};

constexpr Seconds micro_batches_time(double count, Seconds each) { return count * each; }
inline constexpr Formula<micro_batches_time> kMicroBatchesTime{.id = "perf.micro_batches_time",
                                                               .inputs = {"count", "each"},
                                                               .equation = "count * each",
                                                               .source = "arXiv 2104.04473 section 2.2"};

/// An optimizer reads and writes its states once; nothing else limits it.
constexpr Seconds optimizer_time(double parameters, double bytes_per_parameter, BytesPerSecond bandwidth) {
  return Bytes(parameters * bytes_per_parameter) / bandwidth;
}
inline constexpr Formula<optimizer_time> kOptimizerTime{.id = "perf.optimizer_time",
                                                        .inputs = {"parameters", "bytes_per_parameter", "bandwidth"},
                                                        .equation = "parameters * bytes_per_parameter / bandwidth",
                                                        .source = "docs/method/training_time.md#streaming-operations"};

constexpr double tokens_per_step(double global_batch_size, double sequence_length) {
  return global_batch_size * sequence_length;
}
inline constexpr Formula<tokens_per_step> kTokensPerStep{.id = "perf.tokens_per_step",
                                                         .inputs = {"global_batch_size", "sequence_length"},
                                                         .equation = "global_batch_size * sequence_length",
                                                         .source = "definition"};

constexpr PerSecond tokens_per_second(double tokens, Seconds step) { return tokens / step; }
inline constexpr Formula<tokens_per_second> kTokensPerSecond{
    .id = "perf.tokens_per_second", .inputs = {"tokens", "step"}, .equation = "tokens / step", .source = "definition"};

constexpr FlopsPerSecond achieved_rate(Flops work, Seconds step, double gpus) { return work / step / gpus; }
inline constexpr Formula<achieved_rate> kAchievedRate{.id = "perf.achieved_rate",
                                                      .inputs = {"work", "step", "gpus"},
                                                      .equation = "work / step / gpus",
                                                      .source = "arXiv 2104.04473 section 5.1"};

/// Work of a frozen weight: forward, and backward to the inputs only.
constexpr Flops frozen_weight_work(Flops training) { return training * 2.0 / 3.0; }
inline constexpr Formula<frozen_weight_work> kFrozenWeightWork{.id = "perf.frozen_weight_work",
                                                               .inputs = {"training"},
                                                               .equation = "training * 2 / 3",
                                                               .source = "arXiv 2106.09685 section 4"};

/// Training from begin to end without interruptions.
constexpr Seconds run_time_of_tokens(double tokens, PerSecond tokens_per_second) { return tokens / tokens_per_second; }
inline constexpr Formula<run_time_of_tokens> kRunTimeOfTokens{.id = "perf.run_time_of_tokens",
                                                              .inputs = {"tokens", "tokens_per_second"},
                                                              .equation = "tokens / tokens_per_second",
                                                              .source = "definition"};

}  // namespace podwright
