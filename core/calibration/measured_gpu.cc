#include "calibration/measured_gpu.h"

#include "catalog/gpu_named.h"

namespace podwright {

std::optional<double> number_before(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  if (at == std::string_view::npos) return {};
  std::size_t end = at;
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  return cell_number(text.substr(begin, end - begin));
}

const Gpu* measured_gpu(const Catalog& catalog, const MeasuredCells& cells, std::vector<std::string>& assumptions) {
  for (const char* column : {"gpu_id", "gpu"}) {
    const std::string text = cells.text(column);
    if (text.empty()) continue;
    if (const auto gpu = find_gpu(catalog, text)) return *gpu;
  }
  for (const char* column : {"gpu_id", "gpu"}) {
    const Gpu* alike = gpu_named(catalog, {.name = cells.text(column)}).gpu;
    if (alike == nullptr) continue;
    assumptions.push_back("\"" + cells.text(column).substr(0, 60) + "\" is " + alike->name);
    return alike;
  }
  return nullptr;
}

std::string no_gpu_message(const MeasuredCells& cells) {
  const std::string id = cells.text("gpu_id");
  return "the GPU \"" + (id.empty() ? cells.text("gpu") : id).substr(0, 60) + "\" is not in the catalog";
}

}  // namespace podwright
