#pragma once
/// Compares every formula of a room's registry with its equation.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/formula.h"
#include "base/units.h"
#include "support/equation.h"

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

/// Positive inputs: small whole numbers, fractions, and, where nothing is raised to a power or an exponent, large
/// numbers.
inline double draw(std::mt19937_64& generator, bool whole, bool large) {
  const std::uint64_t kind = generator() % 4;
  const double uniform = static_cast<double>(generator() >> 11U) * 0x1p-53;
  if (whole || kind == 0) return static_cast<double>(1 + generator() % 40);
  if (kind == 1) return 0.01 + 0.98 * uniform;
  if (kind == 2 || !large) return 0.1 + 30 * uniform;
  return std::exp(uniform * 20.0);
}

/// An input of a formula that has no meaning below `least`.
struct LegalInput {
  std::string_view formula;  ///< id
  std::string_view input;
  double least = 0;
};
using LegalInputs = std::vector<LegalInput>;

template <auto Function, std::size_t... I>
void compare(const podwright::Formula<Function>& formula, const LegalInputs& legal, std::index_sequence<I...>) {
  using Arguments = typename Signature<decltype(Function)>::Arguments;
  std::mt19937_64 generator(20240229);
  const bool large =
      formula.equation.find('^') == std::string_view::npos && formula.equation.find("exp(") == std::string_view::npos;
  std::array<double, sizeof...(I)> least{};
  for (const LegalInput& input : legal)
    for (std::size_t i = 0; i < sizeof...(I); ++i)
      if (input.formula == formula.id && input.input == formula.inputs[i]) least[i] = input.least;
  int compared = 0;
  for (int round = 0; round < 400; ++round) {
    const std::array<double, sizeof...(I)> numbers{
        least[I] + draw(generator, std::is_integral_v<std::tuple_element_t<I, Arguments>> || round % 4 == 0, large)...};
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < numbers.size(); ++i) values[std::string(formula.inputs[i])] = numbers[i];
    const EquationValue text = evaluate(formula.equation, values);
    ASSERT_EQ(text.error, "") << formula.id << ": " << formula.equation;
    const double code = podwright::raw(Function(as<std::tuple_element_t<I, Arguments>>(numbers[I])...));
    if (text.on_an_edge || !std::isfinite(text.scale)) continue;
    ++compared;
    ASSERT_LE(std::fabs(code - text.value), 1e-12 * text.scale)
        << formula.id << ": " << formula.equation << " is " << text.value << ", the function says " << code;
  }
  EXPECT_GE(compared, 200) << formula.id;
}

template <auto Function>
void check(const podwright::Formula<Function>& formula, std::string_view room, std::set<std::string>& ids,
           const LegalInputs& legal) {
  const std::string id(formula.id);
  SCOPED_TRACE(id);
  // Rules of thumb are told apart from equations by their ids.
  const std::size_t dot = id.find('.');
  EXPECT_TRUE(id.substr(0, dot) == room || id.substr(0, dot) == "rule");
  EXPECT_GT(id.size(), dot + 1);
  EXPECT_TRUE(ids.insert(id).second) << "another formula has the same id";
  EXPECT_FALSE(formula.source.empty());
  static_assert(podwright::Formula<Function>::kInputs > 0);
  std::set<std::string_view> names;
  for (const std::string_view name : formula.inputs) {
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_NE(formula.equation.find(name), std::string_view::npos) << "the equation does not use " << name;
  }
  compare(formula, legal, std::make_index_sequence<podwright::Formula<Function>::kInputs>{});
}

template <class... Formulas>
void check_registry(const std::tuple<Formulas...>& registry, std::string_view room, std::set<std::string>& ids,
                    const LegalInputs& legal = {}) {
  std::apply([&](const auto&... formula) { (check(formula, room, ids, legal), ...); }, registry);
  for (const LegalInput& input : legal) EXPECT_TRUE(ids.count(std::string(input.formula)) > 0) << input.formula;
}

}  // namespace equations
