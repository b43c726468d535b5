#pragma once
/// What would make an infeasible deployment feasible. Every way out is tried before it is offered.
#include "catalog/catalog.h"
#include "memory/serving_memory.h"

namespace podwright {

/// Adds the merge patches of the request that, each alone, leave room for at least one sequence: the most precise
/// weight format that does (among those with narrower weights), the smallest tensor-parallel group up to 8, a narrower
/// KV cache, a shorter input, the smallest GPU of the same vendor.
void add_ways_out(const Catalog& catalog, const Model& model, const Gpu& gpu, const Engine& engine,
                  const WeightFormat& format, const ServingRun& run, Infeasible& infeasible);

}  // namespace podwright
