#pragma once
/// Published traffic that requests take what they do not say from. docs/method/replay.md#presets.
#include <optional>
#include <vector>

#include "catalog/item.h"

namespace podwright {

/// What is not published is absent. Fields as those of requests (catalog/traffic.h).
struct TrafficPreset : CatalogItem {
  std::optional<double> input_tokens;   ///< mean, whole
  std::optional<double> output_tokens;  ///< mean, whole
  std::optional<double> input_tokens_cv;
  std::optional<double> output_tokens_cv;
  std::optional<double> prefix_hit_ratio;  ///< in place of system prompts and turns
  std::optional<double> system_prompt_tokens;
  std::optional<double> system_prompts;
  std::optional<double> turns;
  std::optional<double> think_time_s;
  std::optional<double> dispersion;
  std::vector<double> hours;  ///< 24 relative rates, or none
};

}  // namespace podwright
