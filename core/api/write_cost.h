#pragma once
/// The `cost` answer as a whole: first everything is worked out, then each function writes members of the outermost
/// object.
#include <optional>
#include <string>
#include <vector>

#include "api/cost_request.h"
#include "api/write_cost_cloud.h"
#include "api/write_cost_owned.h"
#include "base/json_write.h"
#include "cost/break_even.h"
#include "cost/decision.h"
#include "cost/fleet_cost.h"
#include "cost/load_duration.h"
#include "cost/uncertainty_numbers.h"

namespace podwright {

struct BreakEvenAnswer {
  std::optional<BreakEven<Trace>> found;
  std::string reason;  ///< why there is none; empty where there is one
};

struct UncertaintyAnswer {
  std::optional<UncertaintyNumbers<Trace>> numbers;
  std::string problem;  ///< why there are none; empty where there are
  bool rented = false;  ///< owning is drawn against renting
};

/// What `fleet` of a request comes to.
struct FleetAnswer {
  std::optional<FleetCost<Trace>> numbers;          ///< absent where it is not known how often GPUs fail
  std::optional<Traced<Seconds>> mean_time_of_run;  ///< between failures
  std::optional<Goodput<Trace>> goodput;
  std::optional<FleetLoss<Trace>> own;
  std::optional<FleetLoss<Trace>> rent;
  std::vector<std::string> missing;
  std::vector<std::string> cautions;
};

/// What was asked for, as far as it is known.
struct CostSides {
  std::optional<OwnedAnswer> owned;
  std::optional<CloudAnswer> cloud;
  std::optional<HostedCost<Trace>> hosted;
  Decision<Trace> decision;
  std::optional<BreakEvenAnswer> break_even;  ///< of owning against renting, else against a hosted interface
  std::optional<Hybrid<Trace>> hybrid;
  std::optional<UncertaintyAnswer> uncertainty;
  std::optional<FleetAnswer> fleet;
  std::vector<std::string> assumed;
};

/// Rent of all GPUs all the time, with licences and the support that is billed on them; absent where no price is known.
std::optional<Traced<UsdPerSecond>> rent_of_all(Trace& trace, const CostSides& sides);
/// What the cloud bills whether GPUs are used or not: storage, data that leaves and their support. Absent: nothing.
std::optional<Traced<UsdPerSecond>> rent_beside(Trace& trace, const CostSides& sides);

Decision<Trace> decision_of(Trace& trace, const CostRequest& request, const CostSides& sides);
std::optional<BreakEvenAnswer> break_even_answer(Trace& trace, const CostRequest& request, const CostSides& sides);
std::optional<Hybrid<Trace>> hybrid_answer(Trace& trace, const CostRequest& request, const CostSides& sides);
/// Ranges that the request leaves open are told in `assumed`.
std::optional<UncertaintyAnswer> uncertainty_answer(Trace& trace, const Catalog& catalog, const CostRequest& request,
                                                    const CostSides& sides, std::vector<std::string>& assumed);

/// Whose failures stand for those of the GPUs is told in `assumed`.
FleetAnswer fleet_answer(Trace& trace, const Catalog& catalog, const CostRequest& request, const CostSides& sides,
                         std::vector<std::string>& assumed);

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
void write_carbon(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request,
                  const CostSides& sides);
/// `fleet`
void write_fleet(JsonWriter& out, const CostSides& sides);
/// `exports` and `not_exported`
void write_cost_exports(JsonWriter& out, const Catalog& catalog, const CostRequest& request, const CostSides& sides);

}  // namespace podwright
