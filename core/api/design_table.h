#pragma once
/// Fields of a whole design and of its fabrics.
#include "api/answer_field.h"
#include "architecture/design.h"
#include "architecture/design_wiring.h"
#include "architecture/fabric.h"

namespace podwright {

/// Nodes and GPUs.
template <class Table, class Tracer>
void describe(Table& v, const DesignSize<Tracer>& size) {
  v.number({"nodes"}, size.nodes);
  v.number({"gpus"}, size.gpus);
  v.number({"horizon_nodes", "Nodes at the end of the horizon"}, size.horizon_nodes);
  v.number({"scalable_units", "Scalable units (groups built whole)"}, size.scalable_units);
}

/// Networks, management, racks, power, storage, software, bill of materials.
template <class Table, class Tracer>
void describe_design(Table& v, Tracer& trace, const Design<Tracer>& design);

/// Rules, deviations, notes and what is not known of a design; `built` null where no system is known.
void describe_choice(auto& v, const ArchitectureDesign& choice, const Design<NoTrace>* built);

/// Cables of the bill by medium and length; with `schedule` columns for each network, one entry for each link, both
/// ends as labels; with `elevations` one entry for each rack and for each device.
void describe_wires(auto& v, Trace& trace, const WiredDesign& wired, bool schedule, bool elevations);

template <class Table, class Tracer>
void describe_fabric(Table& v, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric);

/// What the first node beyond this shell changes: switches and links of one scalable unit more, or why there is none.
template <class Table, class Tracer>
void describe_next_size(Table& v, Tracer& trace, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric);

/// Columns: one entry for each link, both ends as labels.
void describe_cable_schedule(auto& v, const FabricNeed<NoTrace>& need);

}  // namespace podwright
