#include "architecture/site_rules.h"

#include "architecture/counted.h"

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

}  // namespace podwright
