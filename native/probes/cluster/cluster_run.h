#pragma once
/// One program of a run of several, all alike: it measures its own devices, then takes part in collectives with the
/// others, and keeps a profile of its own, which is valid at every moment. docs/operator.md#several-nodes.
#include "probes/cluster/launchers.h"
#include "probes/runner.h"

namespace podwright::probes {

/// The file of a rank: "DIR/rank-00012.json" for a folder, which ends in "/" or is there, else "profile.rank12.json".
std::string rank_file(const std::string& output, int rank);

/// `run.output` is the rank's own file.
RunOutcome run_cluster(RunOptions run, const RankPlace& place, double patience_s);

}  // namespace podwright::probes
