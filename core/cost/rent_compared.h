#pragma once
/// The bill of a cloud as the break-even wants it: what follows the use of the GPUs, and what is billed whether they
/// are used or not. docs/method/ownership.md#break-even.
#include <optional>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/break_even.h"
#include "cost/cloud_cost.h"
#include "cost/decision.h"
#include "cost/owned_cluster.h"

namespace podwright {

/// The same bill for `gpus` in use all the time, without what is billed whether they are used or not. `in` is paid by
/// the hour.
template <class Tracer>
RentedTerms<Tracer> in_full_use(const RentedTerms<Tracer>& in, const Known<Tracer, double>& gpus) {
  RentedTerms<Tracer> full = in;
  full.gpu_count = gpus;
  full.billed_gpus = gpus;
  full.utilization = 1.0;
  full.storage.reset();
  full.egress.reset();
  full.support_fixed.reset();
  return full;
}

/// What the cloud bills whether GPUs are used or not: storage, data that leaves and their support. Absent: nothing.
template <class Tracer>
std::optional<Known<Tracer, UsdPerSecond>> rent_beside(Tracer& trace, const RentedTerms<Tracer>& in) {
  std::vector<Known<Tracer, UsdPerSecond>> parts;
  for (const auto* part : {&in.storage, &in.egress})
    if (*part) parts.push_back(**part);
  if (!parts.empty())
    if (const auto support = support_on("cost.support_of_data", in, trace.sum("cost.rented_data", parts)))
      parts.push_back(*support);
  if (in.support_fixed) parts.push_back(*in.support_fixed);
  if (parts.empty()) return std::nullopt;
  return trace.sum("cost.rent_beside", parts);
}

/// Renting as owning is compared with it.
template <class Tracer>
struct RentCompared {
  using Rate = Known<Tracer, UsdPerSecond>;
  Rate all{};                        ///< of all GPUs, in use all the time, at the prices of the start
  std::optional<Rate> level_of_all;  ///< the same over the horizon, for the share of use; absent: `all`
  std::optional<Rate> beside;        ///< that is billed whether GPUs are used or not
  std::optional<Known<Tracer, double>> price_change;  ///< of `all` per year; absent: none
};

/// When `owning`, whose total must be there, is earned back. What the cloud bills whether GPUs are used or not is saved
/// by owning.
template <class Tracer>
BreakEven<Tracer> break_even_with(Tracer& trace, const OwningCost<Tracer>& owning, const RentCompared<Tracer>& rent,
                                  double horizon_years) {
  const auto beyond = [&](std::string_view id, const Known<Tracer, UsdPerSecond>& cost) {
    return rent.beside ? named(id, beyond_saved_bill(cost, *rent.beside)) : cost;
  };
  return break_even(trace,
                    BreakEvenTerms<Tracer>{.capex = owning.capital->capex,
                                           .own = beyond("cost.own_beyond_data", owning.total->yearly),
                                           .operation = beyond("cost.operation_beyond_data", owning.operation->yearly),
                                           .rent = rent.all,
                                           .price_change = rent.price_change,
                                           .level_rent = rent.level_of_all,
                                           .horizon_years = horizon_years});
}

}  // namespace podwright
