#pragma once
/// From a `cost` request to the terms that its costs are computed from, and to what its answer shows.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_request.h"
#include "cost/carbon.h"
#include "cost/cloud_market.h"
#include "cost/comparison.h"
#include "cost/fleet_cost.h"
#include "cost/uncertainty_numbers.h"
#include "export/export_file.h"

namespace podwright {

CostTerms<Trace> cost_terms(Trace& trace, const Catalog& catalog, const CostRequest& request);

/// Parts of it; the request asks for them.
OwnedAsked<Trace> owned_terms(Trace& trace, const Catalog& catalog, const CostRequest& request);
RentedAsked<Trace> rented_terms(Trace& trace, const Catalog& catalog, const CostRequest& request);

/// The fleet that the request asks for. Whose failures stand for those of the GPUs is told in `assumed`.
FleetAsked<Trace> fleet_terms(Trace& trace, const Catalog& catalog, const CostRequest& request,
                              const std::optional<Traced<Usd>>& servers_price, std::vector<std::string>& assumed);

/// Owning, and renting where the request has it, with the ranges of the request and the catalog. Ranges that the
/// request leaves open are told in `assumed`. Absent where a part of owning is not known.
std::optional<UncertainCosts> uncertain_terms(const Catalog& catalog, const CostRequest& request,
                                              const CostComparison<Trace>& sides, std::vector<std::string>& assumed);

/// Greenhouse gases of the owned machines, as far as they are known.
struct CarbonSide {
  Carbon<Trace> year;
  std::vector<std::string> missing;
  std::vector<std::string> cautions;
};
CarbonSide carbon_side(Trace& trace, const Catalog& catalog, const CostRequest& request, const OwnedSide<Trace>& owned);

/// All offers of the request's GPU, a market for each term.
std::vector<MarketNumbers<Trace>> cost_markets(Trace& trace, const Catalog& catalog, const CostRequest& request);

/// A published break-even and the rent that it implies.
struct PublishedRent {
  std::string name;
  Traced<Seconds> time;
  Traced<UsdPerSecond> rent;
};
std::vector<PublishedRent> published_rents(Trace& trace, const CostRequest& request);

/// Patches of the request, each tried, that lift a reason why nothing can be rented.
std::vector<Patch> rented_ways_out(const Catalog& catalog, const JsonNode& document, const CostRequest& request);

struct UncertaintyAnswer {
  std::optional<UncertaintyNumbers<Trace>> numbers;
  std::vector<std::string> problems;  ///< why there are none; empty where there are
  bool rented = false;                ///< owning is drawn against renting
};

/// What was asked for, as far as it is known.
struct CostSides : CostComparison<Trace> {
  std::optional<UncertaintyAnswer> uncertainty;
  std::optional<FleetSide<Trace>> fleet;
  std::optional<CarbonSide> carbon;
  std::vector<MarketNumbers<Trace>> markets;
  std::vector<PublishedRent> published;
  std::vector<std::string> assumed;
};

CostSides cost_sides(Trace& trace, const Catalog& catalog, const CostRequest& request);

/// Which way is cheaper, by how much, from when on and how sure, in sentences for people. Only numbers of the answer.
std::string cost_summary(const CostRequest& request, const CostSides& sides);
/// The bill of renting, which must be known, in a sentence.
std::string rent_summary(const CostRequest& request, const RentedSide<Trace>& rented);

ExportFiles cost_files(const Catalog& catalog, const CostRequest& request, const CostSides& sides);

}  // namespace podwright
