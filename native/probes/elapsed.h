#pragma once
/// How long something has taken.
#include <chrono>

namespace podwright::probes {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace podwright::probes
