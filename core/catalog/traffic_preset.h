#pragma once
/// Published traffic that requests take what they do not say from. docs/method/replay.md#presets.
#include <optional>
#include <string_view>
#include <vector>

#include "catalog/item.h"

namespace podwright {

/// What is not published is absent. Fields as those of requests (catalog/traffic.h).
struct TrafficPreset : CatalogItem {
  std::optional<double> input_tokens;   ///< mean, always there
  std::optional<double> output_tokens;  ///< the same
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

/// Its numbers beside the mean lengths, which may be absent.
struct TrafficPresetNumber {
  std::string_view key;
  std::optional<double> TrafficPreset::*value;
  double least;
  double most;
};
inline constexpr TrafficPresetNumber kTrafficPresetNumbers[] = {
    {"input_tokens_cv", &TrafficPreset::input_tokens_cv, 0, 5},
    {"output_tokens_cv", &TrafficPreset::output_tokens_cv, 0, 5},
    {"prefix_hit_ratio", &TrafficPreset::prefix_hit_ratio, 0, 1},
    {"system_prompt_tokens", &TrafficPreset::system_prompt_tokens, 0, 1e7},
    {"system_prompts", &TrafficPreset::system_prompts, 1, 1e6},
    {"turns", &TrafficPreset::turns, 1, 1000},
    {"think_time_s", &TrafficPreset::think_time_s, 0, 1e6},
    {"dispersion", &TrafficPreset::dispersion, 0, 1000},
};

}  // namespace podwright
