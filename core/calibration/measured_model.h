#pragma once
/// The model of a measured run: a model of the catalog with the sizes that the row gives on top, or one made of those
/// sizes alone.
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "calibration/measured_cells.h"
#include "catalog/catalog.h"

namespace podwright {

/// What a row tells of its model. Absent: the cell is blank.
struct ModelCells {
  std::string model_id;  ///< of the catalog; empty: not given
  std::string name;      ///< as the source writes it
  std::optional<double> layers;
  std::optional<double> hidden;
  std::optional<double> heads;
  std::optional<double> kv_heads;
  std::optional<double> head_dim;
  std::optional<double> ffn;
  std::optional<double> vocab;
  std::optional<double> experts;
  std::optional<double> experts_per_token;
  std::optional<double> mlp_matrices;
  std::optional<bool> ffn_is_per_expert;
  double tensor = 1;  ///< divides the attention heads: where the heads are not given, they must allow it
};

/// The columns model_id, model, those of the sizes, and tp.
ModelCells model_cells(const MeasuredCells& cells);

struct MeasuredModel {
  Model model;
  std::vector<std::string> assumptions;  ///< sizes that no cell and no catalog tells
};

/// Error "missing" where layers or hidden size are given by neither.
Result<MeasuredModel> measured_model(const Catalog& catalog, const ModelCells& cells);

}  // namespace podwright
