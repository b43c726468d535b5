#pragma once
/// The `architecture` request: GPUs now and later, a workload and a site in; the designs that fit, whole, out. And
/// `fabric`: nodes, rails and a switch in, a network with all its counts out.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "architecture/design_request.h"
#include "architecture/fabric.h"

namespace podwright {

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

Answer answer_architecture(const Asked& asked, const ArchitectureRequest& request);

/// Its fields.
void describe_architecture_answer(AnswerShape& v);

struct FabricRequest {
  FabricNeed<NoTrace> need;
  bool cable_schedule = false;  ///< every link, port to port
  bool explain = false;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, FabricRequest& request);

Answer answer_fabric(const Asked& asked, const FabricRequest& request);

/// Its fields.
void describe_fabric_answer(AnswerShape& v);

}  // namespace podwright
