#include "sizing/limit_certainty.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"

namespace podwright::sizing {

Margins margins_at(double confidence, std::vector<LatencyLimit> limits, const ServingRun& run,
                   const std::optional<ServingWidths>& widths) {
  Margins margins{.limits = std::move(limits)};
  if (!widths || !(confidence > 0.5)) return margins;
  const double first = width_of(ServingFigure::ttft, run, *widths);
  const double steps = width_of(ServingFigure::tpot, run, *widths);
  for (LatencyLimit& limit : margins.limits)
    limit = stretched(limit, share_kept_at(confidence, limit.latency == LatencyKind::ttft   ? first
                                                       : limit.latency == LatencyKind::tpot ? steps
                                                                                            : std::max(first, steps)));
  margins.rate_share = share_kept_at(confidence, width_of(ServingFigure::most, run, *widths));
  return margins;
}

Seconds reached(const ServingPerformance<NoTrace>& performance, const LatencyLimit& limit) {
  const auto& percentiles = performance.percentiles;
  const Seconds mean = figure_of(performance, limit.latency).value_or(Seconds(0));
  if (limit.percentile == Percentile::mean || !percentiles) return mean;
  if (limit.latency == LatencyKind::tpot && !percentiles->tpot) return mean;
  const auto& times = limit.latency == LatencyKind::ttft   ? percentiles->ttft
                      : limit.latency == LatencyKind::tpot ? *percentiles->tpot
                                                           : percentiles->request;
  const auto place = std::find(kPercentiles.begin(), kPercentiles.end(), limit.percentile);
  return times[static_cast<std::size_t>(place - kPercentiles.begin())];
}

bool within(const ServingPerformance<NoTrace>& performance, const std::vector<LatencyLimit>& limits) {
  for (const LatencyLimit& limit : limits)
    if (reached(performance, limit) > limit.most) return false;
  return true;
}

std::vector<LimitCertainty> limit_certainty(const ServingEstimate<NoTrace>& estimate,
                                            const std::vector<LatencyLimit>& limits) {
  std::vector<LimitCertainty> told;
  for (const LatencyLimit& limit : limits) {
    LimitCertainty one;
    one.limit = limit;
    one.reached = reached(*estimate.performance, limit);
    // Percentiles err as the mean they belong to.
    const auto& mean = figure_of(*estimate.performance, limit.latency);
    if (estimate.bounds && mean && *mean > Seconds(0) && one.reached > Seconds(0)) {
      if (const auto& bounds = figure_of(*estimate.bounds, limit.latency)) {
        one.low = one.reached * (bounds->low / *mean);
        one.high = one.reached * (bounds->high / *mean);
      }
    }
    told.push_back(one);
  }
  return told;
}

std::string_view certainty_word(const LimitCertainty& kept) {
  if (!kept.deviations) return "";
  if (*kept.deviations >= kDeviationsOfInterval) return "certain";
  return kept.reached <= kept.limit.most ? "likely" : "unlikely";
}

std::string chance_text(double probability) {
  if (probability > 0.99) return "more than 99 %";
  return "about " + human_number(100 * probability, 2) + " %";
}

std::string certainty_text(const LimitCertainty& kept) {
  std::string text = text_of(kept.limit) + " is " + time_text(kept.reached);
  const std::string limit = "the limit of " + time_text(kept.limit.most);
  if (!kept.deviations) return text + ", " + limit + " is kept; no fit shows how certain that is.";
  text += " (90 % interval " + time_text(*kept.low) + " to " + time_text(*kept.high) + "): ";
  const std::string share = "it is kept with " + chance_text(*kept.probability) + ".";
  if (*kept.high > kept.limit.most) return text + limit + " lies inside the interval, " + share;
  if (certainty_word(kept) == "certain") return text + limit + " lies above the interval, " + share;
  return text + limit + " lies above the interval, but slower steps also carry fewer requests: " + share;
}

}  // namespace podwright::sizing
