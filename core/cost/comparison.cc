#include "cost/comparison.h"

#include "base/number_text.h"

namespace podwright {

std::optional<Infeasible> spot_problem(bool progress, double share, double utilization) {
  if (!progress || !(share > 0))
    return Infeasible{.code = "spot-makes-no-progress", .message = say("spot-makes-no-progress")};
  if (utilization <= share) return std::nullopt;
  return Infeasible{.code = "spot-cannot-keep-up",
                    .message = say("spot-cannot-keep-up", "left"_v = share, "needed"_v = utilization),
                    .shortfall = utilization - share,
                    .unit = "1"};
}

std::vector<std::string> commitment_cautions(std::optional<UsdPerSecond> idle, double billed_beyond) {
  std::vector<std::string> cautions;
  if (idle)
    cautions.push_back("A commitment is billed for every hour: " + dollars_text(*idle * years(1) / usd(1)) +
                       " a year pays for unused hours.");
  if (billed_beyond > 0)
    cautions.push_back("The last commitment is billed in full; years past the horizon: " + human_number(billed_beyond) +
                       ".");
  return cautions;
}

}  // namespace podwright
