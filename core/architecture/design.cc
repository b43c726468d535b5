#include "architecture/design.h"

#include "architecture/counted.h"
#include "architecture/design_bill.h"
#include "architecture/design_elevations.h"
#include "architecture/design_networks.h"
#include "architecture/design_storage.h"
#include "architecture/fabric.h"
#include "architecture/racks.h"
#include "base/append.h"
#include "base/arithmetic.h"

namespace podwright {
namespace {

/// What networks and racks settle in: each sends more devices to the other, and all counts only grow.
constexpr int kMostRounds = 8;
struct SettledCounts {
  double other_racks = 0;         ///< for the devices beside the systems
  double out_of_band_places = 0;  ///< on pairs of in-band leaves
};

template <class Tracer>
RackLimits<Tracer> rack_limits(Tracer& trace, const Catalog& catalog, const DesignRequest& request,
                               const std::optional<Known<Tracer, Watts>>& rack_power) {
  RackLimits<Tracer> limits;
  limits.power = rack_power;
  const auto height = request.need.rack_units ? std::nullopt : usual_figure(trace, catalog, "rack-height");
  limits.rack_units = height ? *height : trace.input("/rack_units", request.need.rack_units.value_or(0));
  if (request.need.rack_load_kg) limits.load_kg = trace.input("/rack_load_kg", *request.need.rack_load_kg);
  return limits;
}

/// The site's circuit; what the request leaves out is that of the data-centre design guide.
template <class Tracer>
std::optional<Circuit<Tracer>> site_circuit(Tracer& trace, const Catalog& catalog, const CircuitRequest& request) {
  std::optional<Circuit<Tracer>> circuit = usual_circuit(trace, catalog);
  if (!circuit) return circuit;
  const auto take = [&](const char* pointer, const std::optional<double>& value, auto& field) {
    if (value) field = trace.input(pointer, *value);
  };
  take("/circuit/line_voltage_v", request.line_voltage_v, circuit->line_voltage);
  take("/circuit/current_a", request.current_a, circuit->current);
  take("/circuit/derating", request.derating, circuit->derating);
  take("/circuit/power_factor", request.power_factor, circuit->power_factor);
  return circuit;
}

template <class Tracer>
std::optional<Known<Tracer, double>> temperature_rise(Tracer& trace, const Catalog& catalog, const char* pointer,
                                                      const char* id, const std::optional<double>& asked) {
  if (asked) return trace.input(pointer, *asked);
  return usual_figure(trace, catalog, id);
}

template <class Tracer>
class DesignAssembly {
 public:
  using Count = Known<Tracer, double>;

  DesignAssembly(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                 const DesignRequest& request, const DesignNumbers<Tracer>& numbers, SettledCounts settled)
      : trace_(trace),
        catalog_(catalog),
        gpu_(gpu),
        parts_(parts),
        request_(request),
        numbers_(numbers),
        settled_(settled) {}

  Design<Tracer> assemble() {
    sizes();
    networks();
    management();
    racks();
    out_of_band();
    power();
    storage();
    software();
    design_.bill = BillWriter<Tracer>(parts_, design_).write();
    return std::move(design_);
  }

 private:
  void not_known(std::string text) { design_.not_known.push_back(std::move(text)); }

  void sizes() {
    design_.size = design_size(trace_, parts_, numbers_.site);
    design_.guides = site_guides(catalog_, parts_, word_of(request_.need.fabric));
  }

  void networks() {
    if (is_single_node(parts_)) return;
    if (design_.guides.fabric != nullptr)
      design_compute_fabric(trace_, catalog_, parts_, design_.size, *design_.guides.fabric,
                            numbers_.core_oversubscription, design_.networks);
    else
      printed_switches();
    drop_unwirable();
    if (design_.networks.compute && design_.networks.compute_switch == nullptr)
      not_known("Compute switches: the document does not name them, so their places in racks are not known.");
    if (design_.guides.storage_network != nullptr)
      design_storage_network(trace_, catalog_, design_.size, *design_.guides.storage_network, design_.networks);
    if (!design_.networks.storage) not_known(missing_storage_network());
  }

