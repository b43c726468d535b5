#pragma once
/// The request of kind `explain`: is a published number possible, what leads to one number of a request, or what do
/// documents say to the statements of study material.
#include <optional>
#include <string>

#include "api/electricity_claim_request.h"
#include "api/fields.h"
#include "api/topic_request.h"
#include "perf/claim.h"
#include "perf/serving_claim.h"

namespace podwright {

struct ExplainRequest {
  std::optional<TrainingClaim> claim;
  std::optional<ServingClaim> serving_claim;
  std::optional<ElectricityClaim> electricity_claim;
  std::optional<std::string> request;  ///< JSON text of another request
  std::string at;                      ///< JSON Pointer of a number of its answer
  std::optional<TopicRequest> topic;
  bool explain = false;  ///< adds the trace of a claim
};

void describe(FieldVisitor& visitor, const Catalog& catalog, ExplainRequest& request);

}  // namespace podwright
