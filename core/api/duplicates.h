#pragma once
/// Names that stand twice in a list of a request.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace podwright {

/// An error at the `member` of each item of the list at `path` whose name an earlier item has: answers tell items apart
/// by name.
Errors duplicate_names(const std::vector<std::string>& names, const std::string& path, const std::string& member);

/// An error at a list of ids, words or counts, at `path`, in which `id` stands twice.
Error stands_twice(const std::string& id, std::string_view key, const std::string& path);

}  // namespace podwright
