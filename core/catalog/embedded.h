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

/// A file whose text is asked for. In the page's engine a text that the first answer does not ask for comes after it.
struct LaterText {
  std::string_view path;
  std::string_view (*text)();
};

/// All files below core/catalog/data, in byte order of their path. The texts live as long as the program.
std::span<const EmbeddedText> embedded_catalog();
/// Those of them that are read at the start, and those of parts that are read when they are used: `Later` of the
/// catalog.
std::span<const EmbeddedText> embedded_at_start();
std::span<const LaterText> embedded_later();

/// The whole of sources.json, of which embedded_catalog() has no titles, publishers, addresses and licences: plans need
/// none of them.
std::string embedded_sources();

}  // namespace podwright
