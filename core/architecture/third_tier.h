#pragma once
/// Cores above two tiers of a network beside the compute fabric. No document read draws such a tier: it is derived, by
/// the rule of the pods of compute fabrics. docs/method/fabric.md#third-tier-of-the-side-fabrics.
#include "architecture/racks.h"
#include "architecture/switch_counts.h"
#include "base/arithmetic.h"
#include "base/trace.h"

namespace podwright {

/// Parts (scalable units, pairs of leaves) whose links upwards the spines of one block take, with half of the ports of
/// a spine for leaves and half for cores. `most_spines`: more of them could not share the uplinks of a leaf.
auto parts_of_block(Of<double> auto most_spines, Of<double> auto ports_down, Of<double> auto links_of_part) {
  return cited("docs/method/fabric.md#third-tier-of-the-side-fabrics", floor(most_spines * ports_down / links_of_part));
}

/// Blocks that hold all parts; the last one may be filled in part and has all its spines.
auto block_count(Of<double> auto parts, Of<double> auto parts_of_block) {
  return cited("docs/method/fabric.md#third-tier-of-the-side-fabrics", ceil(parts / parts_of_block));
}

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
ThirdTier<Tracer> build_third_tier(const ThirdTierNeed<Tracer>& need) {
  ThirdTier<Tracer> tier;
  const auto half = named("architecture.block_spine_ports_down", half_of_ports(need.switch_ports));
  tier.parts_of_block =
      named("architecture.parts_of_block", podwright::parts_of_block(need.most_spines, half, need.links_of_part));
  tier.blocks = named("architecture.blocks", block_count(need.parts, tier.parts_of_block));
  const auto links_of_block = named("architecture.links_of_block", tier.parts_of_block * need.links_of_part);
  const auto least = named("architecture.least_spines_of_block", core_count(links_of_block, half));
  tier.spines_of_block = named("architecture.spines_of_block", even_spines(least, need.most_spines));
  tier.spines = named("architecture.spines_of_blocks", tier.blocks * tier.spines_of_block);
  tier.links = need.links;
  tier.cores = named("architecture.third_tier_cores",
                     at_least(need.least_cores,
                              named("architecture.third_tier_least_cores", core_count(need.links, need.switch_ports))));
  return tier;
}

}  // namespace podwright
