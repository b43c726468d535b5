#pragma once
/// Micro-batches whose activations one pipeline stage (0-based) holds at its fullest moment.
#include "base/arithmetic.h"
#include "base/trace.h"
#include "memory/training_run.h"

namespace podwright {

/// Micro-batches of one step.
constexpr auto micro_batches_per_step(Of<double> auto global_batch, Of<double> auto micro_batch, Of<double> auto data) {
  return global_batch / (micro_batch * data);
}

constexpr auto in_flight_1f1b(Of<double> auto micro_batches, Of<double> auto pipeline, Of<double> auto stage) {
  return cited("arXiv 2104.04473 section 2.2", min(micro_batches, pipeline - stage));
}

/// In whole micro-batches of the stage; each is `virtual_pipeline` chunks.
constexpr auto in_flight_interleaved(Of<double> auto micro_batches, Of<double> auto pipeline,
                                     Of<double> auto virtual_pipeline, Of<double> auto stage) {
  const auto held = pipeline + (pipeline - 1.0 - 2.0 * stage) / virtual_pipeline;
  return cited("Megatron-Core, warm-up chunks of the interleaved schedule", min(micro_batches, held));
}

/// ZB-H1 and ZB-1p with `depth` 1, ZB-2p with 2.
constexpr auto in_flight_zero_bubble(Of<double> auto micro_batches, Of<double> auto pipeline, Of<double> auto depth) {
  return cited("arXiv 2401.10241 section 3", min(micro_batches, depth * pipeline));
}

template <class Tracer>
Known<Tracer, double> micro_batches_of(Tracer& trace, const TrainingRun& run) {
  return named("micro_batches", micro_batches_per_step(trace.input("/global_batch_size", run.global_batch_size),
                                                       trace.input("/micro_batch_size", run.micro_batch_size),
                                                       trace.input("/parallelism/data", run.parallelism.data)));
}

/// Without a pipeline it is one: gradients are accumulated micro-batch by micro-batch.
template <class Tracer>
Known<Tracer, double> micro_batches_in_flight(Tracer& trace, const TrainingRun& run, int stage) {
  if (run.parallelism.pipeline <= 1) return 1.0;
  const auto micro_batches = micro_batches_of(trace, run);
  const auto pipeline = trace.input("/parallelism/pipeline", run.parallelism.pipeline);
  const auto place = trace.method("stage", static_cast<double>(stage), "docs/method/training_memory.md");
  switch (run.schedule) {
    case Schedule::gpipe:
      return micro_batches;
    case Schedule::zb_h1:
    case Schedule::zb_1p:
      return named("in_flight",
                   in_flight_zero_bubble(micro_batches, pipeline,
                                         trace.constant("zero_bubble_depth", 1.0, "arXiv 2401.10241 section 3")));
    case Schedule::zb_2p:
      return named("in_flight",
                   in_flight_zero_bubble(micro_batches, pipeline,
                                         trace.constant("zero_bubble_depth", 2.0, "arXiv 2401.10241 section 3")));
    case Schedule::one_f_one_b:
    case Schedule::interleaved:
      break;
  }
  if (run.parallelism.virtual_pipeline <= 1) return named("in_flight", in_flight_1f1b(micro_batches, pipeline, place));
  return named("in_flight", in_flight_interleaved(
                                micro_batches, pipeline,
                                trace.input("/parallelism/virtual_pipeline", run.parallelism.virtual_pipeline), place));
}

}  // namespace podwright
