#pragma once
/// JSON Pointers (RFC 6901), which say where in a document something is.
#include <string>
#include <string_view>

namespace podwright {

/// One step of a JSON Pointer, with ~ and / escaped.
std::string pointer_step(std::string_view key);

}  // namespace podwright
