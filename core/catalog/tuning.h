#pragma once
/// How well a run is tuned to its machine: what its user will get. docs/method/accuracy.md#who-ran-it.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/item.h"

namespace podwright {

/// tuned: by those who make the hardware or the software, for their performance tables. typical: by people who mean to
/// be fast. as_installed: software as it comes.
enum class Tuning { tuned, typical, as_installed };
inline constexpr std::array<std::string_view, 3> kTuningWords{"tuned", "typical", "as-installed"};

/// Whose measured runs a table holds.
struct MeasuredSource : CatalogItem {
  std::string words;  ///< in the name of the source, in small letters
  Tuning tuning = Tuning::typical;
};

/// Of the runs of a source: the first entry whose words are in its name, else typical.
Tuning tuning_of(const std::vector<MeasuredSource>& sources, std::string_view source);

}  // namespace podwright
