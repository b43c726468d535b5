#pragma once
/// The numbers of a chosen design. One code for search and explanation: a template over the tracer.
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "architecture/switch_counts.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

// How many systems, scalable units and racks hold a number of GPUs, and what the systems draw.

/// The GPUs that the design must be able to grow to.
auto horizon_gpu_count(Of<double> auto gpu_count, Of<double> auto growth_gpu_count) {
  return max(gpu_count, growth_gpu_count);
}

/// Systems (servers, or racks where the system is one) that hold the GPUs.
auto node_count(Of<double> auto gpu_count, Of<double> auto gpus_per_node) {
  return cited("systems are bought whole", ceil(gpu_count / gpus_per_node));
}

/// By power alone; rack units and weight are not looked at.
auto nodes_per_rack(Of<Watts> auto rack_power, Of<Watts> auto node_power) {
  return cited("docs/method/architecture_bands.md#racks", floor(rack_power / node_power));
}

/// Racks of the systems; networks, storage and management stand elsewhere.
auto rack_count(Of<double> auto nodes, Of<double> auto nodes_in_rack) {
  return cited("docs/method/architecture_bands.md#racks", ceil(nodes / nodes_in_rack));
}

/// Maximum draw of the systems, without switches, storage and management.
constexpr auto systems_power(Of<double> auto nodes, Of<Watts> auto node_power) { return nodes * node_power; }

/// The row of a table of the catalog with this id; null where there is none.
template <class Row>
const Row* row_with_id(const std::vector<Row>& rows, std::string_view id) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.id == id; });
  return found == rows.end() ? nullptr : &*found;
}

/// The typical value of a figure; absent where the catalog lacks it.
template <class Tracer>
std::optional<Known<Tracer, double>> usual_figure(Tracer& trace, const Catalog& catalog, std::string_view id) {
  const OperatingFigure* figure = find_operating_figure(catalog.operating_figures, id);
  if (figure == nullptr) return std::nullopt;
  return trace.fact(*figure, "typical", figure->typical);
}

/// What a design is made of. Pointers into the catalog; null where the catalog has no such item.
struct DesignParts {
  const ArchitectureBand* band = nullptr;
  const System* system = nullptr;
  const System* power_system = nullptr;  ///< whose power is used: the system itself, or a DGX with the same GPUs
  const ReferenceArchitecture* architecture = nullptr;
};

template <class Tracer>
struct SiteNumbers {
  Known<Tracer, double> gpu_count;
  std::optional<Known<Tracer, double>> growth_gpu_count;
  std::optional<Known<Tracer, Watts>> rack_power;
};

/// Absent numbers are not known; none of them is ever a guess.
template <class Tracer>
struct DesignSize {
  using Count = Known<Tracer, double>;
  std::optional<Count> nodes;           ///< bought now
  std::optional<Count> gpus;            ///< installed in them
  std::optional<Count> horizon_nodes;   ///< that the band was chosen by
  std::optional<Count> scalable_units;  ///< built whole for the horizon
};

/// Power that a machine is planned with: its maximum, or the typical figure where its maker states no maximum.
struct PlannedPower {
  std::string_view field;  ///< key in the system's file
  Watts value;
};
std::optional<PlannedPower> planned_power(const System& system);
/// Of a switch: its maximum, or what it draws with passive cables, which optical ones exceed.
std::optional<PlannedPower> planned_power(const Switch& item);
/// One machine alone needs no network.
inline bool is_single_node(const DesignParts& parts) {
  return parts.band != nullptr && parts.band->architecture_id == "single-node";
}
/// Of the system whose power is used; absent where there is none.
inline std::optional<PlannedPower> planned_power(const DesignParts& parts) {
  return parts.power_system == nullptr ? std::nullopt : planned_power(*parts.power_system);
}
/// Whose height and weight are used: the system's own, else those of the one whose power stands in for it.
inline const System& body_of(const DesignParts& parts) {
  return parts.system->rack_units || parts.power_system == nullptr ? *parts.system : *parts.power_system;
}

template <class Tracer>
DesignSize<Tracer> design_size(Tracer& trace, const DesignParts& parts, const SiteNumbers<Tracer>& site) {
  DesignSize<Tracer> size;
  if (parts.system == nullptr) return size;
  const auto gpus_per_node = trace.fact(*parts.system, "gpu_count", parts.system->gpu_count);
  const auto nodes = named("architecture.nodes", node_count(site.gpu_count, gpus_per_node));
  size.nodes = nodes;
  size.gpus = named("architecture.gpus", nodes * gpus_per_node);

  auto horizon_nodes = nodes;
  if (site.growth_gpu_count) {
    const auto horizon_gpus =
        named("architecture.horizon_gpus", horizon_gpu_count(site.gpu_count, *site.growth_gpu_count));
    horizon_nodes = named("architecture.horizon_nodes", node_count(horizon_gpus, gpus_per_node));
  }
  size.horizon_nodes = horizon_nodes;

  if (parts.band != nullptr && parts.band->max_scalable_units && parts.architecture != nullptr &&
      parts.architecture->gpus_per_scalable_unit) {
    const auto gpus_per_unit =
        trace.fact(*parts.architecture, "scalable_unit.gpus", *parts.architecture->gpus_per_scalable_unit);
    const auto nodes_per_unit = named("architecture.nodes_per_scalable_unit", gpus_per_unit / gpus_per_node);
    size.scalable_units = named("architecture.scalable_units", fabric_units(horizon_nodes, nodes_per_unit));
  }
  return size;
}

}  // namespace podwright
