#include "cost/break_even.h"

#include "base/number_text.h"

namespace podwright {

std::string never_earned_back(UsdPerSecond rent, UsdPerSecond operation, double price_change) {
  if (rent <= UsdPerSecond(0)) return "The rent is 0, so the purchase is never earned back.";
  if (rent <= operation && price_change <= 0)
    return "Renting costs no more than running the owned machines alone, so the purchase is never earned back.";
  if (price_change < 0)
    return "The rent falls to the cost of running the owned machines before the purchase is earned back.";
  return "The purchase is not earned back within any time that a price can be carried on for.";
}

std::vector<std::string> break_even_cautions(double utilization, std::optional<Seconds> time, double sensitivity,
                                             double horizon_years) {
  std::vector<std::string> cautions;
  if (utilization > 1)
    cautions.push_back("Renting is cheaper at every utilisation: owning would need more than all hours.");
  if (sensitivity >= kIllConditioned)
    cautions.push_back(
        "Ill-conditioned: rent and operation are so close that 1 % of rent moves the break-even time by " +
        human_number(sensitivity, 2) + " %.");
  if (time && horizon_years > 0 && *time > years(horizon_years))
    cautions.push_back("The purchase is earned back only after the years it is planned for.");
  return cautions;
}

}  // namespace podwright
