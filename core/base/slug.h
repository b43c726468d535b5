#pragma once
/// Names as identifiers: of hosts, files and objects, which take letters, digits and "-" alone.
#include <cstddef>
#include <string>
#include <string_view>

namespace podwright {

/// Letters, digits and "-"; anything else becomes "-". Labels made by this library stay as they are.
std::string plain_name(std::string_view label);

/// Words in lower case with "-" between them: "Quantum-2 QM9700" is "quantum-2-qm9700". Where that leaves out more than
/// the usual signs between words, or is longer than `most`, eight digits of the name's SHA-256 stand behind, so that
/// names stay distinct; never empty.
std::string slug_of(std::string_view name, std::size_t most = 91);

/// Eight digits that tell a name from others.
std::string short_digest(std::string_view name);

}  // namespace podwright
