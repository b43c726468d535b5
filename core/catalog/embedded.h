#pragma once

#include <span>
#include <string_view>

namespace podwright {

/// One file of core/catalog/data, compiled in.
struct EmbeddedText {
  std::string_view path;  ///< relative to data/, with forward slashes: "gpus/h100-sxm5-80gb.json"
  std::string_view text;  ///< the bytes of the file, unchanged
};

/// All files below core/catalog/data, in byte order of their path. The texts live as long as the program.
std::span<const EmbeddedText> embedded_catalog();

}  // namespace podwright
