#pragma once
/// What owning and renting a plan cost where its GPUs are used more or less than they are, and from which use on owning
/// is cheaper. docs/method/decision.md#use.
#include <array>
#include <vector>

#include "cost/cost_inputs.h"
#include "plan/day_demand.h"
#include "plan/rent_offers.h"

namespace podwright {

inline constexpr std::array<UsePlace, 3> kUsePlaces{0, 1, 2};

/// The plan's machines at every use. Costs are level over the horizon.
struct PlanUse {
  StandingMachines standing;        ///< of the plan
  double reserve_gpus = 0;          ///< of the load, that stand whatever is used
  const CloudPrice* row = nullptr;  ///< that is rented
  double utilization = 0;           ///< of the owned GPUs in the plan
  double most_utilization = 1;      ///< at the peak all the time; above 1 where workloads share what is owned
  std::array<double, 3> loads{};    ///< of the owned machines at kUsePlaces
  UsdPerSecond own{};               ///< in the plan
  UsdPerSecond energy{};            ///< part of it
  UsdPerSecond rent{};              ///< in the plan
  UsdPerSecond rent_of_gpu{};       ///< that stands, what is billed with it included

  UsePoint at(UsePlace asked) const;
  UsdPerSecond own_at(const UsePoint& point) const;
  UsdPerSecond rent_at(const UsePoint& point) const;
  /// Use above which owning is cheaper. Where renting is cheaper even at the peak all the time, what owning costs then
  /// over what renting does, which is above 1.
  double break_even() const;
  /// Over all uses, and where both cost the same.
  std::vector<UsePoint> points() const;

 private:
  UsePlace last_place() const;   ///< where no owned GPU is idle, or the peak
  UsePlace equal_place() const;  ///< an end where owning is cheaper always or never
};

}  // namespace podwright
