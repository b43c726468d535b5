#pragma once
/// What scripted devices act like: an H100 SXM5 as published tables report it. Efficiencies lie in the middle of what
/// the norms of catalog/probe_norms.csv call healthy.
#include "probes/backend.h"

namespace podwright::probes::fake {

inline constexpr double kMemoryBytes = 79.19 * (1ULL << 30U);
inline constexpr double kCacheBytes = 50.0 * (1U << 20U);
inline constexpr double kBytesPerSecond = 3.352e12;  ///< of memory, by bus and clock
inline constexpr double kClockHz = 1.98e9;
inline constexpr double kPcieGeneration = 5;

/// Of one operation, without noise. `hidden`: share of the shorter of a product and an all-reduce that both at once
/// hide.
double seconds_of(const PwCase& one, double hidden);

}  // namespace podwright::probes::fake
