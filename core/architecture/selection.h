#pragma once
/// Chooses the design for a number of GPUs: size bands first, then ownership, tenancy, fabric, power and cooling, with
/// every rule that fired and every design that was turned down. docs/method/architecture_bands.md states the rules; the
/// bands themselves are facts (catalog/architecture_band.h).
#include <optional>
#include <string>
#include <vector>

#include "architecture/architecture_need.h"
#include "architecture/design_size.h"
#include "architecture/rules.h"
#include "architecture/site_shortfall.h"
#include "catalog/catalog.h"

namespace podwright {

struct ArchitectureDesign {
  std::string architecture_id;  ///< reference architecture, or single-node, custom
  std::string title;
  DesignParts parts;  ///< what design_size() needs to explain the numbers
  DesignSize<NoTrace> size;
  std::vector<FiredRule> rules_fired;   ///< by number; rules 7 to 10 come from site_rules.h
  std::vector<std::string> notes;       ///< steps, conditions and cautions
  std::vector<std::string> deviations;  ///< where the design leaves its document
};

/// Why a design was not taken.
struct RejectedDesign {
  std::string architecture_id;  ///< empty where there was none to take
  std::string title;
  std::string system_id;  ///< empty where there was none to take
  std::string code;       ///< that of the first condition: ownership, tenancy, fabric, size, those of SiteShortfall,
                          ///< no-system; order: it would serve, but stands behind the designs shown
  std::string message;    ///< all conditions, one sentence each
  std::optional<double> shortfall;  ///< of the first condition, in `unit`
  std::string unit;
  std::vector<std::string>
      ways_out;  ///< JSON Merge Patches of the need's keys and "gpu"; each alone makes a design possible
  std::vector<SiteShortfall> further;  ///< conditions after the first; their ways out are parts of those above
};

/// Something that another request would gain, or what is left to do when nothing fits.
struct DesignAdvice {
  std::string text;
  std::string source;
  std::vector<std::string> ways_out;  ///< JSON Merge Patches; empty where no key of the need stands for it
};

struct ArchitectureChoice {
  std::vector<ArchitectureDesign>
      designs;  ///< best first, with up to two runners-up; empty: infeasible, `rejected` says why
  std::vector<RejectedDesign> rejected;  ///< one entry a design and system, those closest to being possible first
  std::vector<DesignAdvice> advice;
  std::vector<DesignAdvice> fallbacks;  ///< in the order of rule 13; empty where there is a design
};

/// The designs point into `catalog`, which must outlive them.
ArchitectureChoice choose_architecture(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need);

/// Rule 13: what to give up, and in which order, where money or the site do not allow the design.
std::vector<DesignAdvice> budget_fallbacks(const Catalog& catalog, const Gpu& gpu, const ArchitectureNeed& need);

}  // namespace podwright
