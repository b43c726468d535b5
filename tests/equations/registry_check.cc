#include "equations/registry_check.h"

#include <cmath>
#include <map>
#include <random>

#include "support/equation.h"

namespace equations {
namespace {

/// Positive inputs: small whole numbers, fractions, and, where nothing is raised to a power or an exponent, large
/// numbers.
double draw(std::mt19937_64& generator, bool whole, bool large) {
  const std::uint64_t kind = generator() % 4;
  const double uniform = static_cast<double>(generator() >> 11U) * 0x1p-53;
  if (whole || kind == 0) return static_cast<double>(1 + generator() % 40);
  if (kind == 1) return 0.01 + 0.98 * uniform;
  if (kind == 2 || !large) return 0.1 + 30 * uniform;
  return std::exp(uniform * 20.0);
}

void compare(const WrittenFormula& formula, const LegalInputs& legal) {
  std::mt19937_64 generator(20240229);
  const bool large =
      formula.equation.find('^') == std::string_view::npos && formula.equation.find("exp(") == std::string_view::npos;
  std::vector<double> least(formula.inputs.size());
  for (const LegalInput& input : legal)
    for (std::size_t i = 0; i < least.size(); ++i)
      if (input.formula == formula.id && input.input == formula.inputs[i]) least[i] = input.least;
  int compared = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<double> numbers;
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < least.size(); ++i) {
      numbers.push_back(least[i] + draw(generator, formula.whole[i] || round % 4 == 0, large));
      values[std::string(formula.inputs[i])] = numbers[i];
    }
    const EquationValue text = evaluate(formula.equation, values);
    ASSERT_EQ(text.error, "") << formula.id << ": " << formula.equation;
    const double code = formula.call(numbers.data());
    if (text.on_an_edge || !std::isfinite(text.scale)) continue;
    ++compared;
    ASSERT_LE(std::fabs(code - text.value), 1e-12 * text.scale)
        << formula.id << ": " << formula.equation << " is " << text.value << ", the function says " << code;
  }
  EXPECT_GE(compared, 200) << formula.id;
}

void check(const WrittenFormula& formula, std::string_view room, std::set<std::string>& ids) {
  const std::string id(formula.id);
  // Rules of thumb are told apart from equations by their ids.
  const std::size_t dot = id.find('.');
  EXPECT_TRUE(id.substr(0, dot) == room || id.substr(0, dot) == "rule");
  EXPECT_GT(id.size(), dot + 1);
  EXPECT_TRUE(ids.insert(id).second) << "another formula has the same id";
  EXPECT_FALSE(formula.source.empty());
  std::set<std::string_view> names;
  for (const std::string_view name : formula.inputs) {
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_NE(formula.equation.find(name), std::string_view::npos) << "the equation does not use " << name;
  }
}

}  // namespace

void check_formulas(const std::vector<WrittenFormula>& formulas, std::string_view room, std::set<std::string>& ids,
                    const LegalInputs& legal) {
  for (const WrittenFormula& formula : formulas) {
    SCOPED_TRACE(std::string(formula.id));
    check(formula, room, ids);
    compare(formula, legal);
  }
  for (const LegalInput& input : legal) EXPECT_TRUE(ids.count(std::string(input.formula)) > 0) << input.formula;
}

}  // namespace equations
