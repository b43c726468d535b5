#include "api/cost_terms.h"
#include "catalog/fact_date.h"
#include "cost/purchase.h"
#include "export/focus_csv.h"

namespace podwright {
namespace {

FocusPlan empty_plan(const CostRequest& r, std::string_view way) {
  FocusPlan plan;
  plan.account_id = std::string("planned-") + std::string(way);
  plan.account_name = std::string("Planned cost: ") + std::string(way);
  plan.owner = "Own operation";
  plan.first_day = *earliest_day(r.as_of);
  plan.days = static_cast<std::int64_t>(r.export_days);
  return plan;
}

std::string name_of_gpus(const CostRequest& r) { return r.gpu ? r.gpu->name : "GPU"; }

FocusPlan owned_plan(const Catalog& catalog, const CostRequest& r, const CostSides& sides) {
  FocusPlan plan = empty_plan(r, word_of(CostWay::own, kCostWayWords));
  const std::string& region = r.on_premises->region;
  const EnergyRegion* found = find_energy_region(catalog, region);
  OwnedResource resource{.id = "own-gpus",
                         .name = "GPUs of one's own",
                         .type = name_of_gpus(r),
                         .region_id = region,
                         .region_name = found == nullptr ? "" : found->name};
  if (sides.rented && r.cloud->term == RentTerm::on_demand && sides.rented->cost.price_per_gpu)
    resource.rent = sides.rented->cost.price_per_gpu->value;
  if (!add_owned_cluster(plan, plain_terms(sides.owned->asked.terms), resource)) return plan;
  // Another way of spreading the purchase moves what the GPUs carry.
  const UsdPerSecond more = sides.owned->bill->yearly.value - sides.owned->cost.total->yearly.value;
  plan.owned.front().cost_per_gpu += more / r.gpu_count;
  return plan;
}

FocusPlan rented_plan(const CostRequest& r, const RentedSide<Trace>& cloud) {
  FocusPlan plan = empty_plan(r, word_of(CostWay::rent, kCostWayWords));
  const CloudCost<Trace>& cost = cloud.cost;
  const bool committed = cloud.asked.terms.commitment_years > 0;
  const CloudPrice* row = cloud.asked.row;
  const std::string provider = row != nullptr                      ? row->provider
                               : r.cloud->policy.providers.empty() ? "Cloud"
                                                                   : r.cloud->policy.providers.front();
  UsdPerSecond list = cloud.asked.terms.price_per_gpu->value;
  if (committed && row != nullptr && row->on_demand) list = gpu_hour_price(*row->on_demand, row->gpu_count);
  plan.rented.push_back({.id = "rented-gpus",
                         .name = "Rented GPUs",
                         .provider = provider,
                         .instance = row != nullptr ? row->instance : name_of_gpus(r),
                         .region_id = row != nullptr ? row->region : r.cloud->region,
                         .region_name = row != nullptr ? row->region : r.cloud->region,
                         .kind = r.cloud->term == RentTerm::spot           ? RentTerm::spot
                                 : !committed                              ? RentTerm::on_demand
                                 : cloud.asked.terms.commitment_years == 1 ? RentTerm::reserved_1y
                                                                           : RentTerm::reserved_3y,
                         .gpus = cloud.asked.terms.billed_gpus.value,
                         .utilization = cost.spot_share_of_time ? cost.spot_share_of_time->value : r.utilization,
                         .price = cost.price_per_gpu->value,
                         .list_price = list});
  const auto add = [&](const char* id, const char* name, const char* category, const auto& rate, bool hosted = true) {
    if (rate && rate->value > UsdPerSecond(0))
      plan.services.push_back({.id = id,
                               .name = name,
                               .provider = provider,
                               .service_category = category,
                               .hosted = hosted,
                               .cost = rate->value});
  };
  add("rented-licences", "Software licences", "Other", cost.license, false);
  add("rented-storage", "Storage", "Storage", cost.storage);
  add("rented-egress", "Data that leaves", "Networking", cost.egress);
  add("rented-support", "Support", "Management and Governance", cost.support, false);
  return plan;
}

}  // namespace

ExportFiles cost_files(const Catalog& catalog, const CostRequest& request, const CostSides& sides) {
  ExportFiles result;
  const auto add = [&](const char* name, const FocusPlan& plan) {
    result.files.push_back({.name = name, .media_type = "text/csv", .text = focus_csv(plan)});
  };
  if (sides.owned && sides.owned->cost.total)
    add("focus_own.csv", owned_plan(catalog, request, sides));
  else if (sides.owned)
    result.not_written.push_back("focus of owning: " + sides.owned->cost.missing.front());
  if (sides.rented && sides.rented->years)
    add("focus_rent.csv", rented_plan(request, *sides.rented));
  else if (sides.rented)
    result.not_written.emplace_back("focus of renting: the bill is not known.");
  return result;
}

}  // namespace podwright
