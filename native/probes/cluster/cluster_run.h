#pragma once
/// A probe run of several processes: each node by itself, then GPUs of different nodes in pairs and all together. Rank
/// 0 leads and keeps the merged profile; a rank that is lost leaves a valid, unfinished one.
/// docs/operator.md#several-nodes.
#include "probes/cluster/meeting.h"
#include "probes/runner.h"

namespace podwright::probes {

struct ClusterOutcome {
  bool first_rank = false;  ///< only its outcome holds the merged profile
  RunOutcome merged;
};

ClusterOutcome run_cluster(const RunOptions& run, const RankOptions& ranks);

}  // namespace podwright::probes
