#include "api/design_table.h"

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "architecture/design_words.h"
#include "base/stable_sort.h"

namespace podwright {
namespace {

/// The id of an item of the catalog; absent without an item.
template <class Item>
const std::string* id_of(const Item* item) {
  return item == nullptr ? nullptr : &item->id;
}

}  // namespace

template <class Table, class Tracer>
void describe_compute_fabric(Table& v, Tracer& trace, const DesignNetworks<Tracer>& networks) {
  v.fields(networks.compute, [&](const Fabric<Tracer>& fabric) {
    const FabricNeed<Tracer>& need = or_empty(networks.compute_need);
    v.text({"compute_switch", "Switch of the compute network"}, id_of(networks.compute_switch));
    if (const auto part = v.when(networks.manager_place.has_value()))
      v.word({"fabric_manager", "Where the fabric manager is connected"},
             networks.manager_place.value_or(ManagerPlace::elsewhere), kManagerPlaceWords);
    v.group({"compute_fabric", "Compute network"}, [&] { describe_fabric(v, need, fabric); });
    v.group({"next_step", "The next size"}, [&] { describe_next_size(v, trace, need, fabric); });
  });
}

template <class Table, class Tracer>
void describe(Table& v, const PrintedNetworks<Tracer>& printed) {
  v.number({"east_west_leaves"}, printed.east_west_leaves);
  v.number({"east_west_spines"}, printed.east_west_spines);
  v.number({"north_south_leaves"}, printed.north_south_leaves);
  v.number({"north_south_spines"}, printed.north_south_spines);
  v.number({"out_of_band", "Out-of-band network"}, printed.out_of_band);
}

template <class Table, class Tracer>
void describe_storage_fabric(Table& v, const DesignNetworks<Tracer>& networks) {
  v.object({"storage_fabric", "Storage network"}, networks.storage, [&](const StorageFabric<Tracer>& fabric) {
    v.text({"switch"}, id_of(networks.storage_switch));
    v.number({"switches"}, fabric.switches);
    v.number({"node_leaves"}, fabric.node_leaves);
    v.number({"storage_leaves"}, fabric.storage_leaves);
    v.number({"spines"}, fabric.spines);
    v.fields(fabric.third, [&](const auto& third) {
      v.number({"cores"}, third.cores);
      v.number({"units_per_block"}, third.parts_of_block);
      v.number({"blocks"}, third.blocks);
    });
    v.number({"node_ports"}, fabric.node_ports);
    v.number({"storage_ports"}, or_empty(networks.storage_need).storage_ports);
    v.number({"uplinks", "Leaf ports to spines"}, fabric.uplinks);
    v.fields(fabric.third, [&](const auto& third) {
      v.number({"spine_core_links", "Links from spines to cores"}, third.links);
    });
    v.number({"cables"}, fabric.cables);
    v.number({"switch_transceivers", "Transceivers at switches"}, fabric.switch_transceivers);
    v.number({"oversubscription"}, fabric.oversubscription);
  });
}

template <class Table, class Tracer>
void describe_in_band(Table& v, const Design<Tracer>& design) {
  const DesignNetworks<Tracer>& networks = design.networks;
  v.object({"in_band", "In-band network"}, networks.in_band_switches, [&](const auto& switches) {
    v.text({"switch"}, id_of(networks.in_band_switch));
    v.number({"switches"}, switches);
    v.fields(networks.in_band, [&](const InBandFabric<Tracer>& fabric) {
      const InBandNeed<Tracer>& need = or_empty(networks.in_band_need);
      v.number({"pairs"}, fabric.pairs);
      v.number({"leaves"}, fabric.leaves);
      v.fields(need.third, [&](const auto& third) {
        v.number({"spines"}, third.spines);
        v.number({"pairs_per_block"}, third.parts_of_block);
        v.number({"blocks"}, third.blocks);
        v.number({"spine_core_cables", "Cables from spines to cores"}, third.links);
      });
      v.number({"cores"}, need.cores);
      v.number({"inter_switch_cables", "Cables between the switches"}, fabric.inter_switch_cables);
      v.number({"uplink_cables"}, fabric.uplink_cables);
    });
    v.number({"ports"}, member_of(design.ports, &ManagementPorts<Tracer>::in_band));
  });
}

template <class Table, class Tracer>
void describe_management(Table& v, const Design<Tracer>& design) {
  v.object({"out_of_band", "Out-of-band network"}, design.networks.out_of_band, [&](const auto& fabric) {
    v.text({"switch"}, id_of(design.networks.out_of_band_switch));
    v.number({"switches"}, fabric.switches);
    v.number({"ports"}, fabric.ports);
    v.number({"uplink_cables"}, fabric.uplink_cables);
  });
  if (const auto part = v.when(design.servers.servers || design.servers.fabric_managers))
    v.group({"management_nodes"}, [&] {
      v.number({"servers"}, design.servers.servers);
      v.number({"fabric_managers"}, design.servers.fabric_managers);
    });
}

template <class Table, class Tracer>
void describe(Table& v, const RackPlan<Tracer>& plan) {
  v.number({"total"}, plan.racks);
  v.number({"compute"}, plan.compute_racks);
  v.number({"other"}, plan.other_racks);
  v.group({"nodes_per_rack"}, [&] {
    v.number({"chosen"}, plan.in_rack.nodes);
    v.number({"by_power"}, plan.in_rack.by_power);
    v.number({"by_height"}, plan.in_rack.by_height);
    v.number({"by_weight"}, plan.in_rack.by_weight);
    v.number({"as_drawn"}, plan.in_rack.as_drawn);
  });
  v.number({"compute_rack_power_kw", "Power of a rack of servers", unit::kKw}, plan.rack_power);
  v.number({"compute_rack_weight_kg", "Weight of a rack of servers", unit::kKg}, plan.rack_weight_kg);
  v.number({"pdus", "Power distribution units"}, plan.pdus);
  v.number({"compute_pdus"}, plan.compute_pdus);
  v.number({"other_pdus"}, plan.other_pdus);
  v.object({"feeds"}, plan.feeds, [&](const auto& feeds) {
    v.number({"per_rack"}, feeds.feeds);
    v.number({"feed_power_kw", unit::kKw}, feeds.feed_power);
    v.number({"load_with_one_lost_kw", "Load with one feed lost", unit::kKw}, feeds.after_loss);
  });
  v.number({"floor_m2", unit::kSquareMetres}, plan.floor_m2);
}

template <class Table, class Tracer>
void describe(Table& v, const CoolingNumbers<Tracer>& cooling) {
  v.number({"heat_btu_per_h", unit::kBtuPerHour}, cooling.btu_per_h);
  v.number({"liquid_kw", "Heat taken by liquid", unit::kKw}, cooling.liquid);
  v.number({"liquid_flow_l_per_min", "Liquid", unit::kLitresPerMinute}, cooling.liquid_l_per_min);
  v.number({"air_kw", "Heat taken by air", unit::kKw}, cooling.air);
  v.number({"air_flow_m3_per_h", "Air in cubic metres", unit::kCubicMetresPerHour}, cooling.air_m3_per_h);
  v.number({"air_flow_cfm", "Air in cubic feet", unit::kCfm}, cooling.air_cfm);
}

template <class Table, class Tracer>
void describe(Table& v, const DesignPower<Tracer>& power) {
  v.number({"it_kw", "Machines at full load", unit::kKw}, power.it.total);
  v.flag({"it_is_whole", "Every network is counted"}, power.whole);
  v.number({"systems_kw", "Servers at full load", unit::kKw}, power.it.systems);
  v.number({"switches_kw", "Switches at full load", unit::kKw}, power.it.switches);
  v.number({"facility_kw", "The site at full load, cooling included", unit::kKw}, power.facility);
  v.object({"cooling_of_systems"}, power.systems);
  v.object({"cooling_of_switches"}, power.switches);
  v.object({"ups", "Uninterruptible power supply"}, power.ups, [&](const auto& ups) {
    v.number({"modules"}, ups.modules);
    v.number({"energy_kwh", unit::kKwh}, ups.energy);
  });
}

template <class Table, class Tracer>
void describe(Table& v, const StorageBandwidth<Tracer>& bandwidth) {
  v.text({"level"}, bandwidth.level);
  v.number({"read_gb_per_s", unit::kGbPerSecond}, bandwidth.read);
  v.number({"write_gb_per_s", unit::kGbPerSecond}, bandwidth.write);
  v.number({"read_per_gpu_gb_per_s", unit::kGbPerSecond}, bandwidth.read_per_gpu);
  v.number({"node_read_gb_per_s", unit::kGbPerSecond}, bandwidth.node_read);
  v.number({"single_node_read_gb_per_s", unit::kGbPerSecond}, bandwidth.single_node_read);
  v.number({"single_node_write_gb_per_s", unit::kGbPerSecond}, bandwidth.single_node_write);
  v.fields(bandwidth.gds_read, [&](const auto& read) {
    v.number({"gpudirect_storage_read_gb_per_s", "GPUDirect Storage read", unit::kGbPerSecond}, read);
    v.flag({"wants_gpudirect_storage", "Wants GPUDirect Storage"}, bandwidth.wants_gds);
  });
}

template <class Table, class Tracer>
void describe(Table& v, const StorageCapacity<Tracer>& capacity) {
  v.number({"total_tb", unit::kTb}, capacity.total);
  v.number({"dataset_tb", unit::kTb}, capacity.dataset);
  v.number({"checkpoints_tb", unit::kTb}, capacity.checkpoints);
  v.number({"hot_tb", unit::kTb}, capacity.hot);
  v.number({"warm_tb", unit::kTb}, capacity.warm);
  v.number({"cold_tb", unit::kTb}, capacity.cold);
  v.number({"local_cache_tb", "Cache in the nodes", unit::kTb}, capacity.local_cache);
}

template <class Table, class Tracer>
void describe(Table& v, const DesignStorage<Tracer>& storage) {
  v.text({"guide"}, [&] { return storage.guide.architecture->id; });
  v.flag({"guide_is_of_this_design"}, !storage.guide.borrowed);
  describe(v, storage.bandwidth);
  v.object({"scaled_to_other_documents"}, storage.scaled, [&](const auto& scaled) {
    v.text({"guide"}, [&] { return storage.scaled_guide.architecture->id; });
    describe(v, scaled);
  });
  v.flag({"reads_enough"}, storage.choice.reads_enough);
  v.flag({"loses_little", "Checkpoints cost little"}, storage.choice.loses_little);
  v.number({"needed_read_gb_per_s", unit::kGbPerSecond}, storage.steady_read);
  v.object({"capacity"}, storage.capacity);
  v.number({"first_pass_s", "First pass over the data", unit::kSeconds}, storage.first_pass);
  v.object({"checkpoint"}, storage.checkpoint, [&](const auto& size) {
    v.number({"size_gb", unit::kGb}, size);
    v.fields(storage.checkpoints, [&](const CheckpointCost<Tracer>& cost) {
      v.number({"write_s", unit::kSeconds}, cost.write);
      v.number({"restart_read_s", unit::kSeconds}, cost.restart_read);
      v.number({"restart_s", unit::kSeconds}, cost.restart);
      v.number({"interval_s", unit::kSeconds}, cost.goodput.interval);
      v.number({"goodput", "Goodput (productive share of time)"}, cost.goodput.share);
      v.number({"mean_time_between_failures_hours", "Time between failures", unit::kHours},
               storage.mean_time_between_failures);
    });
  });
}

template <class Table, class Tracer>
void describe(Table& v, const SoftwareLine<Tracer>& line) {
  static const SoftwareProduct kEmpty{};
  const SoftwareProduct& product = line.product == nullptr ? kEmpty : *line.product;
  v.text({"id"}, product.id);
  v.text({"name"}, product.name);
  v.text({"role"}, product.role);
  v.number({"licences"}, line.licences);
  v.word({"counted_per"}, product.counted_per, kLicenceUnitWords);
  v.text({"covered_by"}, id_of(line.covered_by));
  v.text({"source"}, product.source);
}

template <class Table, class Tracer>
void describe(Table& v, const BillLine<Tracer>& line) {
  v.text({"category"}, line.category);
  v.text({"item"}, unless_empty(line.item_id));
  v.text({"name"}, line.name);
  v.text({"use"}, line.use);
  v.number({"count"}, line.count);
  v.text({"unit"}, line.unit);
  v.text({"note"}, unless_empty(line.note));
}

void describe(auto& v, const FiredRule& rule) {
  v.number({"rule"}, static_cast<double>(rule.number));
  v.text({"text"}, rule.text);
  v.text({"source"}, rule.source);
}

void describe_schedule(auto& v, const NetworkWiring& network, const std::vector<CableRun>& runs) {
  const auto& wires = network.wires;
  v.text({"network"}, network.network);
  v.column({"from"}, wires, [&](const Wire& wire) { return network.devices[wire.from_device].label; });
  v.column({"from_port"}, wires, [&](const Wire& wire) { return network.ports[wire.from_port]; });
  v.column({"to"}, wires, [&](const Wire& wire) { return network.devices[wire.to_device].label; });
  v.column({"to_port"}, wires, [&](const Wire& wire) { return network.ports[wire.to_port]; });
  if (const auto part = v.when(!runs.empty())) {
    v.column({"medium"}, runs, [](const CableRun& run) { return word_of(run.medium, kCableMediumWords); });
    v.column({"up_to_m", unit::kMetres}, runs, [](const CableRun& run) -> std::optional<double> {
      if (run.length == kNoLength) return std::nullopt;
      return kCableLengths[run.length];
    });
  }
}

struct PlacedDevice {
  const RackElevation* rack = nullptr;
  const RackedDevice* device = nullptr;
  const DeviceKind* kind = nullptr;
};

void describe(auto& v, const Elevations& elevations) {
  const auto& racks = elevations.racks;
  v.group({"racks"}, [&] {
    v.column({"label"}, racks, [](const RackElevation& rack) { return rack.label; });
    v.column({"used_units"}, racks, [](const auto& rack) { return static_cast<double>(rack.used_units); });
    v.column({"power_kw", unit::kKw}, racks, [](const RackElevation& rack) { return rack.power; });
    v.column({"weight_kg", unit::kKg}, racks, [](const RackElevation& rack) { return rack.weight_kg; });
  });
  std::vector<PlacedDevice> devices;
  for (const RackElevation& rack : racks)
    for (const RackedDevice& device : rack.devices) devices.push_back({&rack, &device, &elevations.kinds[device.kind]});
  v.group({"devices"}, [&] {
    v.column({"rack"}, devices, [](const PlacedDevice& one) { return one.rack->label; });
    v.column({"label"}, devices, [](const PlacedDevice& one) { return one.device->label; });
    v.column({"role"}, devices, [](const PlacedDevice& one) { return one.kind->role; });
    v.column({"item"}, devices, [](const PlacedDevice& one) { return one.kind->item_id; });
    v.column({"bottom_unit"}, devices,
             [](const PlacedDevice& one) { return static_cast<double>(one.device->bottom_unit); });
    v.column({"rack_units"}, devices,
             [](const PlacedDevice& one) { return static_cast<double>(one.kind->rack_units); });
  });
  v.texts({"unplaced", "Without a place"}, elevations.unplaced);
}

template <class Table, class Tracer>
void describe_design(Table& v, Tracer& trace, const Design<Tracer>& design) {
  describe_compute_fabric(v, trace, design.networks);
  v.object({"printed_switches", "Switches as printed"}, design.printed);
  describe_storage_fabric(v, design.networks);
  describe_in_band(v, design);
  describe_management(v, design);
  v.object({"racks"}, design.racks);
  v.object({"power"}, design.power);
  v.object({"storage"}, design.storage);
  v.list({"software"}, design.software);
  v.group({"bill_of_materials"}, [&] {
    v.list({"lines"}, design.bill.lines);
    v.texts({"not_counted"}, design.bill.not_counted);
  });
}

void describe_choice(auto& v, const ArchitectureDesign& choice, const Design<NoTrace>* built) {
  std::vector<FiredRule> rules = choice.rules_fired;
  std::vector<Message> deviations = choice.deviations;
  if (built != nullptr) {
    for (FiredRule& rule : site_rules(choice.parts, *built)) rules.push_back(std::move(rule));
    for (Message& one : design_deviations(choice.parts, *built)) deviations.push_back(std::move(one));
  }
  sort_stably(rules, [](const auto& a, const auto& b) { return a.number < b.number; });
  v.list({"rules_fired", "Rules that applied"}, rules);
  describe_messages(v, {"deviations"}, deviations);
  describe_messages(v, {"notes"}, choice.notes);
  v.texts({"not_known"}, built == nullptr ? nullptr : &built->not_known);
}

void describe_wires(auto& v, Trace& trace, const WiredDesign& wired, bool schedule, bool elevations) {
  constexpr std::string_view kPage = "docs/method/fabric.md#cable-lengths";
  std::vector<CableLine> lines;
  std::vector<std::size_t> networks;
  for (std::size_t i = 0; i < wired.wiring.networks.size(); ++i) networks.push_back(i);
  for (std::size_t i = 0; i < wired.runs.size(); ++i) {
    if (wired.runs[i].empty()) continue;
    for (CableLine& line : cable_lines(wired.wiring.networks[i], wired.runs[i])) lines.push_back(std::move(line));
  }
  v.list({"cables"}, lines, [&](const CableLine& line) {
    v.text({"network"}, line.network);
    v.text({"from"}, line.from_role);
    v.text({"to"}, line.to_role);
    if (const auto part = v.when(line.medium != CableMedium::unknown))
      v.word({"medium"}, line.medium, kCableMediumWords);
    if (const auto part = v.when(line.length_m.has_value()))
      v.number({"up_to_m", unit::kMetres},
               [&] { return trace.method("architecture.cable_length", *line.length_m, kPage); });
    v.number({"cables"}, [&] { return trace.method("architecture.cables_of_length", line.cables, kPage); });
    v.number({"links"}, [&] { return trace.method("architecture.links_of_length", line.links, kPage); });
  });
  if (const auto part = v.when(schedule))
    v.group({"cable_schedule"}, [&] {
      static const NetworkWiring kNoWires;
      static const std::vector<CableRun> kNoRuns;
      v.list({"networks"}, networks, [&](std::size_t i) {
        describe_schedule(v, v.real() ? wired.wiring.networks[i] : kNoWires, v.real() ? wired.runs[i] : kNoRuns);
      });
      v.texts({"not_wired"}, wired.wiring.not_wired);
    });
  if (const auto part = v.when(elevations)) v.object({"elevations", "Racks, unit by unit"}, wired.elevations);
}

template void describe_design(AnswerWriter&, NoTrace&, const Design<NoTrace>&);
template void describe_design(AnswerWriter&, Trace&, const Design<Trace>&);
template void describe_design(AnswerShape&, NoTrace&, const Design<NoTrace>&);
template void describe_design(AnswerShape&, Trace&, const Design<Trace>&);
template void describe_choice(AnswerWriter&, const ArchitectureDesign&, const Design<NoTrace>*);
template void describe_choice(AnswerShape&, const ArchitectureDesign&, const Design<NoTrace>*);
template void describe_wires(AnswerWriter&, Trace&, const WiredDesign&, bool, bool);
template void describe_wires(AnswerShape&, Trace&, const WiredDesign&, bool, bool);

}  // namespace podwright
