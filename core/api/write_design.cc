#include "api/write_design.h"

#include <algorithm>

#include "api/write_common.h"
#include "api/write_fabric.h"

namespace podwright {
namespace {

constexpr DisplayUnit kTb{"_tb", "TB", 1e12};
constexpr DisplayUnit kKg{"_kg", "kg", 1.0};
constexpr DisplayUnit kBtuPerHour{"_btu_per_h", "BTU/h", 1.0};
constexpr DisplayUnit kLitresPerMinute{"_l_per_min", "L/min", 1.0};
constexpr DisplayUnit kCubicMetresPerHour{"_m3_per_h", "m3/h", 1.0};
constexpr DisplayUnit kCfm{"_cfm", "CFM", 1.0};
constexpr DisplayUnit kMetres{"_m", "m", 1.0};
constexpr DisplayUnit kSquareMetres{"_m2", "m2", 1.0};

template <class Tracer>
class DesignWriter {
 public:
  using Count = typename Tracer::template Known<double>;

  DesignWriter(JsonWriter& out, Tracer& trace, const Design<Tracer>& design)
      : out_(out), trace_(trace), design_(design) {}

  void write() {
    compute_fabric();
    printed_switches();
    storage_fabric();
    in_band();
    out_of_band();
    management();
    racks();
    power();
    storage();
    software();
    bill();
  }

 private:
  void count(std::string_view key, const Count& value) { out_.quantity(key, unit::kNone, value); }
  void count(std::string_view key, const std::optional<Count>& value) { write_optional(out_, key, unit::kNone, value); }
  void switch_id(const Switch* item) {
    if (item != nullptr) out_.text("switch", item->id);
  }

  void compute_fabric() {
    if (!design_.networks.compute) return;
    if (design_.networks.compute_switch != nullptr) out_.text("compute_switch", design_.networks.compute_switch->id);
    out_.key("compute_fabric");
    write_fabric(out_, *design_.networks.compute_need, *design_.networks.compute);
    out_.key("next_step");
    write_next_size(out_, trace_, *design_.networks.compute_need, *design_.networks.compute);
  }

  void printed_switches() {
    if (!design_.printed) return;
    out_.begin_object("printed_switches");
    count("east_west_leaves", design_.printed->east_west_leaves);
    count("east_west_spines", design_.printed->east_west_spines);
    count("north_south_leaves", design_.printed->north_south_leaves);
    count("north_south_spines", design_.printed->north_south_spines);
    count("out_of_band", design_.printed->out_of_band);
    out_.end_object();
  }

  void storage_fabric() {
    if (!design_.networks.storage) return;
    const StorageFabric<Tracer>& fabric = *design_.networks.storage;
    out_.begin_object("storage_fabric");
    switch_id(design_.networks.storage_switch);
    count("switches", fabric.switches);
    count("node_leaves", fabric.node_leaves);
    count("storage_leaves", fabric.storage_leaves);
    count("spines", fabric.spines);
    if (fabric.third) {
      count("cores", fabric.third->cores);
      count("units_per_block", fabric.third->parts_of_block);
      count("blocks", fabric.third->blocks);
    }
    count("node_ports", fabric.node_ports);
    count("storage_ports", design_.networks.storage_need->storage_ports);
    count("uplinks", fabric.uplinks);
    if (fabric.third) count("spine_core_links", fabric.third->links);
    count("cables", fabric.cables);
    count("switch_transceivers", fabric.switch_transceivers);
    count("oversubscription", fabric.oversubscription);
    out_.end_object();
  }

  void in_band() {
    if (!design_.networks.in_band_switches) return;
    out_.begin_object("in_band");
    switch_id(design_.networks.in_band_switch);
    count("switches", design_.networks.in_band_switches);
    if (const auto& fabric = design_.networks.in_band) {
      count("pairs", fabric->pairs);
      count("leaves", fabric->leaves);
      if (const auto& third = design_.networks.in_band_need->third) {
        count("spines", third->spines);
        count("pairs_per_block", third->parts_of_block);
        count("blocks", third->blocks);
        count("spine_core_cables", third->links);
      }
      count("cores", design_.networks.in_band_need->cores);
      count("inter_switch_cables", fabric->inter_switch_cables);
      count("uplink_cables", fabric->uplink_cables);
    }
    if (design_.ports) count("ports", design_.ports->in_band);
    out_.end_object();
  }

  void out_of_band() {
    if (!design_.networks.out_of_band) return;
    out_.begin_object("out_of_band");
    switch_id(design_.networks.out_of_band_switch);
    count("switches", design_.networks.out_of_band->switches);
    count("ports", design_.networks.out_of_band->ports);
    count("uplink_cables", design_.networks.out_of_band->uplink_cables);
    out_.end_object();
  }

