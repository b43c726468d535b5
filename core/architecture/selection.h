#pragma once
/// Chooses the design for a number of GPUs: size bands first, then ownership, fabric, power and cooling, with every
/// rule that fired. docs/method/architecture_bands.md states the rules; the bands themselves are facts
/// (catalog/architecture_band.h).
#include <optional>
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "catalog/catalog.h"

namespace podwright {

/// What decides. Words are those of the contract.
struct ArchitectureNeed {
  double gpu_count = 0;                    ///< to be bought now, at least 1
  std::optional<double> growth_gpu_count;  ///< to be reached later; the design is chosen for the larger of the two
  std::string ownership = "any";           ///< any, dgx, oem, pcie, cloud
  std::string fabric = "any";              ///< any, infiniband, spectrum-x, roce
  std::string workload = "mixed";          ///< training, finetuning, inference, inference-one-node, hpc, mixed
  std::optional<Watts> rack_power;         ///< of one rack; absent: racks are not counted
  bool liquid_cooling = true;              ///< the site has a liquid loop
  std::string sovereignty = "none";        ///< none, in-country, on-premises, air-gapped
  std::string services = "self";           ///< self, partner, nvidia
};

/// A rule of the method that shaped the design.
struct FiredRule {
  int number = 0;  ///< in docs/method/architecture_bands.md
  std::string text;
  std::string source;  ///< ids of sources, separated by "; "
};

struct ArchitectureDesign {
  std::string architecture_id;  ///< reference architecture, or single-node, custom
  std::string title;
  DesignParts parts;  ///< what design_size() needs to explain the numbers
  DesignSize<NoTrace> size;
  std::vector<FiredRule> rules_fired;
  std::vector<std::string> notes;       ///< steps, conditions and cautions
  std::vector<std::string> deviations;  ///< where the design leaves its document
};

/// Why a design of the right size was not taken.
struct RejectedDesign {
  std::string architecture_id;  ///< empty where there was none to take
  std::string title;
  std::string code;  ///< ownership, fabric, rack-power, liquid-cooling, no-system
  std::string message;
  std::optional<double> shortfall;  ///< in `unit`
  std::string unit;
  std::vector<std::string> ways_out;  ///< JSON Merge Patches of the need's keys, e.g. {"rack_power_kw":10.2}
};

struct ArchitectureChoice {
  std::vector<ArchitectureDesign>
      designs;  ///< best first, with up to two runners-up; empty: infeasible, `rejected` says why
  std::vector<RejectedDesign> rejected;
  std::vector<std::string> not_modelled;  ///< parts of a design that carry no number yet
};

/// The designs point into `catalog`, which must outlive them.
ArchitectureChoice choose_architecture(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need);

}  // namespace podwright
