#pragma once
/// The numbers that decide between owning and renting, each known as low, typical and high. docs/method/uncertainty.md.
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

/// What may be uncertain. The order is that of the streams of random numbers: new inputs go to the end.
enum class CostInput {
  utilization,               ///< share of the GPU-hours that do work, above 0
  life_years,                ///< in service
  discount_rate,             ///< per year
  servers,                   ///< USD
  network,                   ///< USD
  storage,                   ///< USD
  installation_fraction,     ///< of the servers' price, once
  spares,                    ///< USD: machines and parts kept in stock
  residual_fraction,         ///< of the servers' price, at the end
  fabric_residual_fraction,  ///< of network and storage, at the end
  it_power,                  ///< of the machines at full load
  load,                      ///< mean over maximum power
  pue,                       ///< facility over machines
  electricity_price,         ///< in the first year
  electricity_growth,        ///< per year
  support_fraction,          ///< of the servers' price, per year
  license_per_gpu,           ///< USD per time
  staff_fte,                 ///< full-time people
  staff_pay,                 ///< USD per time and person
  facility,                  ///< USD per time: colocation or the building's share
  connection,                ///< USD per time: lines and data that leaves
  rent_per_gpu,              ///< USD per GPU and time, in the first year
  rent_growth,               ///< per year; negative: falling
  rent_other,                ///< USD per time besides the GPUs: storage, egress, support
  decommissioning,           ///< USD, paid at the end
};
inline constexpr std::size_t kCostInputCount = 25;
constexpr std::size_t index_of(CostInput input) { return static_cast<std::size_t>(input); }

/// Prices are drawn as lognormal, everything else as a triangle.
enum class CostInputShape { triangle, lognormal };

/// An input in words, its unit at the border, and the range in which its model means something (base units).
struct CostInputWord {
  std::string_view name;
  DisplayUnit unit;
  CostInputShape shape;
  double least;
  double most;
};

/// Amounts without an end of their own are looked at up to this many USD (or USD per second, watts, people).
inline constexpr double kNoEnd = 1e15;

inline constexpr std::array<CostInputWord, kCostInputCount> kCostInputWords{{
    {"utilization", unit::kNone, CostInputShape::triangle, 1e-6, 1.0},
    {"life_years", unit::kYears, CostInputShape::triangle, 0.25, 30.0},
    {"discount_rate", unit::kNone, CostInputShape::triangle, 0.0, 1.0},
    {"servers", unit::kUsd, CostInputShape::lognormal, 0.0, kNoEnd},
    {"network", unit::kUsd, CostInputShape::lognormal, 0.0, kNoEnd},
    {"storage", unit::kUsd, CostInputShape::lognormal, 0.0, kNoEnd},
    {"installation_fraction", unit::kNone, CostInputShape::triangle, 0.0, 10.0},
    {"spares", unit::kUsd, CostInputShape::lognormal, 0.0, kNoEnd},
    {"residual_fraction", unit::kNone, CostInputShape::triangle, 0.0, 1.0},
    {"fabric_residual_fraction", unit::kNone, CostInputShape::triangle, 0.0, 1.0},
    {"it_power", unit::kKw, CostInputShape::triangle, 0.0, kNoEnd},
    {"load", unit::kNone, CostInputShape::triangle, 0.0, 1.0},
    {"pue", unit::kNone, CostInputShape::triangle, 1.0, 10.0},
    {"electricity_price", unit::kUsdPerKwh, CostInputShape::lognormal, 0.0, kNoEnd},
    {"electricity_growth", unit::kNone, CostInputShape::triangle, -0.5, 1.0},
    {"support_fraction", unit::kNone, CostInputShape::triangle, 0.0, 10.0},
    {"license_per_gpu", unit::kUsdPerYear, CostInputShape::triangle, 0.0, kNoEnd},
    {"staff_fte", unit::kNone, CostInputShape::triangle, 0.0, kNoEnd},
    {"staff_pay", unit::kUsdPerYear, CostInputShape::lognormal, 0.0, kNoEnd},
    {"facility", unit::kUsdPerYear, CostInputShape::lognormal, 0.0, kNoEnd},
    {"connection", unit::kUsdPerYear, CostInputShape::lognormal, 0.0, kNoEnd},
    {"rent_per_gpu", unit::kUsdPerHour, CostInputShape::lognormal, 0.0, kNoEnd},
    {"rent_growth", unit::kNone, CostInputShape::triangle, -0.9, 1.0},
    {"rent_other", unit::kUsdPerYear, CostInputShape::lognormal, 0.0, kNoEnd},
    {"decommissioning", unit::kUsd, CostInputShape::lognormal, 0.0, kNoEnd},
}};

