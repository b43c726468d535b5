#pragma once
/// A whole design as members of an answer.
#include "architecture/design.h"
#include "architecture/design_wiring.h"
#include "base/json_write.h"

namespace podwright {

/// Members of an open object: nodes and GPUs.
template <class Tracer>
void write_design_size(JsonWriter& out, const DesignSize<Tracer>& size);

/// Members of an open object: networks, management, racks, power, storage, software, bill of materials.
template <class Tracer>
void write_design(JsonWriter& out, Tracer& trace, const Design<Tracer>& design);

/// `rules_fired`, `deviations`, `notes` and `not_known` of a design; `built` null where no system is known.
void write_told(JsonWriter& out, const ArchitectureDesign& choice, const Design<NoTrace>* built);

/// Cables of the bill by medium and length.
void write_cable_lines(JsonWriter& out, Trace& trace, const WiredDesign& wired);

/// Columns for each network: one entry for each link, both ends as labels.
void write_wiring(JsonWriter& out, const WiredDesign& wired);

/// Columns: one entry for each rack and for each device.
void write_elevations(JsonWriter& out, const Elevations& elevations);

}  // namespace podwright
