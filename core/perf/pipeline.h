#pragma once
/// Idle time of a pipeline. A stage works `micro_batches` x `stage_time`; the rest of the step it waits: the bubble.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Bubble over ideal time, 1F1B with `chunks` model chunks per stage (1: not interleaved). GPipe has the same.
constexpr double bubble_over_ideal(double stages, double micro_batches, double chunks) {
  return (stages - 1.0) / (chunks * micro_batches);
}
inline constexpr Formula<bubble_over_ideal> kBubbleOverIdeal{.id = "perf.bubble_over_ideal",
                                                             .inputs = {"stages", "micro_batches", "chunks"},
                                                             .equation = "(stages - 1) / (chunks * micro_batches)",
                                                             .source = "arXiv 2104.04473 section 2.2"};

/// Bubble over total time.
constexpr double bubble_over_total(double stages, double micro_batches, double chunks) {
  return (stages - 1.0) / (chunks * micro_batches + stages - 1.0);
}
inline constexpr Formula<bubble_over_total> kBubbleOverTotal{
    .id = "perf.bubble_over_total",
    .inputs = {"stages", "micro_batches", "chunks"},
    .equation = "(stages - 1) / (chunks * micro_batches + stages - 1)",
    .source = "arXiv 2104.04473 section 2.2"};

/// `stage_time` is forward and backward of one micro-batch through all chunks of one stage.
constexpr Seconds bubble_time(double stages, double chunks, Seconds stage_time) {
  return (stages - 1.0) / chunks * stage_time;
}
inline constexpr Formula<bubble_time> kBubbleTime{.id = "perf.bubble_time",
                                                  .inputs = {"stages", "chunks", "stage_time"},
                                                  .equation = "(stages - 1) / chunks * stage_time",
                                                  .source = "arXiv 2104.04473 section 2.2"};

/// Backward split into its input and its weight part, the weight part filling the wait (ZB-H1).
constexpr Seconds bubble_time_zb_h1(double stages, Seconds forward, Seconds backward_input, Seconds backward_weight) {
  return (stages - 1.0) * (forward + backward_input - backward_weight);
}
inline constexpr Formula<bubble_time_zb_h1> kBubbleTimeZbH1{
    .id = "perf.bubble_time_zb_h1",
    .inputs = {"stages", "forward", "backward_input", "backward_weight"},
    .equation = "(stages - 1) * (forward + backward_input - backward_weight)",
    .source = "arXiv 2401.10241 table 2"};

}  // namespace podwright
