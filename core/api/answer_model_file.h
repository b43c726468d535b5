#pragma once
/// What the header of a file of weights, the index of a checkpoint or a config.json says about a model.
#include <string>
#include <string_view>
#include <vector>

#include "api/outcome.h"
#include "catalog/catalog.h"

namespace podwright {

/// A file as far as it was read.
struct FilePart {
  std::string name;       ///< in messages and in the answer
  std::string_view text;  ///< its beginning
  double file_bytes = 0;  ///< of the whole file
};

/// Bytes of the file's beginning that the answer needs where that is more than `part` holds; 0 where it has enough (or
/// where more would not help).
double bytes_needed(const Catalog& catalog, const FilePart& part);

/// Names of the files that an index of a checkpoint lists; empty for every other file.
std::vector<std::string> files_of_index(const FilePart& part);

/// The answer of `podwright model`: GGUF or safetensors files that together hold one model, and beside them at most one
/// config.json. With `model`, `weight_precision` and `weights` as a serving request takes them, as far as the files
/// tell them. Errors have the path "<name>" and what follows it.
Answer answer_model_files(const Catalog& catalog, const std::vector<FilePart>& parts);

}  // namespace podwright
