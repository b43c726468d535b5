#pragma once
/// The front of a serving search as it grows: points of layouts with a number of sequences in flight each, of which
/// those are kept that none beats. docs/method/search.md#serving.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "sizing/serving_candidates.h"
#include "sizing/serving_question.h"
#include "sizing/serving_replica.h"

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

/// What stands behind points: a replica of this layout.
struct FrontLayout {
  std::uint32_t offer = 0;
  std::uint32_t engine = 0;
  std::string precision;
  ServingParallelism layout;
  double draft_tokens = 0;
  const MigProfile* slice = nullptr;
};

class FrontSearch {
 public:
  /// The question must outlive this.
  explicit FrontSearch(const ServingQuestion& question) : question_(question) {}

  /// Offers the replica with 1, 2, 4 ... sequences in flight; nothing where answers have one token.
  void sample(const ServingReplica& replica, FrontLayout layout);
  /// By rising tpot.
  std::vector<ServingPoint> take();
  /// Of 90 % intervals; absent where no fit tells them.
  const std::optional<ServingWidths>& widths_of(const FrontLayout& from, const ServingRun& run);

 private:
  ServingPoint shown(const FrontPoint& point);

  const ServingQuestion& question_;
  ServingFront front_;
  std::vector<FrontLayout> layouts_;
  /// Of an engine on a GPU or slice, looked up once.
  std::map<std::tuple<std::uint32_t, std::uint32_t, const MigProfile*>, std::optional<ServingWidths>> widths_;
};

}  // namespace podwright::sizing
