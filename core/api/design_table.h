#pragma once
/// Fields of a whole design.
#include "api/answer_field.h"
#include "architecture/design.h"
#include "architecture/design_wiring.h"

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
template <class Table>
void describe_choice(Table& v, const ArchitectureDesign& choice, const Design<NoTrace>* built);

/// Cables of the bill by medium and length; with `schedule` columns for each network, one entry for each link, both
/// ends as labels; with `elevations` one entry for each rack and for each device.
template <class Table>
void describe_wires(Table& v, Trace& trace, const WiredDesign& wired, bool schedule, bool elevations);

}  // namespace podwright
