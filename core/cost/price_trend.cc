#include "cost/price_trend.h"

#include <cmath>

#include "base/math.h"
#include "cost/rent.h"

namespace podwright {
namespace {

constexpr double kMuch = 0.25;
constexpr double kYearDays = 365;

}  // namespace

std::optional<PriceTrend> price_trend(const Catalog& catalog, std::string_view gpu_id, std::string_view as_of) {
  std::optional<PriceTrend> most;
  double moved = math::log(1 + kMuch);
  const auto counts = [&](const PricePoint& point) {
    return point.gpu_id == gpu_id && point.basis.rfind("on-demand", 0) == 0;
  };
  // Points of a series follow each other.
  for (std::size_t i = 1; i < catalog.price_history.size(); ++i) {
    const PricePoint& from = catalog.price_history[i - 1];
    const PricePoint& to = catalog.price_history[i];
    const auto age = price_age_days(to.date, as_of);
    if (!counts(from) || !counts(to) || from.series != to.series || !age || !(*age < kYearDays)) continue;
    const double change = std::fabs(math::log(to.low / from.low));
    if (change <= moved) continue;
    moved = change;
    most = {&from, &to};
  }
  return most;
}

}  // namespace podwright
