#pragma once
/// The GPU of a measured row.
#include <string>
#include <string_view>
#include <vector>

#include "calibration/measured_cells.h"
#include "catalog/catalog.h"

namespace podwright {

/// The number in front of a phrase: 4 of "4 GPUs per node".
std::optional<double> number_before(std::string_view text, std::string_view phrase);

/// The columns gpu_id and gpu: an id or a known spelling, else the GPU that shares most words with the text. Null where
/// none is alike. `assumptions` gets a sentence where words were compared.
const Gpu* measured_gpu(const Catalog& catalog, const MeasuredCells& cells, std::vector<std::string>& assumptions);
/// Why measured_gpu() found none.
std::string no_gpu_message(const MeasuredCells& cells);

}  // namespace podwright
