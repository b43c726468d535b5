#pragma once
/// The owning side of a `cost` answer: from the request to its numbers, and how they are written.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_request.h"
#include "base/json_write.h"
#include "cost/cloud_work.h"
#include "cost/owned_cluster.h"
#include "cost/tax.h"

namespace podwright {

/// What `on_premises` of a request comes to.
struct OwnedAnswer {
  OwningInputs<Trace> inputs;
  OwningCost<Trace> cost;
  std::optional<TaxNumbers<Trace>> tax;
  std::optional<Traced<UsdPerSecond>> capital;    ///< yearly, by the method that is asked for
  std::optional<Traced<UsdPerSecond>> available;  ///< for each GPU, used or not
  std::optional<Traced<UsdPerSecond>> used;       ///< for each GPU-hour that is used
  std::optional<Traced<UsdPerSecond>> yearly;     ///< capital and operation
  std::vector<OwningYear<Trace>> by_year;
  std::optional<Traced<UsdPerSecond>> idle;  ///< part of `yearly` that pays for hours that nobody uses
  std::optional<Traced<Seconds>> idle_time;  ///< of a year, of all GPUs
  std::optional<WorkPrices<Trace>> work;
  std::optional<Traced<Joules>> energy_per_token;
  std::optional<Traced<double>> tokens_per_s_per_megawatt;
  std::vector<std::string> cautions;
  std::vector<std::string> assumed;
};

OwnedAnswer owned_answer(Trace& trace, const Catalog& catalog, const CostRequest& request);

/// `"on_premises": {...}`
void write_owned(JsonWriter& out, Trace& trace, const CostRequest& request, const OwnedAnswer& owned);

}  // namespace podwright
