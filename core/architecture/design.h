#pragma once
/// A whole design: networks, racks, power, cooling, storage, management and the bill of what has to be bought. One code
/// for search and explanation: templates over the tracer, compiled once for each in the .cc files.
/// docs/method/architecture_bands.md, fabric.md, racks_and_power.md, storage.md.
#include <string>
#include <vector>

#include "architecture/design_figures.h"
#include "architecture/design_request.h"
#include "architecture/elevation.h"
#include "architecture/site_shortfall.h"

namespace podwright {

/// Numbers of a DesignRequest that requests of several kinds hold at different places.
template <class Tracer>
struct DesignNumbers {
  SiteNumbers<Tracer> site;
  Known<Tracer, double> pue{};
  std::optional<Known<Tracer, double>> core_oversubscription;
};

/// The numbers of an `architecture` request.
template <class Tracer>
DesignNumbers<Tracer> design_numbers(Tracer& trace, const DesignRequest& request) {
  DesignNumbers<Tracer> numbers;
  numbers.site.gpu_count = trace.input("/gpu_count", request.need.gpu_count);
  if (request.need.growth_gpu_count)
    numbers.site.growth_gpu_count = trace.input("/growth_gpu_count", *request.need.growth_gpu_count);
  if (request.need.rack_power) numbers.site.rack_power = trace.input("/rack_power_kw", *request.need.rack_power);
  numbers.pue = trace.input("/pue", request.pue);
  if (request.core_oversubscription)
    numbers.core_oversubscription = trace.input("/core_oversubscription", *request.core_oversubscription);
  return numbers;
}

/// `parts` of a chosen design with a system; `numbers` are those of the request.
template <class Tracer>
Design<Tracer> make_design(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                           const DesignRequest& request, const DesignNumbers<Tracer>& numbers);

extern template Design<NoTrace> make_design(NoTrace&, const Catalog&, const Gpu&, const DesignParts&,
                                            const DesignRequest&, const DesignNumbers<NoTrace>&);
extern template Design<Trace> make_design(Trace&, const Catalog&, const Gpu&, const DesignParts&, const DesignRequest&,
                                          const DesignNumbers<Trace>&);

template <class Tracer>
Design<Tracer> make_design(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                           const DesignRequest& request) {
  return make_design(trace, catalog, gpu, parts, request, design_numbers(trace, request));
}

/// Devices beside the systems, in the order in which they are placed; as many empty labels as devices.
std::vector<DeviceGroup> other_devices(const Catalog& catalog, const Design<NoTrace>& design);

/// What a rack of the design takes.
ElevationLimits elevation_limits(const Catalog& catalog, const DesignRequest& request, const Design<NoTrace>& design);

/// Labels of the systems: "n00001" and on, "r001" and on where a system is a rack.
std::vector<std::string> system_labels(const DesignParts& parts, double systems);

/// Limits of the site that the whole design breaks; its power at the meter among them.
std::vector<Infeasible> design_shortfalls(const Catalog& catalog, const DesignParts& parts,
                                          const DesignRequest& request, const Design<NoTrace>& design);

/// Designs whose whole site was looked at.
struct DesignChoice : ArchitectureChoice {
  std::vector<Design<NoTrace>> built;  ///< in parallel; of a design without a system only its size
};
DesignChoice choose_designs(const Catalog& catalog, const Gpu& gpu, const DesignRequest& request);

}  // namespace podwright
