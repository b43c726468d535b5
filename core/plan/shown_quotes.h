#pragma once
/// Which of the request's quotes a plan takes, and why not the others. docs/method/prices.md#quotes.
#include <optional>
#include <vector>

#include "base/message.h"
#include "cost/purchase.h"
#include "cost/quote.h"
#include "plan/plan_numbers.h"

namespace podwright {

struct ShownQuote {
  std::size_t place = 0;  ///< in the request
  QuoteState state = QuoteState::used;
  std::optional<UsdPerSecond> median_list_price;  ///< rent of a GPU for its term, over the list prices that fit
  const PurchasePrice* list_price = nullptr;      ///< of its system; null: not known
  std::optional<Message> why;                     ///< it does not fit
};

/// Those of the plan's GPU; used is what sets a price in its sums. `catalog` has their rows, with_quotes().
std::vector<ShownQuote> shown_quotes(const Catalog& catalog, const PlanRequest& request, const PlanDecision& decision,
                                     const PlanCost<NoTrace>& cost);

}  // namespace podwright
