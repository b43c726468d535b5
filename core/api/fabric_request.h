#pragma once
/// The `fabric` request: nodes, rails and a switch in, a network with all its counts out.
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "architecture/fabric.h"
#include "base/json_read.h"

namespace podwright {

class AnswerShape;

struct FabricRequest {
  FabricNeed<NoTrace> need;
  bool cable_schedule = false;  ///< every link, port to port
  bool explain = false;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, FabricRequest& request);

/// `document` is the request as it came: ways out are tried on it.
Answer answer_fabric(const Catalog& catalog, const JsonNode& document, const FabricRequest& request,
                     const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_fabric_answer(AnswerShape& v);

}  // namespace podwright
