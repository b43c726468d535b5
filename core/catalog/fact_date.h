#pragma once
/// Dates as sources write them.
#include <cstdint>
#include <optional>
#include <string_view>

namespace podwright {

/// Days since 1970-01-01 of the earliest day that a date text stands for: "2026-06-18", "2026-06", "2025-H2",
/// "2025-Q2", "2024-mid", "2024/2025", "2025". Absent for other texts, days that no
/// calendar has, and years outside 1990 to 2100.
std::optional<std::int64_t> earliest_day(std::string_view text);

}  // namespace podwright
