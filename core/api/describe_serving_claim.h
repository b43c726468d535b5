#pragma once
/// Fields of a claim about a serving speed: what the `claim` of an `explain` request may hold besides model, GPU and
/// their number.
#include <array>
#include <optional>
#include <string>

#include "api/fields.h"
#include "perf/serving_claim.h"

namespace podwright {

struct ServingClaimFields {
  ServingClaim claim;
  std::array<std::optional<double>, kSpeedMetricWords.size()> claimed;  ///< in the order of the words

  /// True where the request has one of these fields.
  bool given() const;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, ServingClaimFields& fields);

/// Rules between the fields of a serving claim whose model, GPU and number of GPUs are filled in; sets its metric.
void complete(FieldVisitor& visitor, const Catalog& catalog, std::optional<double> gpu_count,
              ServingClaimFields& fields);

}  // namespace podwright
