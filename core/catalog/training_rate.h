#pragma once
/// What published training runs reached on a GPU.
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "catalog/item.h"

namespace podwright {

/// Rates per GPU over the published full-training runs of dense models, all in one convention: 6 FLOP for each
/// parameter and token, attention not counted.
struct TrainingRate : CatalogItem {
  std::string gpu_id;
  std::string precision;  ///< bf16 (16-bit formats), fp8 (8-bit formats), fp4
  double rows = 0;
  double row_sources = 0;  ///< publishers of the rows
  FlopsPerSecond lowest;
  FlopsPerSecond median;
  FlopsPerSecond best;
  std::string best_run;  ///< who published it
};

/// Null where nothing is published for this GPU and precision.
inline const TrainingRate* find_training_rate(const std::vector<TrainingRate>& rates, std::string_view gpu_id,
                                              std::string_view precision) {
  for (const TrainingRate& rate : rates)
    if (rate.gpu_id == gpu_id && rate.precision == precision) return &rate;
  return nullptr;
}

}  // namespace podwright
