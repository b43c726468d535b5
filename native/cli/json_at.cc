#include "cli/json_at.h"

#include <string>

namespace podwright::cli {

const JsonNode* at(const JsonNode& node, std::initializer_list<std::string_view> path) {
  const JsonNode* here = &node;
  for (const std::string_view step : path) {
    if (here->is_list()) {
      const auto index = static_cast<std::size_t>(std::stoul(std::string(step)));
      here = index < here->items.size() ? &here->items[index] : nullptr;
    } else {
      here = here->find(step);
    }
    if (here == nullptr) return nullptr;
  }
  return here;
}

}  // namespace podwright::cli
