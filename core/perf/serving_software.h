#pragma once
/// What an engine adds to its kernels: factors of the engine and of the period of its version.
/// docs/method/serving_time.md#engines.
#include <string>
#include <string_view>

#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

inline constexpr const char* kServingEnginesPage = "docs/method/serving_time.md#engines";

struct EngineFigures {
  double time = 1;     ///< of kernels
  double experts = 1;  ///< of the kernels of experts, beside `time`
  double prompts = 1;  ///< of prompt tokens
  Seconds host_step;
  Seconds host_sequence;
  Seconds first_token;  ///< client to engine and back
  double burst = 0;
};

/// An engine without published runs gets the constants alone.
EngineFigures engine_figures(const ServingEfficiency& efficiency, std::string_view engine, std::string_view version);

/// A sentence where the version is newer than every published run, or the engine is in none; empty otherwise.
std::string engine_staleness(const ServingEfficiency& efficiency, std::string_view engine, std::string_view version);

}  // namespace podwright
