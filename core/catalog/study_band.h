#pragma once
/// What study material calls a cluster of some size, each band compared with what the documents say.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/item.h"

namespace podwright {

/// `source` of the item says where `correction` comes from. Bands may overlap, as they do in the material.
struct StudyBand : CatalogItem {
  std::string size_name;  ///< single node, BasePOD, DGX POD, SuperPOD, custom; empty: the material leaves a gap
  double min_gpus = 1;
  std::optional<double> max_gpus;  ///< absent: no upper end
  std::string statement;           ///< of the material, in other words
  std::string correction;
  std::vector<double> claims;  ///< numbers of architecture claims that say more
  std::string document;        ///< source id of the study material
};

/// Reads study_bands.csv. Columns: name, min_gpus, max_gpus, statement, correction, claims (numbers separated by ";"),
/// document, source. Errors have the path "<path>:<line>".
void read_study_bands(std::string_view path, std::string_view text, std::vector<StudyBand>& bands, Errors& errors);

}  // namespace podwright
