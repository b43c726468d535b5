#include "calibration/measured_gpu.h"

#include <algorithm>

namespace podwright {
namespace {

/// The GPU whose id shares most words with a text: its first word must be there ("h100"), of equals the module wins
/// over the card. Null where none is alike.
const Gpu* gpu_by_words(const Catalog& catalog, std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  const auto there = [&](const std::string& part) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return word == part || (part.rfind(word, 0) == 0 && word.size() >= 3);
    });
  };
  const Gpu* best = nullptr;
  int most = 0;
  for (const Gpu& gpu : catalog.gpus) {
    const std::vector<std::string> parts = words_of(gpu.id);
    if (std::find(words.begin(), words.end(), parts.front()) == words.end()) continue;
    int shared = holds(gpu.id, "sxm") ? 1 : 0;
    for (const std::string& part : parts) shared += there(part) ? 2 : 0;
    if (shared <= most) continue;
    most = shared;
    best = &gpu;
  }
  return best;
}

}  // namespace

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
    const Gpu* alike = gpu_by_words(catalog, cells.text(column));
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
