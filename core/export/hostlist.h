#pragma once
/// Lists of names in the short form of Slurm: "n[00001-00032,00040]". docs/method/exports.md#slurm.
#include <string>
#include <vector>

namespace podwright {

/// Names that differ in the number at their end, with as many digits, become one expression; commas between those.
/// Names hold letters, digits and "-".
std::string hostlist(const std::vector<std::string>& names);

}  // namespace podwright
