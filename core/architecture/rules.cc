#include "architecture/rules.h"

#include "architecture/counted.h"
#include "base/among.h"
#include "base/words.h"

namespace podwright {
namespace {

constexpr std::string_view kBandsPage = "docs/method/architecture_bands.md";
constexpr std::array<std::string_view, 5> kStandings{
    "a size that its document publishes", "a size of the document's tables of large sizes",
    "a scalable unit filled in part", "an older edition at a lower rate", "a size without published counts"};

/// "infiniband or roce"
std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " or ") + word;
  return text;
}

std::string quoted(std::string_view word) { return "\"" + std::string(word) + "\""; }

std::optional<FiredRule> rule_site(const ArchitectureNeed& need, const DesignParts& parts) {
  const System& system = *parts.system;
  const std::optional<PlannedPower> power = planned_power(parts);
  std::string text;
  if (need.rack_power && power)
    text = "One " + system.name + " draws " + kilowatts_text(power->value) + ", a rack at the site supplies " +
           kilowatts_text(*need.rack_power) + ".";
  if (needs_liquid(system))
    text += (text.empty() ? "" : " ") + std::string("It needs a liquid loop, which the request gives the site.");
  if (text.empty()) return std::nullopt;
  return FiredRule{1, text, power ? parts.power_system->source_of(power->field) : system.source_of("gpu_count")};
}

FiredRule rule_replica(const System& system, double replica_gpus) {
  const std::string replica = "A replica of " + counted(replica_gpus, "GPU", "GPUs");
  const std::string joined = counted(system.gpu_count, "GPU", "GPUs") + " of " + with_article(system.name);
  if (replica_gpus <= system.gpu_count)
    return {2, replica + " stays among the " + joined + ".", system.source_of("gpu_count")};
  return {2,
          replica + " is spread over several nodes: it is larger than the " + joined +
              ", so its traffic crosses the compute fabric.",
          system.source_of("gpu_count")};
}

FiredRule rule_ownership(const ArchitectureBand& band, Ownership asked) {
  const std::string designs = joined_words(band.ownership);
  if (asked == Ownership::any)
    return {3, "Any ownership is allowed; this design belongs to the family " + designs + ".", std::string(kBandsPage)};
  return {3,
          "Ownership " + quoted(word_of(asked)) + " was asked for; this design belongs to the family " + designs + ".",
          std::string(kBandsPage)};
}

FiredRule rule_tenancy(const ArchitectureBand& band, Tenancy asked) {
  if (asked == Tenancy::several_teams)
    return {3, "Several teams of one organisation share the machines: NVIDIA's designs are made for that.", "ra-11"};
  if (band.architecture_id == "ncp-dsx")
    return {3,
            "Several tenants: BasePOD, SuperPOD and Enterprise RA are written for one organisation, so the "
            "cloud-partner designs come in their place.",
            "ra-11; ra-31"};
  return {3,
          "Several tenants: this design says nothing about separating them, which is left to whoever runs it "
          "(derived).",
          std::string(kBandsPage)};
}

FiredRule rule_fabric(const ArchitectureNeed& need, const ArchitectureBand& band) {
  const std::string fabrics = joined_words(band.fabrics);
  if (prefers_infiniband(need, band))
    return {4,
            "One job may span several scalable units, where it is bound by all-reduce: among equal designs "
            "InfiniBand comes first (derived). The design brings its fabric with it: " +
                fabrics + ".",
            band.source};
  if (need.fabric == FabricFamily::any)
    return {4, "The design brings its fabric with it: " + fabrics + ".", band.source};
  return {4, "The fabric " + quoted(word_of(need.fabric)) + " was asked for; the design is built with " + fabrics + ".",
          band.source};
}

FiredRule rule_superpod_services() {
  return {11,
          "NVIDIA Enterprise Support covers a SuperPOD end to end; NVIDIA asks to be contacted for four and more "
          "scalable units.",
          "ra-01; ra-03"};
}

FiredRule rule_size(const ArchitectureBand& band, double nodes) {
  std::string text =
      counted(nodes, "node lies", "nodes lie") + " in the band of " + node_range_text(band.min_nodes, band.max_nodes);
  if (band.min_nodes == 1 && !band.max_nodes) text = "The design is made for any number of nodes";
  if (band.max_nodes == band.min_nodes) text = counted(nodes, "node is", "nodes are") + " a band of its own";
  return {5, text + ": " + band.why + ".", band.source};
}

FiredRule rule_growth(const ArchitectureBand& now, const std::string& now_title, const ArchitectureBand& later,
                      const std::string& later_title) {
  const bool from_pair = now.compute_fabric == "switch pair" && later.compute_fabric != "switch pair";
  const bool third_tier = now.compute_fabric == "two tiers" && later.compute_fabric == "three tiers";
  std::string text = "Today's nodes alone would be " + now_title + "; the growth makes it " + later_title +
                     ", so its fabric is built from the start.";
  if (from_pair)
    text +=
        " The two switches of the small design do not become leaves of the large one; they serve as spares "
        "(derived).";
  if (third_tier)
    text +=
        " Adding a third tier later would mean re-cabling; rail groups with ports kept for the cores, as in the "
        "SuperPOD of GB200, avoid it.";
  return {6, text, std::string(kBandsPage)};
}

