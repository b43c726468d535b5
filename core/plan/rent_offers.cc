#include "plan/rent_offers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "architecture/design_size.h"
#include "cost/provider_name.h"
#include "perf/ceilings.h"

namespace podwright {

bool in_country(const PlanRequest& request) {
  return std::any_of(request.workloads.begin(), request.workloads.end(),
                     [&](const auto& w) { return sovereignty_of(request, w) == Sovereignty::in_country; });
}

double StandingMachines::instances(const CloudPrice& row) const {
  double always = 0;
  for (const double gpus : replicas) always += std::ceil(gpus / row.gpu_count);
  if (always > 0) always = std::max(always, std::ceil(row.min_gpus / row.gpu_count));
  return std::max(mean_instances_above(load, 0, row.gpu_count), always);
}

std::string country_of_region(const Catalog& catalog, std::string_view region) {
  const auto find = [&](const auto& is_it) -> const EnergyRegion* {
    const auto found = std::find_if(catalog.energy_regions.begin(), catalog.energy_regions.end(), is_it);
    return found == catalog.energy_regions.end() ? nullptr : &*found;
  };
  const EnergyRegion* place = find([&](const EnergyRegion& row) { return row.id == region; });
  if (place == nullptr) return "";
  if (place->kind == "country" || !place->members.empty()) return place->id;
  // "Frankfurt, Germany"; some write "USA" and "Korea".
  const std::string& name = place->name;
  const std::size_t comma = name.rfind(", ");
  if (comma == std::string::npos) return "";
  const std::string country = name.substr(comma + 2);
  place = find([&](const EnergyRegion& row) {
    return row.kind == "country" && (row.name == country || row.id == country || row.name == "South " + country);
  });
  return place == nullptr ? "" : place->id;
}

RentFilter rent_filter(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                       const std::vector<PlacedWorkload>& placed, double gpu_count, StandingMachines standing) {
  const PlanEconomics& economics = request.economics;
  RentFilter filter{.gpu_id = gpu.id, .gpu_count = gpu_count, .policy = economics.price_policy};
  filter.mean_instances =
      of_size([standing = std::move(standing)](const CloudPrice& row) { return standing.instances(row); });
  const double node = node_gpus(catalog, gpu);
  for (const PlacedWorkload& item : placed) {
    const ServingRun* run = item.serving();
    const double group = run == nullptr ? item.gpu_count : replica_gpus(*run);
    const double inside = run == nullptr ? group : joined_gpus(*run);
    filter.joined_gpus = std::max(filter.joined_gpus, std::min(inside, node));
    filter.cluster_gpus = std::max(filter.cluster_gpus, group);
  }
  // A region that lies neither in a country nor in a union admits nothing: its name stands for no row.
  if (in_country(request)) {
    const std::string country = country_of_region(catalog, economics.region);
    filter.country = country.empty() ? economics.region : country;
    if (const EnergyRegion* place = row_with_id(catalog.energy_regions, filter.country))
      filter.members = place->members;
  }
  return filter;
}

std::vector<CommitmentOffer> commitment_offers(const Catalog& catalog, const PlanRequest& request, RentFilter filter,
                                               HeldTime held) {
  std::vector<CommitmentOffer> offers;
  for (CommitmentOffer offer : {CommitmentOffer{.term = RentTerm::reserved_1y, .years = 1, .market = {}},
                                CommitmentOffer{.term = RentTerm::reserved_3y, .years = 3, .market = {}}}) {
    // A term that outlasts the horizon would be paid for nothing.
    if (offer.years > request.economics.horizon_years) continue;
    filter.term = offer.term;
    filter.mean_instances = nullptr;  // all stand all the time
    offer.market = rent_market(catalog.cloud_prices, filter);
    if (offer.market.chosen != nullptr) offers.push_back(std::move(offer));
  }
  filter.term = RentTerm::contract;
  filter.mean_instances = [whole = filter, held](const CloudPrice& row) {
    const Seconds billed = contracted_time(held.time, *row.contract_least, *row.contract_most);
    return all_instances(whole, row) * held.use * (billed / held.time);
  };
  for (const Seconds longest : {held.time, kAnyLength}) {
    filter.longest_least = longest;
    CommitmentOffer contract{
        .term = filter.term, .years = 0, .market = rent_market(catalog.cloud_prices, filter), .longest = longest};
    if (contract.market.chosen == nullptr) continue;
    offers.push_back(std::move(contract));
    break;
  }
  return offers;
}

Message offers_left_out(const Catalog& catalog, const RentFilter& filter) {
  if (filter.country.empty()) return {};
  RentFilter anywhere = filter;
  anywhere.country.clear();
  double offers = 0;
  std::string providers;
  for (const CloudPrice& row : catalog.cloud_prices) {
    if (!row.country.empty() || !admits(anywhere, row)) continue;
    ++offers;
    const std::string name = provider_name(row.provider);
    if (providers.find(name) == std::string::npos) providers += (providers.empty() ? "" : ", ") + name;
  }
  if (offers == 0) return {};
  return say("offers-left-out", "offers"_v = offers, "providers"_v = providers);
}

Message no_offer(const Gpu& gpu, const RentFilter& filter, const Message& left_out) {
  const auto name = "gpu"_v = gpu.name;
  const auto joined = "joined_gpus"_v = filter.joined_gpus;
  const auto days = "most_age_days"_v = filter.policy.most_age_days;
  const auto as_of = "as_of"_v = filter.policy.as_of;
  const auto country = "country"_v = filter.country;
  if (!left_out.code.empty())
    return say("no-offer/left-out", name, country, joined, days, as_of, "left_out"_v = left_out);
  if (!filter.country.empty()) return say("no-offer/country", name, country, joined, days, as_of);
  if (filter.cluster_gpus > filter.joined_gpus)
    return say("no-offer/cluster", name, joined, "cluster_gpus"_v = filter.cluster_gpus, days, as_of);
  return say("no-offer", name, joined, days, as_of);
}

}  // namespace podwright
