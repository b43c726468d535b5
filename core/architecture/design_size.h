#pragma once
/// The numbers of a chosen design. One code for search and explanation: a template over the tracer.
#include <optional>

#include "architecture/sizes.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"

namespace podwright {

/// What a design is made of. Pointers into the catalog; null where the catalog has no such item.
struct DesignParts {
  const ArchitectureBand* band = nullptr;
  const System* system = nullptr;
  const System* power_system =
      nullptr;  ///< whose power is used: the system itself, or the DGX with the same GPUs where it states none
  const ReferenceArchitecture* architecture = nullptr;
};

template <class Tracer>
struct SiteNumbers {
  typename Tracer::template Known<double> gpu_count;
  std::optional<typename Tracer::template Known<double>> growth_gpu_count;
  std::optional<typename Tracer::template Known<Watts>> rack_power;
};

/// Absent numbers are not known; none of them is ever a guess.
template <class Tracer>
struct DesignSize {
  using Count = typename Tracer::template Known<double>;
  std::optional<Count> nodes;           ///< bought now
  std::optional<Count> gpus;            ///< installed in them
  std::optional<Count> horizon_nodes;   ///< that the band was chosen by
  std::optional<Count> scalable_units;  ///< built whole for the horizon
};

/// Power that a system is planned with: its maximum, or the typical figure where its maker states no maximum.
struct PlannedPower {
  std::string_view field;  ///< key in the system's file
  Watts value;
};
std::optional<PlannedPower> planned_power(const System& system);

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
    const auto manager_nodes = trace.fact(*parts.band, "manager_nodes", parts.band->manager_nodes);
    const auto most_units = trace.fact(*parts.band, "max_scalable_units", *parts.band->max_scalable_units);
    size.scalable_units = named("architecture.scalable_units",
                                podwright::scalable_units(horizon_nodes, manager_nodes, nodes_per_unit, most_units));
  }
  return size;
}

}  // namespace podwright
