#include "sizing/serving_findings.h"

#include <algorithm>

#include "sizing/gpu_count.h"
#include "sizing/layouts.h"
#include "sizing/mig_packing.h"
#include "sizing/serving_launch.h"

namespace podwright::sizing {
namespace {

/// A replica on one slice of the profile, weighed. Rates of a slice are shares of its GPU's: the catalog's measured
/// ones are not asked.
void try_slice(const ServingQuestion& q, const Gpu& slice, FoundDeployment found, FrontSearch& front,
               std::vector<FoundDeployment>& kept) {
  const MigProfile& profile = *found.slice;
  const auto ready = ready_replica(q, found, slice);
  if (!ready) return;
  const UnexplainedScatter unexplained = unexplained_scatter(q.catalog);
  const ServingReplica replica(ready->run, ready->costs, ready->limits, unexplained);
  front.sample(replica, {.offer = found.offer,
                         .engine = found.engine,
                         .precision = found.precision,
                         .layout = {},
                         .draft_tokens = 0,
                         .slice = &profile});
  const auto edge = replica.most(q.workload.limits, kEdgeSteps);
  if (!edge) return;
  found.rate = edge->rate;
  found.replicas = replicas(PerSecond(q.workload.peak_requests_per_s), PerSecond(edge->rate));
  found.goal = found.replicas / profile.instances * q.goal_of_gpu(found.offer) + q.behind_prices(found.offer);
  if (found.replicas < profile.instances) kept.push_back(std::move(found));
}

/// A server of the engine is not known, or starts such weights.
bool starts(const ServingQuestion& q, const FoundDeployment& found, const Gpu& gpu) {
  const ServingRun run = run_of(found, q.workload);
  return !knows_server(run.engine) || start_obstacles(q.model, gpu, run, 1).empty();
}

}  // namespace

SliceSearch search_slices(const ServingQuestion& q, FrontSearch& front) {
  SliceSearch search;
  for (std::uint32_t offer = 0; offer < q.offers.size(); ++offer) {
    const Gpu& gpu = *q.offers[offer].gpu;
    for (const MigProfile* profile : mig_profiles_of(q.catalog.mig_profiles, gpu.id)) {
      if (profile->instances <= 1) continue;
      const Gpu slice = mig_slice(gpu, *profile);
      for (std::uint32_t engine = 0; engine < q.workload.engines.size(); ++engine)
        for (const std::string& precision : serving_precisions(q.catalog, q.model, slice, q.workload)) {
          if (find_engine_conventions(q.catalog, q.workload.engines[engine]) == nullptr ||
              find_weight_format(q.catalog.weight_formats, precision) == nullptr)
            continue;
          const FoundDeployment found{
              .offer = offer, .engine = engine, .precision = precision, .layout = {}, .slice = profile, .pools = {}};
          if (!starts(q, found, slice)) continue;
          search.evaluated += 1;
          try_slice(q, slice, found, front, search.found);
        }
    }
  }
  std::sort(search.found.begin(), search.found.end(), better);
  return search;
}

}  // namespace podwright::sizing
