#include "api/duplicates.h"

#include <algorithm>

namespace podwright {

Errors duplicate_names(const std::vector<std::string>& names, const std::string& path, const std::string& member) {
  Errors errors;
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto earlier = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]);
    if (earlier == names.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    errors.push_back({"conflict", path + "/" + std::to_string(i) + "/" + member,
                      "\"" + names[i].substr(0, 60) + "\" is the name of " + path + "/" +
                          std::to_string(earlier - names.begin()) + " too.",
                      "Give it a name of its own."});
  }
  return errors;
}

Error stands_twice(const std::string& id, std::string_view key, const std::string& path) {
  return {"conflict", path, "\"" + id.substr(0, 60) + "\" occurs twice in \"" + std::string(key) + "\".",
          "Leave one of them out."};
}

}  // namespace podwright
