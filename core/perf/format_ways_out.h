#pragma once
/// Precisions that a GPU computes, as ways out of a request for one that it does not.
#include <string>
#include <vector>

#include "catalog/gpu.h"
#include "memory/infeasible.h"

namespace podwright {

/// Adds patches of the key ("precision", "weight_precision") to reasons of code format-not-supported that have none.
void add_format_ways_out(const Gpu& gpu, const std::string& key, std::vector<Infeasible>& reasons);

}  // namespace podwright
