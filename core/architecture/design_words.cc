#include "architecture/design_words.h"

#include "architecture/counted.h"
#include "architecture/design_networks.h"
#include "base/append.h"

namespace podwright {
namespace {

constexpr std::string_view kSitePage = "docs/method/racks_and_power.md";

std::string rate_text(BytesPerSecond rate) { return human_number(rate / gb_per_s(1), 3) + " GB/s"; }

}  // namespace

FiredRule rule_racks(const System& power_system, const NodesInRack<NoTrace>& in_rack) {
  std::string limits;
  const auto add = [&](const std::optional<double>& nodes, std::string_view by) {
    if (nodes) limits += (limits.empty() ? "" : ", ") + grouped(*nodes) + " by " + std::string(by);
  };
  add(in_rack.by_power, "power");
  add(in_rack.by_height, "height");
  add(in_rack.by_weight, "weight");
  add(in_rack.as_drawn, "the drawing");
  return {7,
          grouped(in_rack.nodes) + (in_rack.nodes == 1 ? " system" : " systems") + " in a rack" +
              (limits.empty() ? "" : ": " + limits) + ".",
          power_system.source_of(planned_power(power_system)->field)};
}

FiredRule rule_feeds(const RackFeeds<NoTrace>& feeds, Watts rack_power) {
  return {8,
          "A full rack draws " + kilowatts_text(rack_power) + ": " + grouped(feeds.feeds) + " feeds of " +
              human_number(feeds.feed_power / kw(1), 3) + " kW, and with one lost each of the others carries " +
              human_number(feeds.after_loss / kw(1), 3) + " kW.",
          "ra-23"};
}

FiredRule rule_storage(const StorageGuide& guide, const StorageBandwidth<NoTrace>& bandwidth) {
  return {9,
          "Storage of the level \"" + std::string(bandwidth.level) + "\" reads " + rate_text(bandwidth.read) +
              " and writes " + rate_text(bandwidth.write) + ".",
          guide.architecture->source_of("storage_performance")};
}

FiredRule rule_management(const ManagementServers<NoTrace>& servers, const ReferenceArchitecture& architecture) {
  std::string text = servers.servers ? grouped(*servers.servers) + " management servers"
                                     : std::string("The document gives no number of management servers");
  if (servers.fabric_managers)
    text += " and " + grouped(*servers.fabric_managers) + " appliances of the fabric manager";
  return {10, text + "; the ports of the management networks are counted from what is connected, not from GPUs.",
          servers.servers ? architecture.source_of("management") : std::string(kSitePage)};
}

std::vector<Message> site_deviations(const DesignParts& parts, const RackPlan<NoTrace>& plan, const StorageGuide& guide,
                                     const StorageGuide& scaled) {
  std::vector<Message> deviations;
  if (plan.in_rack.as_drawn && plan.in_rack.nodes < *plan.in_rack.as_drawn)
    deviations.push_back(say("fewer-in-a-rack", "drawn"_v = *plan.in_rack.as_drawn, "taken"_v = plan.in_rack.nodes));
  if (plan.drawn_other_racks && plan.other_racks > *plan.drawn_other_racks)
    deviations.push_back(say("more-other-racks", "racks"_v = plan.other_racks, "drawn"_v = *plan.drawn_other_racks));
  if (guide.architecture != nullptr && guide.borrowed)
    deviations.push_back(say("borrowed-storage", "document"_v = guide.architecture->name));
  if (scaled.architecture != nullptr && parts.architecture != nullptr)
    deviations.push_back(
        say("scaled-storage", "document"_v = parts.architecture->name, "other"_v = scaled.architecture->name));
  return deviations;
}

namespace {

std::string tiers_text(const Design<NoTrace>& design) {
  const FabricTopology topology = design.networks.compute_need->topology;
  if (topology == FabricTopology::switch_pair) return " as a pair";
  const double tiers = design.networks.compute->tiers;
  return tiers == 1 ? "" : tiers == 2 ? " in two tiers" : " in three tiers";
}

}  // namespace

std::string design_summary(const ArchitectureDesign& choice, const Design<NoTrace>& design) {
  std::string text = choice.title + ": ";
  text += choice.parts.system == nullptr ? counted(design.size.nodes.value_or(1), "computer", "computers")
                                         : grouped(design.size.nodes.value_or(0)) + " x " + choice.parts.system->name;
  text += " with " + counted(design.size.gpus.value_or(0), "GPU", "GPUs");
  if (design.size.scalable_units)
    text += " in " + counted(*design.size.scalable_units, "scalable unit", "scalable units");
  if (const auto& fabric = design.networks.compute)
    text +=
        "; " +
        counted(fabric->leaf.total + fabric->spine.total + fabric->core.total, "compute switch", "compute switches") +
        tiers_text(design);
  if (design.racks) text += "; " + counted(design.racks->racks, "rack", "racks");
  if (design.power)
    text += std::string("; ") + (design.power->whole ? "" : "at least ") +
            human_number(design.power->it.total / kw(1), 4) + " kW of IT power";
  return text + ".";
}

std::vector<FiredRule> site_rules(const DesignParts& parts, const Design<NoTrace>& design) {
  std::vector<FiredRule> rules;
  if (design.racks && parts.power_system != nullptr)
    rules.push_back(rule_racks(*parts.power_system, design.racks->in_rack));
  if (design.racks && design.racks->feeds) rules.push_back(rule_feeds(*design.racks->feeds, design.racks->rack_power));
  if (design.storage) rules.push_back(rule_storage(design.storage->guide, design.storage->bandwidth));
  if (design.guides.management != nullptr && parts.architecture != nullptr)
    rules.push_back(rule_management(design.servers, *design.guides.management));
  return rules;
}

std::vector<Message> design_deviations(const DesignParts& parts, const Design<NoTrace>& design) {
  std::vector<Message> deviations;
  const SiteGuides& guides = design.guides;
  if (guides.document != nullptr && guides.document != parts.architecture)
    deviations.push_back(say("rule-continued", "document"_v = guides.document->name));
  if (guides.fabric != nullptr && beyond_pair(parts, *guides.fabric)) deviations.push_back(say("fabric-by-rule"));
  if (const auto& fabric = design.networks.compute; fabric && fabric->spine_oversubscription.value_or(1) > 1)
    deviations.push_back(say("tapered", "ratio"_v = *fabric->spine_oversubscription));
  if (guides.document != nullptr && guides.storage_network != nullptr && guides.storage_network != guides.document)
    deviations.push_back(say("networks-of-other", "document"_v = guides.storage_network->name));
  if (design.networks.storage && design.networks.storage->third)
    deviations.push_back(say("third-tier/storage", "units"_v = design.networks.storage->third->parts_of_block));
  if (design.networks.in_band_need && design.networks.in_band_need->third)
    deviations.push_back(say("third-tier/in-band", "pairs"_v = design.networks.in_band_need->third->parts_of_block));
  if (design.racks && design.storage) {
    const std::vector<Message> of_site =
        site_deviations(parts, *design.racks, design.storage->guide, design.storage->scaled_guide);
    append(deviations, of_site);
  }
  return deviations;
}

}  // namespace podwright
