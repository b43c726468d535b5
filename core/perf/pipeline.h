#pragma once
/// The pipeline bubble: a stage works `micro_batches` x `stage_time`, and waits for the rest of the step.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Bubble over ideal time, 1F1B with `chunks` model chunks per stage (1: not interleaved). GPipe has the same.
constexpr auto bubble_over_ideal(Of<double> auto stages, Of<double> auto micro_batches, Of<double> auto chunks) {
  return cited("arXiv 2104.04473 section 2.2", (stages - 1.0) / (chunks * micro_batches));
}

/// Bubble over total time.
constexpr auto bubble_over_total(Of<double> auto stages, Of<double> auto micro_batches, Of<double> auto chunks) {
  return cited("arXiv 2104.04473 section 2.2", (stages - 1.0) / (chunks * micro_batches + stages - 1.0));
}

/// Idle time of every stage in a step; `stage_time` is forward and backward of one micro-batch through all chunks of
/// one stage.
constexpr auto bubble_time(Of<double> auto stages, Of<double> auto chunks, Of<Seconds> auto stage_time) {
  return cited("arXiv 2104.04473 section 2.2", (stages - 1.0) / chunks * stage_time);
}

/// Backward split into its input and its weight part, the weight part filling the wait (ZB-H1).
constexpr auto bubble_time_zb_h1(Of<double> auto stages, Of<Seconds> auto forward, Of<Seconds> auto backward_input,
                                 Of<Seconds> auto backward_weight) {
  return cited("arXiv 2401.10241 table 2", (stages - 1.0) * (forward + backward_input - backward_weight));
}

}  // namespace podwright
