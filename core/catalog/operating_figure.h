#pragma once
/// Figures of running a cluster that belong to no one product: restarts, storage, host processors.
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/item.h"

namespace podwright {

struct OperatingFigure : CatalogItem {
  double low = 0;      ///< base units
  double typical = 0;  ///< base units
  double high = 0;     ///< base units
};

/// Reads operating_figures.csv. Columns: id, low, typical, high, unit (s, GB/s, parameters/s, GPUs, V, W,
/// A, U for rack units, m, K, 1), source, note.
/// Errors have the path "<path>:<line>".
void read_operating_figures(std::string_view path, std::string_view text, std::vector<OperatingFigure>& figures,
                            Errors& errors);

/// Null where the catalog has none of this id.
const OperatingFigure* find_operating_figure(const std::vector<OperatingFigure>& figures, std::string_view id);

}  // namespace podwright