  /// Counts of a document without a rule: shown at the size that they are printed for, and for no other.
  void printed_switches() {
    const ReferenceArchitecture* document = design_.guides.document;
    if (document == nullptr || document->printed_switches.empty()) {
      not_known("Compute fabric: the documents read give no counts for this design.");
      return;
    }
    const PrintedSwitches& row = document->printed_switches.front();
    const std::string size = grouped(row.systems) + (is_rack(*parts_.system) ? " racks" : " systems");
    if (value_of(*design_.size.horizon_nodes) != row.systems) {
      not_known("Compute fabric: counts of " + document->name + " are known for " + size +
                " alone, and no rule gives them.");
      return;
    }
    const auto fact = [&](const char* column, double value) {
      return trace_.fact(*document, row.field + "." + column, value);
    };
    design_.printed = PrintedNetworks<Tracer>{.east_west_leaves = fact("ew_leaf", row.east_west_leaves),
                                              .east_west_spines = fact("ew_spine", row.east_west_spines),
                                              .north_south_leaves = fact("ns_leaf", row.north_south_leaves),
                                              .north_south_spines = fact("ns_spine", row.north_south_spines),
                                              .out_of_band = fact("out_of_band", row.out_of_band)};
    not_known("Compute fabric: the switches printed for " + size +
              " are shown; no rule gives them, so links, cables and power of this network are not known.");
  }

  /// The rule of a document ends where its switches have no more ports.
  void drop_unwirable() {
    if (!design_.networks.compute) return;
    NoTrace none;
    const FabricNeed<NoTrace> need = plain_need(*design_.networks.compute_need);
    const std::vector<Infeasible> refusals = fabric_refusals(need, build_fabric(none, need));
    if (refusals.empty()) return;
    not_known("Compute fabric: the rule of " + design_.guides.fabric->name + " ends before this size. " +
              refusals.front().message.text());
    design_.networks.compute.reset();
    design_.networks.compute_need.reset();
  }

  bool one_pair_for_all() const { return parts_.band != nullptr && parts_.band->compute_fabric == "collapsed pair"; }

  std::string missing_storage_network() const {
    if (one_pair_for_all())
      return "Storage network: its links end on the pair of compute switches; they are not counted.";
    if (design_.guides.in_band != nullptr && design_.guides.in_band->site.in_band_switches)
      return "Storage network: its links end on the in-band switches; they are not counted.";
    if (design_.guides.storage_network != nullptr)
      return "Storage network: the rule of " + design_.guides.storage_network->name + " ends before this size.";
    return "Storage network: the documents read give no counts for this design.";
  }

  std::optional<Count> units() const {
    if (design_.size.scalable_units) return design_.size.scalable_units;
    if (design_.networks.compute_need) return design_.networks.compute_need->scalable_units;
    return std::nullopt;
  }
  /// Units of the drawings: those of the document itself or of the one it is like, not of another's racks.
  std::optional<Count> drawn_units() const {
    const ReferenceArchitecture* document = design_.guides.document;
    const ReferenceArchitecture* racks = design_.guides.racks;
    const bool own = document != nullptr && racks != nullptr && (racks == document || racks->id == document->site.like);
    return own ? units() : std::nullopt;
  }

  void management() {
    if (is_single_node(parts_)) return;
    design_.servers = management_servers(trace_, design_.guides.management, units());
    if (!design_.servers.servers) not_known("Management servers: the documents read give no number for this design.");
    if (design_.guides.in_band == nullptr) {
      not_known(one_pair_for_all()
                    ? "In-band network: its links end on the pair of compute switches; they are not counted."
                    : "In-band network: the documents read give no counts for this design.");
      return;
    }
    const auto ports = management_ports(trace_, design_.guides.in_band, *design_.size.nodes, units(), design_.servers,
                                        0.0, 0.0, std::optional<Count>());
    design_in_band(trace_, catalog_, *design_.guides.in_band, ports.in_band, settled_.out_of_band_places,
                   design_.networks);
    if (!design_.networks.in_band_switches)
      not_known("In-band network: the rule of " + design_.guides.in_band->name + " ends before this size.");
  }

