#pragma once
/// What a serving search leaves out, one entry a reason, and the words for it.
#include <string>
#include <utility>
#include <vector>

#include "sizing/candidates.h"
#include "sizing/latency_limit.h"

namespace podwright::sizing {

class ServingRejections {
 public:
  /// Counts one layout. `reason` and `layout` are functions: the words are only written where this one misses by less
  /// than what is known of `code`.
  template <class Reason, class Layout>
  void add(const std::string& code, double shortfall, const Reason& reason, const Layout& layout) {
    for (Rejection& known : rejected_) {
      if (known.reason.code != code) continue;
      known.count += 1;
      if (!(shortfall < known.reason.shortfall)) return;
      known.reason = reason();
      known.layout = layout();
      return;
    }
    rejected_.push_back({.reason = reason(), .layout = layout(), .count = 1});
  }
  template <class Layout>
  void add(const Infeasible& reason, const Layout& layout) {
    add(
        reason.code, reason.shortfall, [&] { return reason; }, layout);
  }
  std::vector<Rejection> take() { return std::move(rejected_); }

 private:
  std::vector<Rejection> rejected_;
};

/// The engine does not start the layout: the first obstacle.
Infeasible cannot_start(const std::vector<std::string>& obstacles);
Infeasible too_many_gpus(double gpus, double most);
/// Requests take so long; `whose` begins the sentence: "For a single request on 8 x H100,".
Infeasible too_slow(const LatencyLimit& limit, Seconds takes, const Message& whose);
/// As predicted they keep the limit, but not with the confidence that is asked for, which takes them below `safe`.
Infeasible too_unsure(const LatencyLimit& limit, Seconds takes, Seconds safe, double confidence, const Message& whose);
/// One of these two: `safe` is what the confidence leaves of the limit.
Infeasible too_long(const LatencyLimit& limit, Seconds takes, Seconds safe, double confidence, const Message& whose);
/// "For a single request on 8 x H100,", of the GPUs of one replica.
Message alone_on(double gpus, const std::string& name);

}  // namespace podwright::sizing
