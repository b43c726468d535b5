#pragma once
/// Cores above two tiers of a network beside the compute fabric. No document read draws such a tier: it is derived, by
/// the rule of the pods of compute fabrics. docs/method/fabric.md#third-tier-of-the-side-fabrics.
#include "architecture/fabric_formulas.h"
#include "architecture/racks.h"
#include "base/formula.h"
#include "base/trace.h"

namespace podwright {

/// Parts (scalable units, pairs of leaves) whose links upwards the spines of one block take, with half of the ports of
/// a spine for leaves and half for cores. `most_spines`: more of them could not share the uplinks of a leaf.
inline double parts_of_block(double most_spines, double ports_down, double links_of_part) {
  return std::floor(most_spines * ports_down / links_of_part);
}
inline constexpr Formula<parts_of_block> kPartsOfBlock{
    .id = "architecture.parts_of_block",
    .inputs = {"most_spines", "ports_down", "links_of_part"},
    .equation = "floor(most_spines * ports_down / links_of_part)",
    .source = "docs/method/fabric.md#third-tier-of-the-side-fabrics"};

/// Blocks that hold all parts; the last one may be filled in part and has all its spines.
inline double block_count(double parts, double parts_of_block) { return std::ceil(parts / parts_of_block); }
inline constexpr Formula<block_count> kBlockCount{.id = "architecture.block_count",
                                                  .inputs = {"parts", "parts_of_block"},
                                                  .equation = "ceil(parts / parts_of_block)",
                                                  .source = "docs/method/fabric.md#third-tier-of-the-side-fabrics"};

/// Links that each of `count` things has `each` of.
constexpr double links_of_each(double count, double each) { return count * each; }
inline constexpr Formula<links_of_each> kLinksOfEach{.id = "architecture.links_of_each",
                                                     .inputs = {"count", "each"},
                                                     .equation = "count * each",
                                                     .source = "definition"};

/// Links below and above the spines.
constexpr double links_of_tiers(double below, double above) { return below + above; }
inline constexpr Formula<links_of_tiers> kLinksOfTiers{.id = "architecture.links_of_tiers",
                                                       .inputs = {"below", "above"},
                                                       .equation = "below + above",
                                                       .source = "definition"};

template <class Tracer>
struct ThirdTier {
  using Count = typename Tracer::template Known<double>;
  Count parts_of_block{};
  Count blocks{};
  Count spines_of_block{};
  Count spines{};  ///< of all blocks
  Count cores{};
  Count links{};  ///< between spines and cores: as many as below the spines
};

template <class Tracer>
struct ThirdTierNeed {
  using Count = typename Tracer::template Known<double>;
  Count parts{};
  Count links_of_part{};  ///< upwards from its leaves
  Count links{};          ///< of all parts
  Count most_spines{};    ///< uplinks of the leaf with the fewest
  Count switch_ports{};
  Count least_cores{};  ///< that the document draws
};

/// Whether the rule holds: a block takes a part, and every core a link of every full block.
template <class Tracer>
bool third_tier_holds(const ThirdTierNeed<Tracer>& need) {
  const double links_of_part = value_of(need.links_of_part);
  const double parts =
      parts_of_block(value_of(need.most_spines), half_of_ports(value_of(need.switch_ports)), links_of_part);
  const double cores =
      at_least(value_of(need.least_cores), core_count(value_of(need.links), value_of(need.switch_ports)));
  return parts >= 1 && cores <= parts * links_of_part;
}

template <class Tracer>
ThirdTier<Tracer> build_third_tier(Tracer& trace, const ThirdTierNeed<Tracer>& need) {
  ThirdTier<Tracer> tier;
  const auto half = trace.step("architecture.block_spine_ports_down", kHalfOfPorts, need.switch_ports);
  tier.parts_of_block =
      trace.step("architecture.parts_of_block", kPartsOfBlock, need.most_spines, half, need.links_of_part);
  tier.blocks = trace.step("architecture.blocks", kBlockCount, need.parts, tier.parts_of_block);
  const auto links_of_block =
      trace.step("architecture.links_of_block", kLinksOfEach, tier.parts_of_block, need.links_of_part);
  const auto least = trace.step("architecture.least_spines_of_block", kCoreCount, links_of_block, half);
  tier.spines_of_block = trace.step("architecture.spines_of_block", kEvenSpines, least, need.most_spines);
  tier.spines = trace.step("architecture.spines_of_blocks", kLinksOfEach, tier.blocks, tier.spines_of_block);
  tier.links = need.links;
  tier.cores = trace.step("architecture.third_tier_cores", kAtLeast, need.least_cores,
                          trace.step("architecture.third_tier_least_cores", kCoreCount, need.links, need.switch_ports));
  return tier;
}

}  // namespace podwright