  void racks() {
    std::vector<Known<Tracer, Watts>> draw;
    for (const auto& group : switches_of(design_.networks))
      if (group.item != nullptr)
        if (const std::optional<PlannedPower> power = planned_power(*group.item))
          draw.push_back(
              named("architecture.switches_power", group.count * trace_.fact(*group.item, power->field, power->value)));
    design_.racks = rack_plan(trace_, catalog_, parts_, design_.guides.racks, *design_.size.nodes, drawn_units(),
                              rack_limits(trace_, catalog_, request_, numbers_.site.rack_power),
                              site_circuit(trace_, catalog_, request_.circuit), settled_.other_racks,
                              trace_.sum("architecture.network_power", draw));
    if (!design_.racks) not_known("Racks and PDUs: power or height of " + parts_.system->name + " is not known.");
  }

  /// Devices with a management port of their own: a system, or the trays and power shelves of a rack.
  Count managed_devices() {
    const System& system = *parts_.system;
    if (!is_rack(system)) return *design_.size.nodes;
    std::vector<Count> parts{trace_.fact(system, "tray_count", *system.trays)};
    if (system.nvswitch_trays) parts.push_back(trace_.fact(system, "nvswitch_tray_count", *system.nvswitch_trays));
    if (system.power_shelves) parts.push_back(trace_.fact(system, "power_shelf_count", *system.power_shelves));
    return named("architecture.managed_devices", *design_.size.nodes * trace_.sum("architecture.managed_parts", parts));
  }

  void out_of_band() {
    if (is_single_node(parts_)) return;
    if (design_.guides.out_of_band == nullptr) {
      not_known("Out-of-band network: the documents read name no switch for this design.");
      return;
    }
    std::vector<Count> fabric;
    std::vector<Count> ethernet;
    for (const auto& group : switches_of(design_.networks))
      (group.role == "in-band" ? ethernet : fabric).push_back(group.count);
    const auto pdus = design_.racks ? design_.racks->pdus : std::optional<Count>();
    auto ports = management_ports(trace_, design_.guides.in_band, *design_.size.nodes, units(), design_.servers,
                                  trace_.sum("architecture.fabric_switches", fabric),
                                  trace_.sum("architecture.ethernet_switches", ethernet), pdus);
    if (is_rack(*parts_.system)) {
      const auto of_trays = management_ports(trace_, design_.guides.in_band, managed_devices(), units(),
                                             design_.servers, trace_.sum("architecture.fabric_switches", fabric),
                                             trace_.sum("architecture.ethernet_switches", ethernet), pdus);
      ports.out_of_band = of_trays.out_of_band;
    }
    design_out_of_band(trace_, catalog_, *design_.guides.out_of_band, *design_.size.nodes, ports.out_of_band,
                       design_.networks);
    design_.ports = ports;
  }

  void power() {
    const auto it = it_power(trace_, parts_, *design_.size.nodes, switches_of(design_.networks));
    if (!it) {
      not_known("Power: no figure of " + parts_.system->name + " is known.");
      return;
    }
    const auto air = temperature_rise(trace_, catalog_, "/air_temperature_rise_k", "air-temperature-rise",
                                      request_.air_temperature_rise_k);
    const auto liquid = temperature_rise(trace_, catalog_, "/liquid_temperature_rise_k", "liquid-temperature-rise",
                                         request_.liquid_temperature_rise_k);
    if (!air || !liquid) return;
    DesignPower<Tracer> power{.it = *it};
    power.facility = named("architecture.facility_power", facility_power(it->total, 1.0, numbers_.pue));
    power.systems = cooling_numbers(trace_, it->systems, parts_.system, *air, *liquid);
    power.switches = cooling_numbers<Tracer>(trace_, it->switches, nullptr, *air, *liquid);
    if (request_.ups.module_kw)
      power.ups = ups_numbers<Tracer>(it->total, trace_.input("/ups/module_kw", kw(*request_.ups.module_kw)),
                                      trace_.input("/ups/ride_through_s", Seconds(request_.ups.ride_through_s)));
    const DesignNetworks<Tracer>& networks = design_.networks;
    const bool all_counted = is_single_node(parts_) || (networks.compute && networks.storage &&
                                                        networks.in_band_switches && networks.out_of_band);
    power.whole = is_single_node(parts_) || (all_counted && it->not_known.empty());
    design_.power = power;
    if (!all_counted) not_known("Power of the switches of networks that are not counted is not in the sums.");
    for (const std::string& sentence : it->not_known) not_known(sentence);
    not_known("Power of storage systems and management servers: it depends on the product and is not in the sums.");
  }

