#pragma once
/// A file that an export consists of.
#include <string>

namespace podwright {

struct ExportFile {
  std::string name;        ///< with folders, "/" between them
  std::string media_type;  ///< "text/csv", "application/yaml", "text/vnd.graphviz", "text/plain"
  std::string text;
};

}  // namespace podwright
