#pragma once
/// Points that nothing beats in speed for one user, output of a GPU and price together, kept while a search runs.
#include <cstdint>
#include <vector>

namespace podwright::sizing {

struct FrontPoint {
  double tpot = 0;   ///< s
  double ttft = 0;   ///< s
  double rate = 0;   ///< output tokens/s of a GPU
  double price = 0;  ///< of an output token; infinite where not known
  double in_flight = 0;
  double requests = 0;       ///< 1/s of a replica
  std::uint32_t layout = 0;  ///< whoever adds points knows what it means
  bool within_limits = true;
};

class ServingFront {
 public:
  /// The point as it is kept, until the next offer; null where another beats it.
  FrontPoint* offer(const FrontPoint& point);
  /// By rising tpot.
  std::vector<FrontPoint> take();

 private:
  std::vector<FrontPoint> points_;
};

}  // namespace podwright::sizing