  void management() {
    if (!design_.servers.servers && !design_.servers.fabric_managers) return;
    out_.begin_object("management_nodes");
    count("servers", design_.servers.servers);
    count("fabric_managers", design_.servers.fabric_managers);
    out_.end_object();
  }

  void racks() {
    if (!design_.racks) return;
    const RackPlan<Tracer>& plan = *design_.racks;
    out_.begin_object("racks");
    count("total", plan.racks);
    count("compute", plan.compute_racks);
    count("other", plan.other_racks);
    out_.begin_object("nodes_per_rack");
    count("chosen", plan.in_rack.nodes);
    count("by_power", plan.in_rack.by_power);
    count("by_height", plan.in_rack.by_height);
    count("by_weight", plan.in_rack.by_weight);
    count("as_drawn", plan.in_rack.as_drawn);
    out_.end_object();
    out_.quantity("compute_rack_power", unit::kKw, plan.rack_power);
    write_optional(out_, "compute_rack_weight", kKg, plan.rack_weight_kg);
    count("pdus", plan.pdus);
    count("compute_pdus", plan.compute_pdus);
    count("other_pdus", plan.other_pdus);
    if (plan.feeds) {
      out_.begin_object("feeds");
      count("per_rack", plan.feeds->feeds);
      out_.quantity("feed_power", unit::kKw, plan.feeds->feed_power);
      out_.quantity("load_with_one_lost", unit::kKw, plan.feeds->after_loss);
      out_.end_object();
    }
    write_optional(out_, "floor", kSquareMetres, plan.floor_m2);
    out_.end_object();
  }

  void cooling(std::string_view key, const CoolingNumbers<Tracer>& cooling) {
    out_.begin_object(key);
    out_.quantity("heat", kBtuPerHour, cooling.btu_per_h);
    write_optional(out_, "liquid", unit::kKw, cooling.liquid);
    write_optional(out_, "liquid_flow", kLitresPerMinute, cooling.liquid_l_per_min);
    write_optional(out_, "air", unit::kKw, cooling.air);
    write_optional(out_, "air_flow", kCubicMetresPerHour, cooling.air_m3_per_h);
    write_optional(out_, "air_flow", kCfm, cooling.air_cfm);
    out_.end_object();
  }

  void power() {
    if (!design_.power) return;
    const DesignPower<Tracer>& power = *design_.power;
    out_.begin_object("power");
    out_.quantity("it", unit::kKw, power.it.total);
    out_.boolean("it_is_whole", power.whole);
    out_.quantity("systems", unit::kKw, power.it.systems);
    out_.quantity("switches", unit::kKw, power.it.switches);
    out_.quantity("facility", unit::kKw, power.facility);
    cooling("cooling_of_systems", power.systems);
    cooling("cooling_of_switches", power.switches);
    if (power.ups) {
      out_.begin_object("ups");
      count("modules", power.ups->modules);
      out_.quantity("energy", unit::kKwh, power.ups->energy);
      out_.end_object();
    }
    out_.end_object();
  }

  void bandwidth(const StorageBandwidth<Tracer>& bandwidth) {
    out_.text("level", bandwidth.level);
    out_.quantity("read", unit::kGbPerSecond, bandwidth.read);
    out_.quantity("write", unit::kGbPerSecond, bandwidth.write);
    out_.quantity("read_per_gpu", unit::kGbPerSecond, bandwidth.read_per_gpu);
    write_optional(out_, "node_read", unit::kGbPerSecond, bandwidth.node_read);
    write_optional(out_, "single_node_read", unit::kGbPerSecond, bandwidth.single_node_read);
    write_optional(out_, "single_node_write", unit::kGbPerSecond, bandwidth.single_node_write);
    if (bandwidth.gds_read) {
      out_.quantity("gpudirect_storage_read", unit::kGbPerSecond, *bandwidth.gds_read);
      out_.boolean("wants_gpudirect_storage", bandwidth.wants_gds);
    }
  }

