#pragma once
/// The requests of a benchmark's client, one by one. docs/method/replay.md#published-runs.
#include <vector>

#include "catalog/traffic.h"
#include "replay/traffic_source.h"

namespace podwright::replay {

struct StagedRequests {
  std::vector<Request> requests;
  double last_stage_at = 0;  ///< s
};

/// How many staged_requests() gives.
double staged_count(const StagedLoad& load);

/// Prompts are shuffled and sent in turn. Between stages lies more time than any backlog takes. Of the stages before
/// the last only as many are sent as fill the caches: those in which every prompt came.
StagedRequests staged_requests(const StagedLoad& load);

}  // namespace podwright::replay
