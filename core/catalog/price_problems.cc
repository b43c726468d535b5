#include "catalog/price_problems.h"

#include <string_view>

#include "base/number_text.h"

namespace podwright {
namespace {

constexpr UsdPerSecond kLeastPerGpu = usd_per_hour(kLeastUsdPerGpuHour);
constexpr UsdPerSecond kMostPerGpu = usd_per_hour(kMostUsdPerGpuHour);
/// Placeholder that some price tables print for instances that cannot be ordered.
constexpr UsdPerSecond kPlaceholder = usd_per_hour(700);

std::string in_usd_per_hour(UsdPerSecond price) {
  return shortest_number(rounded_for_display(price / usd_per_hour(1))) + " USD/h";
}

}  // namespace

std::vector<std::string> price_problems(const CloudPrice& row) {
  std::vector<std::string> problems;
  const struct {
    std::string_view name;
    const std::optional<UsdPerSecond>& price;
  } terms[] = {{"on-demand", row.on_demand},
               {"spot", row.spot},
               {"1-year", row.reserved_1y},
               {"3-year", row.reserved_3y},
               {"contract", row.contract}};

  if (!(row.gpu_count > 0)) problems.push_back("The instance has no GPU.");
  if (row.gpu_memory_gb && !(*row.gpu_memory_gb > 0)) problems.push_back("The GPU has no memory.");
  bool any = false;
  for (const auto& [name, price] : terms) {
    if (!price) continue;
    any = true;
    const std::string what = "The " + std::string(name) + " price ";
    if (!(*price > UsdPerSecond(0))) {
      problems.push_back(what + "is not above 0.");
      continue;
    }
    if (*price == kPlaceholder) problems.push_back(what + "is the placeholder " + in_usd_per_hour(*price) + ".");
    if (!(row.gpu_count > 0)) continue;
    const UsdPerSecond per_gpu = *price / row.gpu_count;
    if (per_gpu < kLeastPerGpu || per_gpu > kMostPerGpu)
      problems.push_back(what + "of " + in_usd_per_hour(per_gpu) + " per GPU lies outside " +
                         in_usd_per_hour(kLeastPerGpu) + " to " + in_usd_per_hour(kMostPerGpu) + ".");
  }
  if (!any) problems.push_back("The row has no price.");
  if (row.on_demand && row.spot && *row.spot == *row.on_demand)
    problems.push_back("The spot price repeats the on-demand price.");
  for (const auto& [name, price] : terms)
    if (row.on_demand && price && *price > *row.on_demand)
      problems.push_back("The " + std::string(name) + " price is above the on-demand price.");
  return problems;
}

}  // namespace podwright
