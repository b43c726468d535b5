#include "calibration/serving_levels.h"

#include <algorithm>
#include <set>
#include <utility>

namespace podwright {
namespace {

constexpr double kHalvingRows = 4;      ///< rows by which a mean is halved
constexpr double kHalvingSources = 1;   ///< and sources
constexpr double kLeastLevelRows = 12;  ///< that a level stands on

/// Sums over a group's figures: of steps, and of prompts.
struct GroupOfLevels {
  ServingLevel level;
  std::set<std::string> sources;
  double steps = 0;
  double step_figures = 0;
  double prompts = 0;
  double prompt_figures = 0;

  ServingLevel shrunk() const {
    const double count = static_cast<double>(sources.size());
    const auto mean = [&](double sum, double figures) {
      return figures > 0 ? sum / (figures + kHalvingRows) * count / (count + kHalvingSources) : 0.0;
    };
    ServingLevel out = level;
    out.time = mean(steps, step_figures);
    out.prompts = prompt_figures > 0 ? mean(prompts, prompt_figures) - out.time : 0.0;
    out.rows = std::max(step_figures, prompt_figures);
    return out;
  }
};

bool same_group(const ServingLevel& a, const ServingLevel& b) {
  return a.engine == b.engine && a.period == b.period && a.gpu == b.gpu && a.model == b.model;
}

}  // namespace

std::vector<ServingLevel> serving_levels(const std::vector<LevelOfFigure>& figures) {
  std::vector<GroupOfLevels> groups;
  for (const LevelOfFigure& figure : figures) {
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const GroupOfLevels& one) { return same_group(one.level, figure.group); });
    if (found == groups.end()) found = groups.insert(found, GroupOfLevels{.level = figure.group});
    found->sources.insert(figure.source);
    // A level of a rate lengthens where it shortens times.
    const bool of_rate = figure.metric_class == "throughput" || figure.metric_class == "prompt";
    const bool of_prompts = figure.metric_class == "ttft" || figure.metric_class == "prompt";
    (of_prompts ? found->prompts : found->steps) += of_rate ? -figure.level : figure.level;
    (of_prompts ? found->prompt_figures : found->step_figures) += 1;
  }
  std::vector<ServingLevel> levels;
  for (const GroupOfLevels& group : groups)
    if (ServingLevel level = group.shrunk(); level.rows >= kLeastLevelRows) levels.push_back(std::move(level));
  return levels;
}

}  // namespace podwright
