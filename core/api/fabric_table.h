#pragma once
/// Fields of a fabric, for every answer that has one.
#include "api/answer_field.h"
#include "architecture/fabric.h"

namespace podwright {

template <class Table, class Tracer>
void describe_fabric(Table& v, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric);

/// What the first node beyond this shell changes: switches and links of one scalable unit more, or why there is none.
template <class Table, class Tracer>
void describe_next_size(Table& v, Tracer& trace, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric);

/// Columns: one entry for each link, both ends as labels.
template <class Table>
void describe_cable_schedule(Table& v, const FabricNeed<NoTrace>& need);

}  // namespace podwright
