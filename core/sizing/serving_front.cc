#include "sizing/serving_front.h"

#include <algorithm>

namespace podwright::sizing {
namespace {

/// At least as good in everything; equal points count once.
bool beats(const FrontPoint& a, const FrontPoint& b) {
  return a.tpot <= b.tpot && a.rate >= b.rate && a.price <= b.price;
}

}  // namespace

FrontPoint* ServingFront::offer(const FrontPoint& point) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!beats(points_[i], point)) continue;
    // What beats one point tends to beat the next.
    if (i > 0) std::swap(points_[i], points_[i - 1]);
    return nullptr;
  }
  points_.erase(
      std::remove_if(points_.begin(), points_.end(), [&](const FrontPoint& other) { return beats(point, other); }),
      points_.end());
  points_.push_back(point);
  return &points_.back();
}

std::vector<FrontPoint> ServingFront::take() {
  std::sort(points_.begin(), points_.end(), [](const FrontPoint& a, const FrontPoint& b) {
    if (a.tpot != b.tpot) return a.tpot < b.tpot;
    return a.rate != b.rate ? a.rate > b.rate : a.price < b.price;
  });
  return std::move(points_);
}

}  // namespace podwright::sizing
