#pragma once
/// What matters most, and what would change the decision. docs/method/uncertainty.md#tornado.
#include <optional>
#include <vector>

#include "base/trace.h"
#include "cost/cost_inputs.h"
#include "cost/own_or_rent.h"

namespace podwright {

/// What a tornado measures.
enum class CostResult { used_gpu, own, rent, own_minus_rent };
UsdPerSecond result_of(const OwnOrRent& cost, CostResult result);

/// One input from low to high, all others typical.
template <class Tracer>
struct TornadoBarOf {
  CostInput input{};
  Known<Tracer, UsdPerSecond> at_low{};
  Known<Tracer, UsdPerSecond> at_high{};
  Known<Tracer, UsdPerSecond> swing{};  ///< distance of the two
};
using TornadoBar = TornadoBarOf<NoTrace>;
/// Bars of the inputs that move the result, the longest first; equal ones in the order of the inputs.
std::vector<TornadoBar> tornado(const UncertainCosts& costs, CostResult result);

/// Where the cheaper way changes as one input moves and all others stay typical.
struct DecisionFlip {
  CostInput input{};
  double typical = 0;           ///< base units
  std::optional<double> value;  ///< at which both cost the same; absent: no value of the model's range changes it
  bool inside_range = false;    ///< the value lies between the input's low and high
};
/// One for each input that is not a certain zero. The value is the one nearest to the typical value where the model
/// crosses on both sides.
std::vector<DecisionFlip> decision_flips(const UncertainCosts& costs);

}  // namespace podwright
