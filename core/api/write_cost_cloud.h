#pragma once
/// The renting side of a `cost` answer: from the request to its numbers, and how they are written.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_request.h"
#include "base/json_write.h"
#include "cost/cloud_cost.h"
#include "cost/cloud_work.h"
#include "cost/hosted.h"
#include "memory/infeasible.h"

namespace podwright {

/// What `cloud` of a request comes to.
struct CloudAnswer {
  const CloudPrice* row = nullptr;  ///< of the catalog; null: the request gave the price, or there is none
  CloudInputs<Trace> inputs;
  CloudCost<Trace> cost;
  std::optional<CloudYears<Trace>> years;  ///< absent where a part of the bill is missing
  std::optional<WorkPrices<Trace>> work;
  std::vector<std::string> cautions;
  std::vector<Infeasible> reasons;  ///< why it cannot be done; without ways out
};

CloudAnswer cloud_answer(Trace& trace, const Catalog& catalog, const CostRequest& request);

/// Rates of the request's workload, with where they come from. Absent without a workload.
std::optional<WorkRates<Trace>> work_rates(Trace& trace, const CostRequest& request);

HostedCost<Trace> hosted_answer(Trace& trace, const CostRequest& request);

/// Patches of the request, each tried, that lift a reason of the cloud.
std::vector<std::string> cloud_ways_out(const Catalog& catalog, const JsonNode& document, const CostRequest& request);

void write_work_prices(JsonWriter& out, const WorkPrices<Trace>& work);
/// `"cloud": {...}`
void write_cloud(JsonWriter& out, Trace& trace, const CostRequest& request, const CloudAnswer& cloud);
/// `"hosted_api": {...}`
void write_hosted(JsonWriter& out, const HostedCost<Trace>& hosted);
/// `"market": {...}`: all offers of the request's GPU, ranked for each term.
void write_market(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request);
/// `"published_break_evens": [...]`
void write_published(JsonWriter& out, Trace& trace, const CostRequest& request);

}  // namespace podwright