FiredRule rule_sovereignty(Sovereignty asked, const ReferenceArchitecture* architecture) {
  std::string federal;
  if (architecture != nullptr)
    for (const EndorsedSize& size : architecture->endorsed_sizes)
      if (size.maker.find("federal") != std::string::npos)
        federal = " For public authorities of the USA the entries of " + maker_name(size.maker) + " cover " +
                  node_range_text(size.min_nodes, size.max_nodes) + ".";
  const std::string federal_source = federal.empty() ? "" : "; " + architecture->source_of("endorsed_sizes");
  if (asked == Sovereignty::air_gapped)
    return {12, "Air gap: owned machines on the premises, with a mirror of the software registry inside." + federal,
            std::string(kBandsPage) + federal_source};
  if (asked == Sovereignty::in_country)
    return {12, "In-country: owned machines qualify; a cloud only where its operator runs in the country." + federal,
            std::string(kBandsPage) + federal_source};
  return {12, "On the premises: the design is owned by the customer and is there or in colocation." + federal,
          "ra-01; ra-09" + federal_source};
}

}  // namespace

std::string node_range_text(double min_nodes, std::optional<double> max_nodes) {
  const std::string from = grouped(min_nodes);
  if (!max_nodes) return min_nodes == 1 ? "any number of nodes" : from + " nodes and more";
  if (*max_nodes == min_nodes) return from + (min_nodes == 1 ? " node" : " nodes");
  return from + " to " + grouped(*max_nodes) + " nodes";
}

std::string maker_name(std::string_view maker) {
  std::string name(maker);
  for (std::size_t i = 0; i < name.size(); ++i)
    if ((i == 0 || name[i - 1] == ' ') && name[i] >= 'a' && name[i] <= 'z') name[i] = static_cast<char>(name[i] - 32);
  return name;
}

FiredRule rule_one_gpu() { return {5, "One GPU needs no fabric.", std::string(kBandsPage)}; }

std::vector<FiredRule> rules_of(const ArchitectureNeed& need, const JudgedBand& judged, const std::string& title,
                                const ArchitectureBand* now, const std::string& now_title) {
  const DesignParts& parts = judged.parts;
  const ArchitectureBand& band = *parts.band;
  std::vector<FiredRule> rules;
  if (std::optional<FiredRule> site = rule_site(need, parts)) rules.push_back(std::move(*site));
  if (!wants_compute_fabric(need, *parts.system))
    rules.push_back(
        {2,
         "Every replica of the model fits one node, so nothing needs a fast network between the nodes: small "
         "and collapsed fabrics come first.",
         "ra-19"});
  if (need.replica_gpus) rules.push_back(rule_replica(*parts.system, *need.replica_gpus));
  rules.push_back(rule_ownership(band, need.ownership));
  if (need.tenancy != Tenancy::one_team) rules.push_back(rule_tenancy(band, need.tenancy));
  if (!is_among(band.fabrics, "none")) rules.push_back(rule_fabric(need, band));
  rules.push_back(rule_size(band, judged.horizon_nodes));
  if (now != nullptr && (now->architecture_id != band.architecture_id || now->compute_fabric != band.compute_fabric))
    rules.push_back(rule_growth(*now, now_title, band, title));
  if (band.architecture_id.rfind("dgx-superpod", 0) == 0) rules.push_back(rule_superpod_services());
  if (is_enterprise(band))
    rules.push_back({11,
                     "The server's maker supports an Enterprise RA; only the sizes endorsed for that maker count as "
                     "validated.",
                     "ra-18"});
  if (band.architecture_id == "ncp-dsx")
    rules.push_back(
        {11, "Cloud-partner designs come from NVIDIA's partner portal: their counts are worked out with NVIDIA.",
         "ra-31"});
  if (need.sovereignty != Sovereignty::none) rules.push_back(rule_sovereignty(need.sovereignty, parts.architecture));
  return rules;
}

FiredRule rule_order(const BandRank& first, const BandRank& second, const ArchitectureBand& first_band,
                     const ArchitectureBand& second_band, const std::vector<std::string>& titles) {
  std::string names;
  for (const std::string& title : titles) names += (names.empty() ? "" : ", then ") + title;
  std::string why = "they are equal, and DGX comes before servers of other makers";
  if (first.workload != second.workload)
    why = "it has the smaller fabric, which is all that the workload needs";
  else if (first.replica != second.replica)
    why = "its systems hold a whole replica";
  else if (first.fit != second.fit)
    why = "it is " + std::string(word_of(first_band.fit, kStandings)) + ", the next is " +
          std::string(word_of(second_band.fit, kStandings));
  else if (first.tenancy != second.tenancy)
    why = "it is made for several tenants";
  else if (first.services != second.services)
    why = "its family brings the services that were asked for";
  else if (first.fabric != second.fabric)
    why = "InfiniBand comes first for one job over several scalable units";
  else if (first.installed != second.installed)
    why = "it has fewer GPUs to buy";
  else if (first_band.ownership == second_band.ownership)
    why = "they are equal, and the order of the size bands decides";
  return {14, "Chosen before " + names + ": " + why + ".", std::string(kBandsPage)};
}

}  // namespace podwright
