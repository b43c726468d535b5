#pragma once
/// What the published training runs behind the fitted constants have in common, so that a prediction can say how near
/// to them it stands. Written by `podwright calibrate --from-measured`. docs/method/accuracy.md#intervals.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/item.h"

namespace podwright {

/// Runs that agree in software, GPU, precision, kind and width of model, and what they span besides that.
struct TrainingSupport : CatalogItem {
  std::string framework;     ///< id; empty: software that the catalog does not know
  std::string period;        ///< of the framework, as in training_software.csv; empty: none
  std::string gpu;           ///< id
  std::string precision;     ///< word of the request
  std::string architecture;  ///< dense, moe
  double hidden_size = 0;
  double rows = 0;
  double sequence_least = 0;  ///< tokens
  double sequence_most = 0;   ///< tokens
  double gpus_least = 0;
  double gpus_most = 0;
};

/// Reads training_support.csv: the members above in their order, then source.
void read_training_support(const std::string& path, std::string_view text, std::vector<TrainingSupport>& support,
                           Errors& errors);

}  // namespace podwright