/// A number and how sure it is, in base units. For triangles low and high are the ends; for lognormal numbers 90 % lie
/// between them.
struct UncertainNumber {
  double low = 0;
  double typical = 0;
  double high = 0;
  constexpr bool certain() const { return !(low < high); }
};
template <class T>
constexpr UncertainNumber certain(T number) {
  return {raw(number), raw(number), raw(number)};
}
template <class T>
constexpr UncertainNumber between(T low, T typical, T high) {
  return {raw(low), raw(typical), raw(high)};
}

/// What follows the use of the owned GPUs where it is not in step with it: whole instances, a reserve.
struct UsePoint {
  double utilization = 0;
  double rented_gpus = 0;  ///< that stand on average where none are owned
  double load = 0;         ///< mean over maximum power of the owned machines
};

/// What is paid of owning everything and of renting everything where each is done in part.
struct MixedShares {
  double own = 0;
  double rent = 0;
  double purchase = 0;  ///< of owning everything
};

/// The ways whose costs are drawn. A commitment has one price, which no draw moves.
enum class DrawnWay { rent, committed, own, mixed };
inline constexpr std::size_t kDrawnWayCount = 4;

/// A cluster of one's own against the same number of rented GPUs. Inputs not set are certain zeros.
struct UncertainCosts {
  double gpu_count = 1;
  double commitment_years = 0;              ///< whole terms are billed, used or not; 0: the hours in use are
  double own_growth = 1;                    ///< machines over the horizon over those of the start, owned
  double rent_growth = 1;                   ///< the same, rented
  double utilization_rent_correlation = 0;  ///< of utilization and rent_per_gpu, -1 to 1 (Gaussian copula)
  double rent_markup = 1;                   ///< what is billed of the price of a rented GPU, over that price
  UsdPerSecond rent_with_gpu{};             ///< billed for each of them besides, at a price that stays
  /// By utilization, straight in between; empty: the GPUs in use are rented, and the load stays.
  std::vector<UsePoint> use{};
  std::optional<MixedShares> mixed{};
  UsdPerSecond committed{};
  std::array<bool, kDrawnWayCount> compared{};  ///< by DrawnWay: which of them count as the cheapest
  std::array<UncertainNumber, kCostInputCount> inputs{};

  UncertainNumber& operator[](CostInput input) { return inputs[index_of(input)]; }
  const UncertainNumber& operator[](CostInput input) const { return inputs[index_of(input)]; }
};

/// Between the points, which must not be empty; beyond them that of the nearest.
inline UsePoint at_use(const std::vector<UsePoint>& points, double utilization) {
  std::size_t next = 0;
  while (next < points.size() && points[next].utilization < utilization) ++next;
  if (next == 0 || next == points.size()) return next == 0 ? points.front() : points.back();
  const UsePoint& below = points[next - 1];
  const UsePoint& above = points[next];
  const double share = (utilization - below.utilization) / (above.utilization - below.utilization);
  const auto between = [&](double from, double to) { return from + share * (to - from); };
  return {utilization, between(below.rented_gpus, above.rented_gpus), between(below.load, above.load)};
}

/// Why the model cannot be drawn from these numbers, naming the input; empty where it can: low <= typical <= high, all
/// inside the model's range, lognormal numbers above 0 unless certain.
std::string_view uncertain_costs_problem(const UncertainCosts& costs, CostInput& input);

// How uncertain an input is where the request gives one number: the catalog's low and high around it.
// docs/method/uncertainty.md#ranges.

struct DefaultRange {
  UncertainNumber number;
  const PurchasePrice* row = nullptr;  ///< whose low and high stand in; null: taken as certain
};

/// The row of shares, rates and lives gives the ends themselves, widened to hold `typical`; the row of an amount gives
/// them as multiples of its own typical value. Inside the range of the model. `typical` in base units.
DefaultRange default_range(const Catalog& catalog, CostInput input, double typical);

}  // namespace podwright
