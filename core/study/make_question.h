#pragma once
/// Questions with fresh numbers: the same seed, the same question, natively and in the browser.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "study/question.h"
#include "study/template.h"

namespace podwright {

/// The template's question of this seed.
Question make_question(const Catalog& catalog, const Template& of, std::uint64_t seed);

/// Objectives that a template asks about, in their order: "1.2", "1.8", "2.1" ... "2.10" ...
const std::vector<std::string>& generated_objectives();
/// The template that the seed chooses among those of the objective, which must be one of the above.
const Template& template_of_objective(std::string_view objective, std::uint64_t seed);

}  // namespace podwright
