#pragma once
/// Files with {{places}} to fill in.
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "catalog/embedded.h"

namespace podwright::sizing {

/// What stands in the places of a template.
using Places = std::map<std::string_view, std::string>;

/// One of `files` with its places filled in; every place needs a value, and values are not searched for places. A line
/// that is a place alone becomes all lines of the value, each as far in; of an empty value there is none.
std::string filled(std::span<const EmbeddedText> files, std::string_view file, const Places& places);

/// What Kubernetes and Compose read as this text: in place of $(NAME) and ${NAME} they put a variable, and one dollar
/// in place of two.
std::string with_doubled_dollars(std::string_view text);

}  // namespace podwright::sizing
