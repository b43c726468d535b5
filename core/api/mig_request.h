#pragma once
/// The `mig` request: models to place on slices of GPUs.
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "sizing/mig_packing.h"

namespace podwright {

struct MigRequest {
  std::optional<Gpu> gpu;
  std::optional<double> gpu_count;  ///< GPUs at most
  std::vector<MigWorkload> workloads;
  bool explain = false;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, MigRequest& request);

Answer answer_mig(const Asked& asked, const MigRequest& request);

/// Its fields.
void describe_mig_answer(AnswerShape& v);

}  // namespace podwright
