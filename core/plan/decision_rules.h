#pragma once
/// What speaks for owning, renting or both, as rules that say why, and the choice among the ways that are left.
/// docs/method/decision.md#rules.
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "catalog/site_terms.h"

namespace podwright {

/// Ways of paying for the GPUs of a plan.
enum class Way { rent_on_demand, rent_committed, own, hybrid };
inline constexpr std::array<std::string_view, 4> kWayWords{"rent-on-demand", "rent-committed", "own", "hybrid"};
inline constexpr std::array<Way, 4> kWays{Way::rent_on_demand, Way::rent_committed, Way::own, Way::hybrid};

/// Some of the ways.
class WaySet {
 public:
  constexpr WaySet() = default;
  template <class... Ways>
  constexpr explicit WaySet(Ways... ways) : bits_(((1U << static_cast<unsigned>(ways)) | ... | 0U)) {}
  constexpr bool has(Way way) const { return (bits_ >> static_cast<unsigned>(way) & 1U) != 0; }
  constexpr bool empty() const { return bits_ == 0; }

 private:
  unsigned bits_ = 0;
};

/// Where a rule draws its line. Choices of this project; docs/method/decision.md#thresholds says what they lean on.
namespace decision_line {
inline constexpr double kBurstyBelow = 0.5;      ///< mean over peak
inline constexpr double kSteadyFrom = 0.7;       ///< mean over peak
inline constexpr double kShortBelowYears = 2.0;  ///< horizon
inline constexpr double kSoonBelowDays = 90.0;   ///< first use
inline constexpr double kFastGrowthFrom = 0.3;   ///< per year
inline constexpr double kMuchEgressFrom = 0.1;   ///< of the yearly rent
inline constexpr double kSureFrom = 0.75;        ///< share of the draws in which the chosen way costs least
inline constexpr double kCloseBelow = 0.1;       ///< margin over the cost of the next best way
}  // namespace decision_line

/// What the rules look at. Absent values fire nothing.
struct DecisionFacts {
  Sovereignty sovereignty = Sovereignty::none;  ///< the strictest of the workloads
  double workloads = 1;
  double bound_workloads = 0;  ///< whose data must stay on the own ground
  Ownership ownership = Ownership::any;
  Services services = Services::self;
  bool sensitive_data = false;  ///< regulated or secret, without a rule where it must be
  bool no_capital = false;
  bool no_staff = false;

  std::optional<double> mean_to_peak;            ///< GPUs in use on average over those at the busiest
  std::optional<double> utilization;             ///< of the owned GPUs
  std::optional<double> break_even_utilization;  ///< owned GPUs used more than this are cheaper
  std::optional<double> rent_change_per_year;    ///< of the price of rented GPUs
  std::optional<Message> left_out;               ///< offers whose country is not known

  std::optional<double> horizon_years;
  std::optional<double> economic_life_years;  ///< after which newer machines do the work for less
  std::optional<double> growth_per_year;      ///< of the demand
  std::optional<double> start_within_days;    ///< first use

  std::optional<double> budget_usd;
  std::optional<double> capex_usd;         ///< of owning
  bool capex_in_part = false;              ///< a part of it has no price
  std::optional<double> hybrid_capex_usd;  ///< of the owned part of a hybrid
  std::optional<double> site_power_kw;
  std::optional<double> power_kw;  ///< of owning, at the meter of the site
  std::optional<double> hybrid_power_kw;

  std::optional<Message> no_offer;  ///< why no machines can be rented by the hour
  bool for_terms = false;           ///< they can for whole terms, and what that costs is known

  std::optional<double> egress_tb_per_month;
  std::optional<double> egress_usd_per_year;
  std::optional<double> rent_usd_per_year;
};

struct DecisionFactor {
  std::string_view towards;  ///< "own", "rent" or "hybrid"
  WaySet excludes;
  Message says;  ///< with the numbers that fired it
  /// The rule's id: the code of what it says, without the variant.
  std::string_view rule() const { return says.code.substr(0, says.code.find('/')); }
  /// A hard constraint: some ways are out.
  bool decides() const { return !excludes.empty(); }
};

/// The rules that fire, in fixed order: hard ones first.
std::vector<DecisionFactor> fired_rules(const DecisionFacts& facts);

/// Yearly costs. Absent: owning and renting on demand have a price that is missing, a commitment or a hybrid is not
/// there.
struct WayCosts {
  std::optional<double> rent_on_demand_usd;
  std::optional<double> rent_committed_usd;
  std::optional<double> own_usd;
  std::optional<double> hybrid_usd;
  double hybrid_own_gpus = 0;               ///< of a site, where there is a hybrid
  double hybrid_rented_gpus = 0;            ///< beside them at the peak
  double needed_gpus = 0;                   ///< of the plan
  std::optional<double> rent_at_least_usd;  ///< on demand, of the parts that have a price, where one has none
  std::optional<double> own_at_least_usd;
  std::vector<Message> own_missing;  ///< the prices of owning that are
  std::optional<double> of(Way way) const;
  std::optional<double> at_least(Way way) const;  ///< the cost, or what is known of it
};

struct ExcludedWay {
  Way way = Way::own;
  Message reason;  ///< of the first rule that excludes it
};

struct WayChoice {
  std::optional<Way> way;                ///< absent: every way is excluded, or none that is left has a known cost
  std::optional<Way> next;               ///< next best with a known cost
  std::optional<double> margin_share;    ///< that the chosen way costs less, of what the next best costs
  std::optional<double> cheapest_share;  ///< of the draws in which the chosen way costs least
  bool close = false;                    ///< a little more or less of an input may turn it
  std::vector<ExcludedWay> excluded;
  std::vector<Way> not_compared;  ///< not excluded, but a price is missing
  Message says;
};

/// In which share of the draws a way costs least of those that are open and drawn, which are several.
struct CheapestShares {
  std::array<double, kWays.size()> of_way{};  ///< by Way
  double ways = 0;                            ///< that are compared
};

/// The cheapest way that no hard rule excludes; with one way left it is that one, whatever it costs. Equal costs go to
/// the way that stands first in kWays.
WayChoice choose_way(const WayCosts& costs, const std::vector<DecisionFactor>& rules,
                     const std::optional<CheapestShares>& drawn = std::nullopt);

/// What the draws say of the way that is chosen; `choice` was made with them.
DecisionFactor certainty_of(const WayChoice& choice, const CheapestShares& drawn);

}  // namespace podwright
