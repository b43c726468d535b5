#pragma once
/// From the text of a request to its answer, whatever kinds there are.
#include <string>
#include <string_view>
#include <vector>

#include "api/kind.h"

namespace podwright {

/// `default_kind` stands in for a request without "kind".
Answer answer_request(RequestKinds kinds, const Catalog& catalog, std::string_view request,
                      std::string_view default_kind = "");

/// The row of a request: that of its kind and, of a kind with several forms, of its type. Null where there is none.
const RequestKind* find_kind(RequestKinds kinds, std::string_view word, std::string_view type = "");

/// Each once, in the order of the table.
std::vector<std::string> kind_words(RequestKinds kinds);

}  // namespace podwright
