#pragma once
/// What the choice of an architecture gives: designs with their reasons, and what was turned down.
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "architecture/rules.h"
#include "architecture/site_shortfall.h"

namespace podwright {

struct ArchitectureDesign {
  std::string architecture_id;  ///< reference architecture, or single-node, custom
  std::string title;
  DesignParts parts;  ///< what design_size() needs to explain the numbers
  DesignSize<NoTrace> size;
  std::vector<FiredRule> rules_fired;  ///< by number; rules 7 to 10 come from design_words.h
  std::vector<Message> notes;          ///< steps, conditions and cautions
  std::vector<Message> deviations;     ///< where the design leaves its document
};

/// Why a design was not taken: the code and the shortfall of the first condition (ownership, tenancy, fabric, size,
/// those of the site, no-system; order: it would serve, but comes after the designs shown), all conditions in the
/// message, and ways out in the need's keys and "gpu", each of which alone makes a design possible.
struct RejectedDesign : Infeasible {
  std::string architecture_id = {};  ///< empty where there was none to take
  std::string title = {};
  std::string system_id = {};            ///< empty where there was none to take
  std::vector<Infeasible> further = {};  ///< conditions after the first; their ways out are parts of those above
};

/// Something that another request would gain, or what is left to do when nothing fits.
struct DesignAdvice {
  std::string text;
  std::string source;
  std::vector<Patch> ways_out = {};  ///< empty where no key of the need stands for it
};

struct ArchitectureChoice {
  std::vector<ArchitectureDesign>
      designs;  ///< best first, with up to two runners-up; empty: infeasible, `rejected` says why
  std::vector<RejectedDesign> rejected;  ///< one entry a design and system, those closest to being possible first
  std::vector<DesignAdvice> advice;
  std::vector<DesignAdvice> fallbacks;  ///< in the order of rule 13; empty where there is a design
};

}  // namespace podwright
