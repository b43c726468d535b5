#include "measure/skip_reason.h"

namespace podwright {

ProbeExit exit_of(SkipReason reason, bool required) {
  switch (reason) {
    case SkipReason::device_fault:
    case SkipReason::hang:
    case SkipReason::gpu_lost:
    case SkipReason::rank_lost:
      return ProbeExit::fault;
    default:
      return required ? ProbeExit::unusable : ProbeExit::ok;
  }
}

}  // namespace podwright
