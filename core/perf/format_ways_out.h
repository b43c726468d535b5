#pragma once
/// Precisions that a GPU computes, as ways out of a request for one that it does not.
#include <string>
#include <vector>

#include "base/infeasible.h"
#include "catalog/gpu.h"

namespace podwright {

/// Adds patches of the key ("precision", "weight_precision") to reasons of code format-not-supported that have none.
void add_format_ways_out(const Gpu& gpu, std::string_view key, std::vector<Infeasible>& reasons);

}  // namespace podwright
