#pragma once
/// The `cost` answer as a whole: first everything is worked out, then each function writes members of the outermost
/// object.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_terms.h"
#include "base/json_write.h"
#include "cost/uncertainty_numbers.h"

namespace podwright {

struct UncertaintyAnswer {
  std::optional<UncertaintyNumbers<Trace>> numbers;
  std::string problem;  ///< why there are none; empty where there are
  bool rented = false;  ///< owning is drawn against renting
};

struct CarbonAnswer {
  CarbonTerms terms;
  Carbon<Trace> year;
};

/// What was asked for, as far as it is known.
struct CostSides : CostComparison<Trace> {
  std::optional<UncertaintyAnswer> uncertainty;
  std::optional<FleetSide<Trace>> fleet;
  std::optional<CarbonAnswer> carbon;
  std::vector<CloudMarket> markets;
  std::vector<std::string> assumed;
};

/// Which way is cheaper, by how much, from when on and how sure, in sentences for people. Only numbers of the answer.
std::string cost_summary(const CostRequest& request, const CostSides& sides);

/// `decision`
void write_decision(JsonWriter& out, const CostSides& sides);
/// `break_even`
void write_break_even(JsonWriter& out, const CostSides& sides);
/// `hybrid`
void write_hybrid(JsonWriter& out, const CostRequest& request, const CostSides& sides);
/// `tornado`, `distribution` and `decision_flips`
void write_uncertainty(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides);
/// `carbon`
void write_carbon(JsonWriter& out, const CostSides& sides);
/// `fleet`
void write_fleet(JsonWriter& out, const CostSides& sides);
/// `exports` and `not_exported`
void write_cost_exports(JsonWriter& out, const Catalog& catalog, const CostRequest& request, const CostSides& sides);
/// `on_premises`
void write_owned(JsonWriter& out, Trace& trace, const OwnedSide<Trace>& owned);
/// `cloud`
void write_cloud(JsonWriter& out, Trace& trace, const CostRequest& request, const RentedSide<Trace>& cloud);
/// `hosted_api`
void write_hosted(JsonWriter& out, const HostedCost<Trace>& hosted);
/// `market`: all offers of the request's GPU, ranked for each term.
void write_market(JsonWriter& out, Trace& trace, const CostRequest& request, const std::vector<CloudMarket>& markets);
/// `published_break_evens`
void write_published(JsonWriter& out, Trace& trace, const CostRequest& request);

/// Members of owned and rented machines.
void write_work_prices(JsonWriter& out, const WorkPrices<Trace>& work);

}  // namespace podwright
