#include "api/one_run.h"

#include "base/number_text.h"

namespace podwright {

bool is_one_run(const JsonNode& plan) {
  const JsonNode* estimates = plan.find("estimates");
  const JsonNode* way = plan.find("way");
  const JsonNode* year = plan.find("ranked_by_usd_per_year");
  if (estimates == nullptr || estimates->items.size() != 1 || way == nullptr || way->text != "rent-on-demand")
    return false;
  const JsonNode* run = estimates->items.front().find("run");
  const JsonNode* rent = run == nullptr ? nullptr : run->find("rent_usd");
  constexpr int kShownDigits = 3;
  return rent != nullptr && year != nullptr && year->is_number() &&
         rounded_for_display(rent->number, kShownDigits) == rounded_for_display(year->number, kShownDigits);
}

}  // namespace podwright
