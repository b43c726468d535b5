#pragma once
/// The part of a catalog that the speed of one GPU type depends on, with each of its rates looked up once. Searches ask
/// it thousands of times; the catalog itself would be scanned for every answer.
#include <optional>

#include "catalog/catalog.h"

namespace podwright::sizing {

/// Gives the same ceilings as `catalog`, to the last bit, for GPUs and formats that a serving search asks for. Absent
/// where that cannot be had, e.g. for a GPU whose rates are those of another precision: ask `catalog` itself. Not for
/// traces: where a rate comes from is lost. `gpu` is an item of the catalog or of a request. `before` is the part of
/// another GPU of the same catalog, whose formats and constants are kept.
std::optional<Catalog> catalog_of_gpu(const Catalog& catalog, const Gpu& gpu, std::optional<Catalog> before = {});

}  // namespace podwright::sizing
