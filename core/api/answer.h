#pragma once
/// The one door: request text in, answer text out. The command line, the browser and the tests all use it.
#include <string>
#include <string_view>

#include "api/outcome.h"
#include "catalog/catalog.h"

namespace podwright {

/// `default_kind` stands in for a request without "kind".
Answer answer_request(const Catalog& catalog, std::string_view request, std::string_view default_kind = "");

/// With the embedded catalog.
std::string answer(std::string_view request);

}  // namespace podwright
