#include "architecture/design_summary.h"

#include "architecture/counted.h"

namespace podwright {
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

}  // namespace podwright
