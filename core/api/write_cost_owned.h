#pragma once
/// The owning side of a `cost` answer: from the request to its numbers, and how they are written.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_request.h"
#include "base/json_write.h"
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
  std::vector<std::string> cautions;
  std::vector<std::string> assumed;
};

OwnedAnswer owned_answer(Trace& trace, const Catalog& catalog, const CostRequest& request);

/// `"on_premises": {...}`
void write_owned(JsonWriter& out, const CostRequest& request, const OwnedAnswer& owned);

}  // namespace podwright
