#include "catalog/item.h"

namespace podwright {

std::string CatalogItem::source_of(std::string_view field) const {
  for (std::string_view place = field; !place.empty();) {
    if (const auto entry = sources.find(std::string(place)); entry != sources.end()) return entry->second;
    const std::size_t dot = place.rfind('.');
    place = dot == std::string_view::npos ? std::string_view{} : place.substr(0, dot);
  }
  return source;
}

}  // namespace podwright
