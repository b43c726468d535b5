#include "architecture/rules.h"

#include "architecture/selection.h"
#include "base/number_text.h"

namespace podwright {
namespace {

constexpr std::string_view kPage = "docs/method/architecture_bands.md";

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " or ") + word;
  return text;
}

std::string range_of(const ArchitectureBand& band) {
  const std::string from = shortest_number(band.min_nodes);
  if (!band.max_nodes) return from + " nodes and more";
  if (*band.max_nodes == band.min_nodes) return from + (band.min_nodes == 1 ? " node" : " nodes");
  return from + " to " + shortest_number(*band.max_nodes) + " nodes";
}

}  // namespace

FiredRule rule_no_compute_fabric() {
  return {2,
          "Every replica of the model fits one node, so nothing needs a fast network between the nodes: small and "
          "collapsed fabrics come first.",
          "ra-19"};
}

FiredRule rule_ownership(const ArchitectureBand& band, std::string_view asked) {
  const std::string designs = joined(band.ownership);
  if (asked == "any")
    return {3, "Any ownership is allowed; this design belongs to the family " + designs + ".", std::string(kPage)};
  return {3,
          "Ownership \"" + std::string(asked) + "\" was asked for; this design belongs to the family " + designs + ".",
          std::string(kPage)};
}

FiredRule rule_fabric(const ArchitectureBand& band, std::string_view asked) {
  const std::string fabrics = joined(band.fabrics);
  if (asked == "any") return {4, "The design brings its fabric with it: " + fabrics + ".", band.source};
  return {4, "The fabric \"" + std::string(asked) + "\" was asked for; the design is built with " + fabrics + ".",
          band.source};
}

FiredRule rule_size(const ArchitectureBand& band, double nodes) {
  return {5,
          shortest_number(nodes) + (nodes == 1 ? " node lies" : " nodes lie") + " in the band of " + range_of(band) +
              ": " + band.why + ".",
          band.source};
}

FiredRule rule_growth(const ArchitectureBand& now, const ArchitectureBand& later) {
  const bool from_pair = now.compute_fabric == "switch pair" && later.compute_fabric != "switch pair";
  const bool third_tier = now.compute_fabric == "two tiers" && later.compute_fabric == "three tiers";
  std::string text = "Today's nodes alone would be " + now.architecture_id + "; the growth makes it " +
                     later.architecture_id + ", so its fabric is built from the start.";
  if (from_pair) text += " The two switches of the small design do not become leaves of the large one.";
  if (third_tier) text += " Adding a third tier later would mean re-cabling.";
  return {6, text, std::string(kPage)};
}

FiredRule rule_racks(const System& system) {
  const std::optional<PlannedPower> power = planned_power(system);
  return {
      7,
      "Nodes per rack by power alone, " + shortest_number(power->value / kw(1)) + " kW for each " + system.name + ".",
      system.source_of(power->field)};
}

FiredRule rule_superpod_services() {
  return {11,
          "NVIDIA Enterprise Support covers a SuperPOD end to end; NVIDIA asks to be contacted for four and more "
          "scalable units.",
          "ra-01; ra-03"};
}

FiredRule rule_enterprise_services() {
  return {11,
          "The server's maker supports an Enterprise RA; only the sizes endorsed for that maker count as validated.",
          "ra-18"};
}

FiredRule rule_sovereignty(std::string_view asked) {
  if (asked == "air-gapped")
    return {12, "Air gap: owned machines on the premises, with a mirror of the software registry inside.",
            std::string(kPage)};
  if (asked == "in-country")
    return {12, "In-country: owned machines qualify; a cloud only where its operator runs in the country.",
            std::string(kPage)};
  return {12, "On the premises: the design is owned by the customer and stands there or in colocation.",
          "ra-01; ra-09"};
}

FiredRule rule_one_gpu() { return {5, "One GPU needs no fabric.", std::string(kPage)}; }

}  // namespace podwright
