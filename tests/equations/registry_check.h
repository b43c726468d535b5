#pragma once
/// Compares every formula of a room's registry with its equation. Only the call of a formula is compiled for each: what
/// is checked is the same for all.
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/formula.h"
#include "base/units.h"

namespace equations {

template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Arguments = std::tuple<std::decay_t<A>...>;
};

template <class T>
T as(double number) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else {
    return T(number);
  }
}

/// A formula without its types.
struct WrittenFormula {
  std::string_view id;
  std::string_view equation;
  std::string_view source;
  std::span<const std::string_view> inputs;
  std::vector<bool> whole;               ///< of each input: it counts something
  double (*call)(const double* inputs);  ///< in base units
};

template <auto Function, std::size_t... I>
WrittenFormula written(const podwright::Formula<Function>& formula, std::index_sequence<I...>) {
  using Arguments = typename Signature<decltype(Function)>::Arguments;
  return {.id = formula.id,
          .equation = formula.equation,
          .source = formula.source,
          .inputs = formula.inputs,
          .whole = {std::is_integral_v<std::tuple_element_t<I, Arguments>>...},
          .call = [](const double* inputs) -> double {
            return podwright::raw(Function(as<std::tuple_element_t<I, Arguments>>(inputs[I])...));
          }};
}

/// An input of a formula that has no meaning below `least`.
struct LegalInput {
  std::string_view formula;  ///< id
  std::string_view input;
  double least = 0;
};
using LegalInputs = std::vector<LegalInput>;

void check_formulas(const std::vector<WrittenFormula>& formulas, std::string_view room, std::set<std::string>& ids,
                    const LegalInputs& legal);

template <auto... Functions>
void check_registry(const std::tuple<podwright::Formula<Functions>...>& registry, std::string_view room,
                    std::set<std::string>& ids, const LegalInputs& legal = {}) {
  const auto all = [](const auto&... formula) {
    return std::vector<WrittenFormula>{
        written(formula, std::make_index_sequence<std::decay_t<decltype(formula)>::kInputs>{})...};
  };
  check_formulas(std::apply(all, registry), room, ids, legal);
}

}  // namespace equations
