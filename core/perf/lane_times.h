#pragma once
/// Times of one lane that holds a number of sequences.
#include "perf/engine_step.h"

namespace podwright {

template <class Tracer>
struct LaneTimes {
  using Time = typename Tracer::template Known<Seconds>;
  using Count = typename Tracer::template Known<double>;
  Count steps{};
  Count mixed{};
  StepTimes<Tracer> decode_step{};
  StepTimes<Tracer> mixed_step{};
  StepLoad<Tracer> decode_load{};  ///< of `decode_step`
  StepLoad<Tracer> mixed_load{};   ///< of `mixed_step`; without prompt tokens where all prompts lie in the cache
  Time prompt{};                   ///< what one prompt adds to the lane
  Time cycle{};                    ///< of the engine, from one request's place to the next
  Time request{};                  ///< from admission
  Time first_token{};              ///< from admission
};

}  // namespace podwright
