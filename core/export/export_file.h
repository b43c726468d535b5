#pragma once
/// A file that an export consists of.
#include <string>
#include <vector>

namespace podwright {

struct ExportFile {
  std::string name;        ///< with folders, "/" between them
  std::string media_type;  ///< "text/csv", "application/yaml", "text/vnd.graphviz", "text/plain"
  std::string text;
};

struct ExportFiles {
  std::vector<ExportFile> files;
  std::vector<std::string> not_written;  ///< a sentence for each export that there is nothing for
};

}  // namespace podwright
