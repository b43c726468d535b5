#pragma once
/// Names as formats with few characters take them.
#include <string>
#include <string_view>

namespace podwright {

/// Letters, digits and "-"; anything else becomes "-". Labels made by this library stay as they are.
std::string plain_name(std::string_view label);
/// The same in lower case, without "-" at the ends or doubled: "Quantum-2 QM9700" is "quantum-2-qm9700".
std::string slug_of(std::string_view name);

}  // namespace podwright