  void storage() {
    if (!design_.storage) return;
    const DesignStorage<Tracer>& storage = *design_.storage;
    out_.begin_object("storage");
    out_.text("guide", storage.guide.architecture->id);
    out_.boolean("guide_is_of_this_design", !storage.guide.borrowed);
    bandwidth(storage.bandwidth);
    if (storage.scaled) {
      out_.begin_object("scaled_to_other_documents");
      out_.text("guide", storage.scaled_guide.architecture->id);
      bandwidth(*storage.scaled);
      out_.end_object();
    }
    out_.boolean("reads_enough", storage.choice.reads_enough);
    out_.boolean("loses_little", storage.choice.loses_little);
    write_optional(out_, "needed_read", unit::kGbPerSecond, storage.steady_read);
    if (storage.capacity) {
      const StorageCapacity<Tracer>& capacity = *storage.capacity;
      out_.begin_object("capacity");
      out_.quantity("total", kTb, capacity.total);
      out_.quantity("dataset", kTb, capacity.dataset);
      out_.quantity("checkpoints", kTb, capacity.checkpoints);
      out_.quantity("hot", kTb, capacity.hot);
      out_.quantity("warm", kTb, capacity.warm);
      out_.quantity("cold", kTb, capacity.cold);
      write_optional(out_, "local_cache", kTb, capacity.local_cache);
      out_.end_object();
    }
    write_optional(out_, "first_pass", unit::kSeconds, storage.first_pass);
    checkpoints(storage);
    out_.end_object();
  }

  void checkpoints(const DesignStorage<Tracer>& storage) {
    if (!storage.checkpoint) return;
    out_.begin_object("checkpoint");
    out_.quantity("size", unit::kGb, *storage.checkpoint);
    if (storage.checkpoints) {
      out_.quantity("write", unit::kSeconds, storage.checkpoints->write);
      out_.quantity("restart_read", unit::kSeconds, storage.checkpoints->restart_read);
      out_.quantity("restart", unit::kSeconds, storage.checkpoints->restart);
      out_.quantity("interval", unit::kSeconds, storage.checkpoints->goodput.interval);
      out_.quantity("goodput", unit::kNone, storage.checkpoints->goodput.share);
      write_optional(out_, "mean_time_between_failures", unit::kHours, storage.mean_time_between_failures);
    }
    out_.end_object();
  }

  void software() {
    out_.begin_list("software");
    for (const SoftwareLine<Tracer>& line : design_.software) {
      out_.begin_object();
      out_.text("id", line.product->id);
      out_.text("name", line.product->name);
      out_.text("role", line.product->role);
      if (line.licences) count("licences", *line.licences);
      if (line.product->counted_per) out_.text("counted_per", word_of(*line.product->counted_per, kLicenceUnitWords));
      if (line.covered_by != nullptr) out_.text("covered_by", line.covered_by->id);
      out_.text("source", line.product->source);
      out_.end_object();
    }
    out_.end_list();
  }

  void bill() {
    out_.begin_object("bill_of_materials");
    out_.begin_list("lines");
    for (const BillLine<Tracer>& line : design_.bill.lines) {
      out_.begin_object();
      out_.text("category", line.category);
      if (!line.item_id.empty()) out_.text("item", line.item_id);
      out_.text("name", line.name);
      out_.text("use", line.use);
      count("count", line.count);
      out_.text("unit", line.unit);
      if (!line.note.empty()) out_.text("note", line.note);
      out_.end_object();
    }
    out_.end_list();
    write_texts(out_, "not_counted", design_.bill.not_counted);
    out_.end_object();
  }

