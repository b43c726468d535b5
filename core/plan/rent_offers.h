#pragma once
/// Which machines of the price table carry a plan, and at whose price. docs/method/prices.md#policy.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "cost/hybrid.h"
#include "cost/rent.h"
#include "plan/plan_demand.h"
#include "plan/plan_request.h"

namespace podwright {

/// An offer that bills whole terms.
struct CommitmentOffer {
  RentTerm term = RentTerm::reserved_1y;
  double years = 1;   ///< 0: a contract, which is made anew as long as its machines are needed
  RentMarket market;  ///< something is chosen
  Seconds longest{};  ///< that a contract may bind at least, to count
};

/// Instances that stand on average: whole ones, as the demand rises and falls, and always those of one replica of each
/// model, for who comes first must be answered.
struct StandingMachines {
  DemandLoad load;
  std::vector<double> replicas;  ///< GPUs of one replica of each model
  double instances(const CloudPrice& row) const;
};

/// Country of a region of the energy table, ISO 3166 alpha-3, or the code of a union; empty where it lies in neither.
std::string country_of_region(const Catalog& catalog, std::string_view region);

/// Must data of a workload stay in the country?
bool in_country(const PlanRequest& request);

/// Machines of `gpu` on demand that carry the workloads as they are placed: their groups of GPUs in one machine, a
/// network where a job needs several, in the country or union that data may not leave.
RentFilter rent_filter(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                       const std::vector<PlacedWorkload>& placed, double gpu_count, StandingMachines standing);

/// How long machines are needed without a break.
struct HeldTime {
  Seconds time;
  double use = 1;  ///< share of all time that such times make up
};

/// Contracts of any length.
inline constexpr Seconds kAnyLength = years(1e6);

/// The price of each term that ends within the horizon, and of contracts for machines that are needed for `held`. A
/// contract that lasts longer counts only where none fits. `filter` is that of renting on demand.
std::vector<CommitmentOffer> commitment_offers(const Catalog& catalog, const PlanRequest& request, RentFilter filter,
                                               HeldTime held);

/// Offers that only lack the name of their country, where the filter asks for one; empty: there are none.
Message offers_left_out(const Catalog& catalog, const RentFilter& filter);

/// What is said where `filter` admits nothing.
Message no_offer(const Gpu& gpu, const RentFilter& filter, const Message& left_out);

}  // namespace podwright
