#pragma once
/// How long something has taken, and how long it may still take.
#include <chrono>

namespace podwright::probes {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds) {}
  /// Negative when it is over.
  double left() const { return seconds_ - seconds_since(start_); }

 private:
  double seconds_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace podwright::probes
