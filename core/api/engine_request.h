#pragma once
/// What an engine said of itself as part of a request. docs/method/probes.md#engines.
#include <optional>
#include <string>
#include <vector>

#include "api/outcome.h"
#include "base/json_read.h"
#include "base/result.h"
#include "measure/import_files.h"

namespace podwright {

struct EngineRequest {
  JsonNode document;               ///< the request with what was measured; without one a merge patch of such a request
  std::vector<std::string> notes;  ///< what is left out of it, and why
};

/// Settings and figures of the engine, and factors of benchmarks of the same deployment. Errors at "/request": a
/// setting that the request says otherwise ("conflict"), and those of the request itself.
Result<EngineRequest> engine_request(const Catalog& catalog, const ImportedFiles& imported,
                                     const std::optional<std::string>& request);

}  // namespace podwright
