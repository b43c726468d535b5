#pragma once
/// Micro-batches whose activations one pipeline stage (0-based) holds at its fullest moment.
#include "base/formula.h"
#include "base/trace.h"
#include "memory/training_run.h"

namespace podwright {

/// Micro-batches of one step.
constexpr double micro_batches_per_step(double global_batch, double micro_batch, double data) {
  return global_batch / (micro_batch * data);
}
inline constexpr Formula<micro_batches_per_step> kMicroBatchesPerStep{.id = "memory.micro_batches_per_step",
                                                                      .inputs = {"global_batch", "micro_batch", "data"},
                                                                      .equation = "global_batch / (micro_batch * data)",
                                                                      .source = "definition"};

constexpr double in_flight_1f1b(double micro_batches, double pipeline, double stage) {
  return micro_batches < pipeline - stage ? micro_batches : pipeline - stage;
}
inline constexpr Formula<in_flight_1f1b> kInFlight1f1b{.id = "memory.in_flight_1f1b",
                                                       .inputs = {"micro_batches", "pipeline", "stage"},
                                                       .equation = "min(micro_batches, pipeline - stage)",
                                                       .source = "arXiv 2104.04473 section 2.2"};

/// In whole micro-batches of the stage; each is `virtual_pipeline` chunks.
constexpr double in_flight_interleaved(double micro_batches, double pipeline, double virtual_pipeline, double stage) {
  const double held = pipeline + (pipeline - 1.0 - 2.0 * stage) / virtual_pipeline;
  return micro_batches < held ? micro_batches : held;
}
inline constexpr Formula<in_flight_interleaved> kInFlightInterleaved{
    .id = "memory.in_flight_interleaved",
    .inputs = {"micro_batches", "pipeline", "virtual_pipeline", "stage"},
    .equation = "min(micro_batches, pipeline + (pipeline - 1 - 2 * stage) / virtual_pipeline)",
    .source = "Megatron-Core, warm-up chunks of the interleaved schedule"};

/// ZB-H1 and ZB-1p with `depth` 1, ZB-2p with 2.
constexpr double in_flight_zero_bubble(double micro_batches, double pipeline, double depth) {
  return micro_batches < depth * pipeline ? micro_batches : depth * pipeline;
}
inline constexpr Formula<in_flight_zero_bubble> kInFlightZeroBubble{.id = "memory.in_flight_zero_bubble",
                                                                    .inputs = {"micro_batches", "pipeline", "depth"},
                                                                    .equation = "min(micro_batches, depth * pipeline)",
                                                                    .source = "arXiv 2401.10241 section 3"};

template <class Tracer>
typename Tracer::template Known<double> micro_batches_of(Tracer& trace, const TrainingRun& run) {
  return trace.step("micro_batches", kMicroBatchesPerStep, trace.input("/global_batch_size", run.global_batch_size),
                    trace.input("/micro_batch_size", run.micro_batch_size),
                    trace.input("/parallelism/data", run.parallelism.data));
}

/// Without a pipeline it is one: gradients are accumulated micro-batch by micro-batch.
template <class Tracer>
typename Tracer::template Known<double> micro_batches_in_flight(Tracer& trace, const TrainingRun& run, int stage) {
  if (run.parallelism.pipeline <= 1) return trace.constant("one_micro_batch_in_flight", 1.0, "no pipeline");
  const auto micro_batches = micro_batches_of(trace, run);
  const auto pipeline = trace.input("/parallelism/pipeline", run.parallelism.pipeline);
  const auto place = trace.method("stage", static_cast<double>(stage), "docs/method/training_memory.md");
  switch (run.schedule) {
    case Schedule::gpipe:
      return micro_batches;
    case Schedule::zb_h1:
    case Schedule::zb_1p:
      return trace.step("in_flight", kInFlightZeroBubble, micro_batches, pipeline,
                        trace.constant("zero_bubble_depth", 1.0, "arXiv 2401.10241 section 3"));
    case Schedule::zb_2p:
      return trace.step("in_flight", kInFlightZeroBubble, micro_batches, pipeline,
                        trace.constant("zero_bubble_depth", 2.0, "arXiv 2401.10241 section 3"));
    case Schedule::one_f_one_b:
    case Schedule::interleaved:
      break;
  }
  if (run.parallelism.virtual_pipeline <= 1)
    return trace.step("in_flight", kInFlight1f1b, micro_batches, pipeline, place);
  return trace.step("in_flight", kInFlightInterleaved, micro_batches, pipeline,
                    trace.input("/parallelism/virtual_pipeline", run.parallelism.virtual_pipeline), place);
}

}  // namespace podwright
