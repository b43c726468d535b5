#include "catalog/training_efficiency.h"

namespace podwright {

const SoftwareFactor* TrainingEfficiency::find(SoftwareFactor::Level level, std::string_view name,
                                               std::string_view period) const {
  for (const SoftwareFactor& factor : software)
    if (factor.level == level && factor.software == name && factor.period == period) return &factor;
  return nullptr;
}

const PredictionSpread* TrainingEfficiency::spread(std::string_view knowledge, std::string_view architecture) const {
  for (const PredictionSpread& spread : spreads)
    if (spread.knowledge == knowledge && spread.architecture == architecture) return &spread;
  return nullptr;
}

}  // namespace podwright
