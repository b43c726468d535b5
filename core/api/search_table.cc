#include "api/search_table.h"

namespace podwright {

std::map<std::string, std::string> origins_of_found(const std::vector<Assumption>& assumptions, const std::string& list,
                                                    std::size_t count, std::span<const char* const> chosen) {
  std::map<std::string, std::string> origins = sources_of(assumptions);
  const std::map<std::string, std::string> defaults = origins;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string place = list + std::to_string(i);
    for (const auto& [path, source] : defaults) origins.emplace(place + path, source);
    for (const char* const key : chosen) origins.emplace(place + key, "chosen by the search, docs/method/search.md");
  }
  return origins;
}

}  // namespace podwright