  void storage() {
    design_.storage =
        design_storage(trace_, catalog_, gpu_, parts_, design_.guides, design_.size, units(), request_.storage);
    if (!design_.storage) not_known("Storage: no document with levels is known.");
  }

  void software() {
    const ReferenceArchitecture* document =
        parts_.architecture != nullptr ? parts_.architecture : design_.guides.document;
    if (document != nullptr)
      design_.software = software_licences<Tracer>(catalog_, *document, *design_.size.gpus, *design_.size.nodes);
    if (design_.software.empty()) not_known("Software: the documents read list none for this design.");
  }

  Tracer& trace_;
  const Catalog& catalog_;
  const Gpu& gpu_;
  const DesignParts& parts_;
  const DesignRequest& request_;
  const DesignNumbers<Tracer>& numbers_;
  SettledCounts settled_;
  Design<Tracer> design_;
};

/// The counts once those devices, the racks' own ports and the uplinks of the out-of-band switches have settled.
SettledCounts settled_counts(const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                             const DesignRequest& request) {
  NoTrace none;
  SettledCounts settled;
  const DesignNumbers<NoTrace> numbers = design_numbers(none, request);
  for (int round = 0; round < kMostRounds; ++round) {
    const Design<NoTrace> design =
        DesignAssembly<NoTrace>(none, catalog, gpu, parts, request, numbers, settled).assemble();
    const SettledCounts next{
        static_cast<double>(packed_racks(other_devices(catalog, design), elevation_limits(catalog, request, design))),
        out_of_band_places(design.networks.out_of_band)};
    if (next.other_racks <= settled.other_racks && next.out_of_band_places <= settled.out_of_band_places) break;
    settled = {std::max(settled.other_racks, next.other_racks),
               std::max(settled.out_of_band_places, next.out_of_band_places)};
  }
  return settled;
}

}  // namespace

template <class Tracer>
Design<Tracer> make_design(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                           const DesignRequest& request, const DesignNumbers<Tracer>& numbers) {
  const SettledCounts settled = settled_counts(catalog, gpu, parts, request);
  return DesignAssembly<Tracer>(trace, catalog, gpu, parts, request, numbers, settled).assemble();
}
template Design<NoTrace> make_design(NoTrace&, const Catalog&, const Gpu&, const DesignParts&, const DesignRequest&,
                                     const DesignNumbers<NoTrace>&);
template Design<Trace> make_design(Trace&, const Catalog&, const Gpu&, const DesignParts&, const DesignRequest&,
                                   const DesignNumbers<Trace>&);

std::vector<std::string> system_labels(const DesignParts& parts, double systems) {
  return is_rack(*parts.system) ? numbered_labels("r", systems, 3) : numbered_labels("n", systems, 5);
}

ElevationLimits elevation_limits(const Catalog& catalog, const DesignRequest& request, const Design<NoTrace>& design) {
  NoTrace none;
  const RackLimits<NoTrace> limits = rack_limits(none, catalog, request, request.need.rack_power);
  ElevationLimits of_rack{
      .rack_units = static_cast<std::uint32_t>(limits.rack_units), .power = limits.power, .load_kg = limits.load_kg};
  // A rack of networks draws no more than one of systems, and beside racks that are systems no more than racks cooled
  // by air are drawn with.
  if (!of_rack.power && design.racks) of_rack.power = design.racks->rack_power;
  const OperatingFigure* air = find_operating_figure(catalog.operating_figures, "air-cooled-rack-power");
  if (design.racks && !design.racks->in_rack.by_height && air != nullptr && of_rack.power)
    of_rack.power = std::min(*of_rack.power, Watts(air->typical));
  return of_rack;
}

std::vector<DeviceGroup> other_devices(const Catalog& catalog, const Design<NoTrace>& design) {
  std::vector<DeviceGroup> groups;
  const auto empty = [](double count) { return std::vector<std::string>(static_cast<std::size_t>(count)); };
  for (const SwitchLayer<NoTrace>& layer : layers_of(design.networks)) {
    if (layer.item == nullptr || layer.count == 0) continue;
    const std::vector<std::string> labels = empty(layer.count);
    if (groups.empty() || groups.back().kind.role != layer.role)
      groups.push_back(switch_group(*layer.item, std::string(layer.role), labels));
    else
      append(groups.back().labels, labels);
  }
  const auto add_servers = [&](const char* role, const std::optional<double>& count) {
    if (count && *count > 0) groups.push_back(server_group(catalog, role, empty(*count)));
  };
  add_servers("fabric-manager", design.servers.fabric_managers);
  add_servers("management", design.servers.servers);
  return groups;
}

std::vector<Infeasible> design_shortfalls(const Catalog& catalog, const DesignParts& parts,
                                          const DesignRequest& request, const Design<NoTrace>& design) {
  return site_shortfalls(catalog, parts, limits_of(request.need), *design.size.nodes,
                         design.power ? std::optional(design.power->facility) : std::nullopt);
}

namespace {

/// More power, or as many GPUs as the site's power holds.
std::vector<Patch> power_ways_out(const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                                  const DesignRequest& request, const Design<NoTrace>& design) {
  std::vector<Patch> ways_out{{"/site_power_kw", std::ceil(design.power->facility / kw(1) * 10) / 10}};
  NoTrace none;
  DesignRequest fewer = request;
  for (double nodes = std::floor(*design.size.nodes * (*request.need.site_power / design.power->facility)); nodes >= 1;
       nodes = std::floor(nodes * 0.98)) {
    fewer.need.gpu_count = nodes * parts.system->gpu_count;
    const Design<NoTrace> smaller = make_design(none, catalog, gpu, parts, fewer);
    if (!smaller.power || smaller.power->facility > *request.need.site_power) continue;
    ways_out.emplace_back("/gpu_count", fewer.need.gpu_count);
    break;
  }
  return ways_out;
}

}  // namespace

DesignChoice choose_designs(const Catalog& catalog, const Gpu& gpu, const DesignRequest& request) {
  // The power of the site is compared with whole designs, below.
  ArchitectureNeed need = request.need;
  need.site_power.reset();
  DesignChoice result{choose_architecture(catalog, gpu, need), {}};
  const std::vector<ArchitectureDesign> chosen = std::exchange(result.designs, {});
  NoTrace none;
  std::vector<RejectedDesign> of_site;  // would be taken elsewhere, so they come first
  for (const ArchitectureDesign& design : chosen) {
    if (design.parts.system == nullptr) {
      result.built.push_back(Design<NoTrace>{.size = design.size});
      result.designs.push_back(design);
      continue;
    }
    Design<NoTrace> built = make_design(none, catalog, gpu, design.parts, request);
    const std::vector<Infeasible> shortfalls = design_shortfalls(catalog, design.parts, request, built);
    for (const Infeasible& shortfall : shortfalls) {
      of_site.push_back({shortfall, design.architecture_id, design.title, design.parts.system->id});
      if (shortfall.code == "site-power")
        of_site.back().ways_out = power_ways_out(catalog, gpu, design.parts, request, built);
    }
    if (!shortfalls.empty()) continue;
    result.built.push_back(std::move(built));
    result.designs.push_back(design);
  }
  result.rejected.insert(result.rejected.begin(), of_site.begin(), of_site.end());
  if (result.designs.empty() && result.fallbacks.empty())
    result.fallbacks = budget_fallbacks(catalog, gpu, request.need);
  return result;
}

}  // namespace podwright
