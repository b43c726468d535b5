#pragma once
/// What a `cost` answer shows, worked out before its first field is written.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_terms.h"
#include "cost/uncertainty_numbers.h"
#include "export/export_file.h"

namespace podwright {

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
