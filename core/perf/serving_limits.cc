#include "perf/serving_limits.h"

namespace podwright {

Infeasible no_sequence_fits() {
  return {.code = "no-room-for-one-sequence", .message = say("no-room-for-one-sequence/any")};
}

}  // namespace podwright
