#pragma once
/// Numbers as canonical JSON writes them.
#include <string>

namespace podwright {

/// The text that ECMAScript gives a number (ECMA-262, Number::toString), which canonical JSON (RFC 8785) uses: the
/// fewest digits that read back as the same double. `x` must be finite.
std::string ecmascript_number(double x);

}  // namespace podwright
