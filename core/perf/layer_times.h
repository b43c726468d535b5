#pragma once
/// The parts of a layer's time in a training step. docs/method/training_time.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Times of one micro-batch in one layer.
template <class Tracer>
struct LayerTimes {
  using Time = Known<Tracer, Seconds>;
  Time compute_forward{};
  Time compute_backward{};
  Time attention_forward{};
  Time attention_backward{};
  Time repeated{};      ///< computed again in the backward pass
  Time host_forward{};  ///< the GPU waits for its host
  Time host_backward{};
  Time tensor{};  ///< exposed exchange of one pass
  Time context_forward{};
  Time context_backward{};
  Time expert{};  ///< exposed dispatch and combine of one pass
};

/// All parts of a layer's times, in their order.
template <class Tracer>
inline constexpr
    typename LayerTimes<Tracer>::Time LayerTimes<Tracer>::*kLayerParts[] = {&LayerTimes<Tracer>::compute_forward,
                                                                            &LayerTimes<Tracer>::compute_backward,
                                                                            &LayerTimes<Tracer>::attention_forward,
                                                                            &LayerTimes<Tracer>::attention_backward,
                                                                            &LayerTimes<Tracer>::repeated,
                                                                            &LayerTimes<Tracer>::host_forward,
                                                                            &LayerTimes<Tracer>::host_backward,
                                                                            &LayerTimes<Tracer>::tensor,
                                                                            &LayerTimes<Tracer>::context_forward,
                                                                            &LayerTimes<Tracer>::context_backward,
                                                                            &LayerTimes<Tracer>::expert};

}  // namespace podwright