  JsonWriter& out_;
  Tracer& trace_;
  const Design<Tracer>& design_;
};

}  // namespace

template <class Tracer>
void write_design_size(JsonWriter& out, const DesignSize<Tracer>& size) {
  write_optional(out, "nodes", unit::kNone, size.nodes);
  write_optional(out, "gpus", unit::kNone, size.gpus);
  write_optional(out, "horizon_nodes", unit::kNone, size.horizon_nodes);
  write_optional(out, "scalable_units", unit::kNone, size.scalable_units);
}

template <class Tracer>
void write_design(JsonWriter& out, Tracer& trace, const Design<Tracer>& design) {
  DesignWriter<Tracer>(out, trace, design).write();
}

void write_told(JsonWriter& out, const ArchitectureDesign& choice, const Design<NoTrace>* built) {
  std::vector<FiredRule> rules = choice.rules_fired;
  std::vector<std::string> deviations = choice.deviations;
  if (built != nullptr) {
    for (FiredRule& rule : site_rules(choice.parts, *built)) rules.push_back(std::move(rule));
    for (std::string& text : design_deviations(choice.parts, *built)) deviations.push_back(std::move(text));
  }
  std::stable_sort(rules.begin(), rules.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  out.begin_list("rules_fired");
  for (const FiredRule& rule : rules) {
    out.begin_object();
    out.number("rule", rule.number);
    out.text("text", rule.text);
    out.text("source", rule.source);
    out.end_object();
  }
  out.end_list();
  write_texts(out, "deviations", deviations);
  write_texts(out, "notes", choice.notes);
  if (built != nullptr) write_texts(out, "not_known", built->not_known);
}

void write_cable_lines(JsonWriter& out, Trace& trace, const WiredDesign& wired) {
  constexpr std::string_view kPage = "docs/method/fabric.md#cable-lengths";
  out.begin_list();
  for (std::size_t i = 0; i < wired.runs.size(); ++i) {
    if (wired.runs[i].empty()) continue;
    for (const CableLine& line : cable_lines(wired.wiring.networks[i], wired.runs[i])) {
      out.begin_object();
      out.text("network", line.network);
      out.text("from", line.from_role);
      out.text("to", line.to_role);
      if (line.medium != CableMedium::unknown) out.text("medium", word_of(line.medium, kCableMediumWords));
      if (line.length_m)
        out.quantity("up_to", kMetres, trace.method("architecture.cable_length", *line.length_m, kPage));
      out.quantity("cables", unit::kNone, trace.method("architecture.cables_of_length", line.cables, kPage));
      out.quantity("links", unit::kNone, trace.method("architecture.links_of_length", line.links, kPage));
      out.end_object();
    }
  }
  out.end_list();
}

void write_wiring(JsonWriter& out, const WiredDesign& wired) {
  out.begin_object();
  out.begin_list("networks");
  for (std::size_t i = 0; i < wired.wiring.networks.size(); ++i) {
    const NetworkWiring& network = wired.wiring.networks[i];
    const auto column = [&](std::string_view name, const auto& text_of) {
      out.begin_list(name);
      for (const Wire& wire : network.wires) out.text(text_of(wire));
      out.end_list();
    };
    out.begin_object();
    out.text("network", network.network);
    column("from", [&](const Wire& wire) { return network.devices[wire.from_device].label; });
    column("from_port", [&](const Wire& wire) { return network.ports[wire.from_port]; });
    column("to", [&](const Wire& wire) { return network.devices[wire.to_device].label; });
    column("to_port", [&](const Wire& wire) { return network.ports[wire.to_port]; });
    if (!wired.runs[i].empty()) {
      out.begin_list("medium");
      for (const CableRun& run : wired.runs[i]) out.text(word_of(run.medium, kCableMediumWords));
      out.end_list();
      out.begin_list("up_to_m");
      for (const CableRun& run : wired.runs[i])
        run.length == kNoLength ? out.null() : out.number(kCableLengths[run.length]);
      out.end_list();
    }
    out.end_object();
  }
  out.end_list();
  write_texts(out, "not_wired", wired.wiring.not_wired);
  out.end_object();
}

void write_elevations(JsonWriter& out, const Elevations& elevations) {
  const auto rack_column = [&](std::string_view name, const auto& write) {
    out.begin_list(name);
    for (const RackElevation& rack : elevations.racks) write(rack);
    out.end_list();
  };
  const auto device_column = [&](std::string_view name, const auto& write) {
    out.begin_list(name);
    for (const RackElevation& rack : elevations.racks)
      for (const RackedDevice& device : rack.devices) write(rack, device, elevations.kinds[device.kind]);
    out.end_list();
  };
  out.begin_object();
  out.begin_object("racks");
  rack_column("label", [&](const RackElevation& rack) { out.text(rack.label); });
  rack_column("used_units", [&](const RackElevation& rack) { out.number(rack.used_units); });
  rack_column("power_kw", [&](const RackElevation& rack) { out.quantity_value(unit::kKw, rack.power); });
  rack_column("weight_kg", [&](const RackElevation& rack) { out.number(rack.weight_kg); });
  out.end_object();
  out.begin_object("devices");
  device_column("rack", [&](const auto& rack, const auto&, const auto&) { out.text(rack.label); });
  device_column("label", [&](const auto&, const auto& device, const auto&) { out.text(device.label); });
  device_column("role", [&](const auto&, const auto&, const auto& kind) { out.text(kind.role); });
  device_column("item", [&](const auto&, const auto&, const auto& kind) { out.text(kind.item_id); });
  device_column("bottom_unit", [&](const auto&, const auto& device, const auto&) { out.number(device.bottom_unit); });
  device_column("rack_units", [&](const auto&, const auto&, const auto& kind) { out.number(kind.rack_units); });
  out.end_object();
  write_texts(out, "unplaced", elevations.unplaced);
  out.end_object();
}

template void write_design_size(JsonWriter&, const DesignSize<NoTrace>&);
template void write_design_size(JsonWriter&, const DesignSize<Trace>&);
template void write_design(JsonWriter&, NoTrace&, const Design<NoTrace>&);
template void write_design(JsonWriter&, Trace&, const Design<Trace>&);

}  // namespace podwright
