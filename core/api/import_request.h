#pragma once
/// The kind `import`: files that a person hands over, as one profile or as what a load generator measured.
/// docs/method/probes.md#imports.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "measure/import_files.h"

namespace podwright {

struct ImportRequest {
  std::vector<FileText> files;
  std::optional<std::string> before;  ///< JSON of an earlier profile of the same machine
};
void describe(FieldVisitor& visitor, const Catalog& catalog, ImportRequest& request);
/// What each file is, what is taken of it and what in it names somebody; the joined profile with its rates beside the
/// data sheet; serving measurements; with `before` what changed. Errors stand at "/files/<place>/text".
Answer answer_import(const Catalog& catalog, const ImportRequest& request, const std::vector<Assumption>& assumptions);

}  // namespace podwright
