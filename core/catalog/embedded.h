#pragma once

#include <span>
#include <string>
#include <string_view>

namespace podwright {

/// One file of core/catalog/data, compiled in.
struct EmbeddedText {
  std::string_view path;  ///< relative to data/, with forward slashes: "gpus/h100-sxm5-80gb.json"
  std::string_view text;  ///< of the file, without what nothing reads
};

/// All files below core/catalog/data, in byte order of their path. The texts live as long as the program.
std::span<const EmbeddedText> embedded_catalog();

/// The whole of sources.json, of which embedded_catalog() has no titles, publishers, addresses and licences: plans need
/// none of them.
std::string embedded_sources();

}  // namespace podwright
