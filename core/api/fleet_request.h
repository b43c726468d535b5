#pragma once
/// The kind `compare`: profiles of the nodes of a fleet beside each other. docs/operator.md#a-fleet-by-files.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "calibration/judge_fleet.h"

namespace podwright {

struct NodeProfile {
  std::string name;
  std::optional<std::string> profile;  ///< JSON
};
struct CompareRequest {
  std::vector<NodeProfile> nodes;
  std::string expect;  ///< names, as node_names() reads them
  std::optional<double> expect_count;
};
void describe(FieldVisitor& visitor, const Catalog& catalog, CompareRequest& request);
/// A verdict on each node with the fields of `verify`. What holds no profile is a node that is unusable, so that the
/// others are compared. Infeasible where the command would not end with 0.
Answer answer_compare(const Asked& asked, const CompareRequest& request);
void describe_compare_answer(AnswerShape& v);

/// The same answer on nodes that were read already.
std::string fleet_json(const Catalog& catalog, const FleetJudgement& fleet);

}  // namespace podwright
