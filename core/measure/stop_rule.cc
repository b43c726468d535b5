#include "measure/stop_rule.h"

#include <algorithm>

namespace podwright {
namespace {

/// Fewer samples cannot tell how strongly neighbours depend on each other.
constexpr int kFewestBackToBack = 24;

bool is_look(int samples) { return std::find(kLooks.begin(), kLooks.end(), samples) != kLooks.end(); }

}  // namespace

StopState stop_state(std::span<const double> in_order, double elapsed_s, const StopRule& rule) {
  const int samples = static_cast<int>(in_order.size());
  const bool may_stop = is_look(samples) && (!rule.back_to_back || samples >= kFewestBackToBack);
  if (may_stop) {
    const auto half_width = summary_of(in_order).relative_half_width();
    if (half_width && *half_width <= rule.target) return StopState::precise;
  }
  return samples >= kLooks.back() || elapsed_s >= rule.budget_s ? StopState::budget : StopState::go_on;
}

}  // namespace podwright
