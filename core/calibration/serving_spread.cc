#include "calibration/serving_spread.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/csv_write.h"
#include "base/math.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/backtest_serving.h"
#include "catalog/architecture_word.h"

namespace podwright {
namespace {

constexpr std::size_t kLeastToTell = 15;  ///< misses that a width needs
constexpr double kShare = 0.9;            ///< of misses inside the interval

double half_width(std::vector<double> misses) {
  for (double& miss : misses) miss = std::fabs(miss);
  std::sort(misses.begin(), misses.end());
  const double place = kShare * static_cast<double>(misses.size() - 1);
  return misses[static_cast<std::size_t>(std::ceil(place))];
}

/// What few runs measure.
bool of_power(ServingWidth width) { return width == ServingWidth::power || width == ServingWidth::energy; }

const std::vector<double>* enough(const ServingMisses& misses, ServingWidth width, bool experts) {
  const auto found = misses.find({width, experts});
  return found == misses.end() || found->second.size() < kLeastToTell ? nullptr : &found->second;
}

/// `before`: the level before; null at the first. Absent where nothing gives the width.
std::optional<ServingSpread> spread_of(const ServingMissesAt& level, ServingWidth width, bool experts,
                                       const ServingSpread* before) {
  ServingSpread spread;
  spread.metric = word_of(width, kServingWidthWords);
  spread.knowledge = level.level;
  spread.architecture = architecture_word(experts);
  spread.source = "serving-time-fit";
  const std::vector<double>* misses = enough(level.misses, width, experts);
  if (misses == nullptr) {
    misses = enough(level.misses, width, !experts);
    spread.note = "too few rows: that of the other kind of models";
  }
  if (misses == nullptr && before == nullptr) return {};
  if (misses == nullptr) {
    spread.note = "too few rows: that of the level before";
    spread.half_width = before->half_width;
    return spread;
  }
  spread.rows = static_cast<double>(misses->size());
  spread.half_width = half_width(*misses);
  if (spread.half_width < kRepeats) {
    spread.half_width = kRepeats;
    spread.note = "not below what repeated runs differ by";
  }
  if (before != nullptr && spread.half_width < before->half_width) {
    spread.half_width = before->half_width;
    spread.note = "not below the level before";
  }
  return spread;
}

}  // namespace

ServingMisses serving_misses(const std::vector<const MeasuredServingRow*>& rows, const Backtest& backtest,
                             bool as_installed) {
  std::map<std::string, const MeasuredServingRow*> of_id;
  for (const MeasuredServingRow* row : rows) of_id[row->id] = row;
  ServingMisses misses;
  std::set<std::pair<std::string, ServingFigure>> counted;
  for (const BacktestCell& cell : backtest.cells) {
    const auto found = of_id.find(cell.id);
    if (found == of_id.end() || found->second->other_scheduler) continue;
    if (label_of(cell.labels, "load_kind") == kNearLimit) continue;
    const MeasuredServingRow& row = *found->second;
    const ServingFigure figure = measured_figure(cell.metric);
    const ServingWidth width = serving_width(figure, row.run);
    if (!of_power(width) && (row.run.tuning == Tuning::as_installed) != as_installed) continue;
    const bool follow_from_each_other = figure == ServingFigure::rate || figure == ServingFigure::energy;
    if (follow_from_each_other && !counted.insert({cell.id, figure}).second) continue;
    misses[{width, row.model.experts > 0}].push_back(math::log(cell.predicted / cell.measured));
  }
  return misses;
}

Result<std::vector<ServingSpread>> serving_spreads(const std::vector<ServingMissesAt>& levels) {
  std::vector<ServingSpread> spreads;
  for (std::size_t width = 0; width < kServingWidthWords.size(); ++width)
    for (const bool experts : {false, true})
      for (const ServingMissesAt& level : levels) {
        const bool first = &level == &levels.front();
        const std::optional<ServingSpread> spread =
            spread_of(level, static_cast<ServingWidth>(width), experts, first ? nullptr : &spreads.back());
        if (!spread && of_power(static_cast<ServingWidth>(width))) break;
        if (!spread)
          return failure({"missing", "",
                          "Fewer than " + std::to_string(kLeastToTell) + " measured figures show how far \"" +
                              std::string(kServingWidthWords[width]) + "\" is missed.",
                          "Add runs that measured it."});
        spreads.push_back(*spread);
      }
  return spreads;
}

std::string serving_spreads_csv(const ServingEfficiency& efficiency) {
  std::string text = "metric,knowledge,architecture,half_width,rows,source,note\n";
  for (const ServingSpread& row : efficiency.spreads)
    text += csv_line({row.metric, row.knowledge, row.architecture, fixed_number(row.half_width, 4),
                      shortest_number(row.rows), row.source, row.note});
  return text;
}

}  // namespace podwright
