#pragma once
/// How large the sizes of a model can be in the files that publish one.
#include "base/object_reader.h"

namespace podwright {

inline constexpr Range kModelLayers{.min = 1, .max = 10000};
inline constexpr Range kModelPlaces{.min = 0, .max = 10000};  ///< of layers
inline constexpr Range kModelWidth{.min = 1, .max = 1e7};
inline constexpr Range kModelWidthOrNone{.min = 0, .max = 1e7};
inline constexpr Range kModelExperts{.min = 1, .max = 1e5};
inline constexpr Range kModelExpertsOrNone{.min = 0, .max = 1e5};
inline constexpr Range kModelRows{.min = 1, .max = 1e9};  ///< of the vocabulary
inline constexpr Range kModelRowsOrNone{.min = 0, .max = 1e9};
inline constexpr Range kModelTokens{.min = 1, .max = 1e10};
inline constexpr Range kModelTokensOrNone{.min = 0, .max = 1e10};

}  // namespace podwright
