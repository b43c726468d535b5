#pragma once
/// Money by the year and by the hour as tests write it.
#include "base/units.h"

namespace podwright {

inline UsdPerSecond usd_per_year(double x) { return usd(x) / years(1); }
inline double yearly(UsdPerSecond rate) { return rate * years(1) / usd(1); }
inline double hourly(UsdPerSecond rate) { return rate / usd_per_hour(1); }

}  // namespace podwright
