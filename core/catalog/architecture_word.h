#pragma once
/// Dense models and mixtures of experts, as the tables of fits name them.
#include <string_view>

namespace podwright {

constexpr std::string_view architecture_word(bool experts) { return experts ? "moe" : "dense"; }

}  // namespace podwright
