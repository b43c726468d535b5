#pragma once
/// The case of a question in the planner: the request with which a screen shows the question's own numbers.
#include <string>
#include <string_view>

namespace podwright {

/// A screen of the planner and the kind of request that it asks.
struct PlannerScreen {
  std::string_view name;
  std::string_view kind;
};

namespace planner {
inline constexpr PlannerScreen kServing{"serving", "serving"};
inline constexpr PlannerScreen kTraining{"training", "training"};
inline constexpr PlannerScreen kArchitecture{"architecture", "architecture"};
inline constexpr PlannerScreen kFabric{"fabric", "fabric"};
inline constexpr PlannerScreen kMig{"mig", "mig"};
inline constexpr PlannerScreen kCost{"cost", "cost"};
inline constexpr PlannerScreen kClaims{"claims", "explain"};
inline constexpr PlannerScreen kRules{"rules", "rule_of_thumb"};
/// An entry of the catalog: `show` and `id` are the words of its address.
inline constexpr PlannerScreen kData{"data", "catalog"};
}  // namespace planner

struct PlannerCase {
  std::string screen;
  std::string request;  ///< JSON text of the contract, `kind` included
};

}  // namespace podwright
