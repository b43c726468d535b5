#pragma once
/// The `architecture` request: GPUs now and later, a workload and a site in; the designs that fit, whole, out.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "architecture/design_request.h"
#include "base/json_read.h"

namespace podwright {

class AnswerShape;

struct ArchitectureRequest {
  std::optional<Gpu> gpu;
  DesignRequest design;
  std::string naming = "nvidia";     ///< nvidia, study
  bool cable_schedule = false;       ///< of the first design, every link of its networks
  bool elevations = false;           ///< of the first design, rack by rack
  std::vector<std::string> exports;  ///< of the first design
  std::vector<double> open_units;    ///< of the topology drawing; empty: chosen by the size
  bool explain = false;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, ArchitectureRequest& request);

/// `document` is the request as it came: ways out are tried on it.
Answer answer_architecture(const Catalog& catalog, const JsonNode& document, const ArchitectureRequest& request,
                           const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_architecture_answer(AnswerShape& v);

}  // namespace podwright
