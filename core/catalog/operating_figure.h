#pragma once
/// Figures of running a cluster that belong to no one product: restarts, storage, host processors.
#include <string_view>
#include <vector>

#include "catalog/item.h"

namespace podwright {

struct OperatingFigure : CatalogItem {
  double low = 0;      ///< base units
  double typical = 0;  ///< base units
  double high = 0;     ///< base units
};

/// Null where the catalog has none of this id.
inline const OperatingFigure* find_operating_figure(const std::vector<OperatingFigure>& figures, std::string_view id) {
  for (const OperatingFigure& figure : figures)
    if (figure.id == id) return &figure;
  return nullptr;
}

}  // namespace podwright
