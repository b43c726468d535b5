#include "api/describe_egress.h"

namespace podwright {

void describe_egress(FieldVisitor& v, EgressRequest& egress) {
  v.number({.key = "egress_gb_per_month",
            .help = "Data that leaves the cloud, GB per month",
            .range = kNotNegative,
            .default_source = "not requested"},
           egress.gb_per_month);
  v.number({.key = "egress_usd_per_gb",
            .help = "Its price, USD per GB; absent: egress_tiers, else the provider's in the catalog",
            .range = kNotNegative},
           egress.usd_per_gb);
  const std::size_t tiers =
      v.enter_list({.key = "egress_tiers", .help = "Price list of the egress of a month, in rising order"});
  egress.steps.resize(tiers);
  for (std::size_t i = 0; i < tiers; ++i) {
    v.enter_item(i);
    v.number({.key = "up_to_gb", .help = "Upper border, GB per month; absent in the last step", .range = kPositive},
             egress.steps[i].up_to_gb);
    v.number({.key = "usd_per_gb", .help = "Price of a gigabyte, USD", .required = true, .range = kNotNegative},
             egress.steps[i].usd_per_gb);
    v.leave_item();
  }
  v.leave_list();
  bool rising = true;
  for (std::size_t i = 0; i < egress.steps.size(); ++i) {
    const std::optional<double>& border = egress.steps[i].up_to_gb;
    const bool last = i + 1 == egress.steps.size();
    rising = rising && border.has_value() != last &&
             (last || i == 0 || *border > egress.steps[i - 1].up_to_gb.value_or(*border));
  }
  v.rule(rising, "egress_tiers", "The borders must rise, and the last step has none.",
         "Write [{\"up_to_gb\": 10000, \"usd_per_gb\": 0.09}, {\"usd_per_gb\": 0.05}].");
  v.rule(egress.steps.empty() || !egress.usd_per_gb, "egress_usd_per_gb",
         "\"egress_usd_per_gb\" and \"egress_tiers\" both price the egress.", "Leave one of them out.");
}

}  // namespace podwright
