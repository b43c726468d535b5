#pragma once
/// A fabric as the contract's object, for every answer that has one.
#include "architecture/fabric.h"
#include "base/json_write.h"

namespace podwright {

template <class Tracer>
void write_fabric(JsonWriter& out, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric);

/// What the first node beyond this shell changes: switches and links of one scalable unit more, or why there is none.
template <class Tracer>
void write_next_size(JsonWriter& out, Tracer& trace, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric);

/// Columns: one entry for each link, both ends as labels.
void write_cable_schedule(JsonWriter& out, const FabricNeed<NoTrace>& need);

}  // namespace podwright
