#pragma once
/// The bill of a cloud as the break-even wants it: what follows the use of the GPUs, and what is billed whether they
/// are used or not. docs/method/ownership.md#break-even.
#include <optional>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/cloud_cost.h"
#include "cost/decision.h"

namespace podwright {

/// The same bill for `gpus` in use all the time, without what is billed whether they are used or not. `in` is paid by
/// the hour.
template <class Tracer>
CloudInputs<Tracer> in_full_use(Tracer& trace, const CloudInputs<Tracer>& in,
                                const typename Tracer::template Known<double>& gpus) {
  CloudInputs<Tracer> full = in;
  full.gpu_count = gpus;
  full.billed_gpus = gpus;
  full.utilization = trace.constant("full_use", 1.0, "all GPUs in use all the time");
  full.storage.reset();
  full.egress.reset();
  full.support_fixed.reset();
  return full;
}

/// What the cloud bills whether GPUs are used or not: storage, data that leaves and their support. Absent: nothing.
template <class Tracer>
std::optional<typename Tracer::template Known<UsdPerSecond>> rent_beside(Tracer& trace, const CloudInputs<Tracer>& in) {
  std::vector<typename Tracer::template Known<UsdPerSecond>> parts;
  for (const auto* part : {&in.storage, &in.egress})
    if (*part) parts.push_back(**part);
  if (!parts.empty())
    if (const auto support = support_on("cost.support_of_data", in, trace.sum("cost.rented_data", parts)))
      parts.push_back(*support);
  if (in.support_fixed) parts.push_back(*in.support_fixed);
  if (parts.empty()) return std::nullopt;
  return trace.sum("cost.rent_beside", parts);
}

/// `cost` of owning less what the cloud bills whether GPUs are used or not, which owning saves.
template <class Tracer>
typename Tracer::template Known<UsdPerSecond> beyond_saved(
    std::string_view id, const typename Tracer::template Known<UsdPerSecond>& cost,
    const std::optional<typename Tracer::template Known<UsdPerSecond>>& saved) {
  return saved ? named(id, beyond_saved_bill(cost, *saved)) : cost;
}

}  // namespace podwright
