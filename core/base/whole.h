#pragma once
/// Whole numbers, and how far a double counts them.
#include <cstdint>

namespace podwright {

/// A count of things that are in a drawing, a table or a cable list.
using Whole = std::uint32_t;

/// Not inline: a browser's engine has more instructions for the conversion than for the call.
Whole whole(double count);

inline constexpr double kExactWhole = 9007199254740992.0;  ///< 2^53: every whole number up to here is a double
inline constexpr double kMostSeed = 9007199254740991.0;    ///< 2^53 - 1, the largest seed that JSON readers agree on

}  // namespace podwright
