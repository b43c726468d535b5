#pragma once
/// A price as the market shows it: a range with a typical value inside.
#include "base/units.h"

namespace podwright {

struct Price {
  Usd low;
  Usd typical;
  Usd high;
};

}  // namespace podwright
