#include "support/equation.h"

#include <gtest/gtest.h>

namespace equation_test {

double value(std::string_view equation) {
  const EquationValue result = evaluate(equation, {{"a", 2}, {"b", 3}, {"long_name_2", 5}});
  EXPECT_EQ(result.error, "") << equation;
  return result.value;
}

TEST(Evaluate, KnowsPrecedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("8 - 3 - 2"), 3);
  EXPECT_EQ(value("8 / 2 / 2"), 2);
  EXPECT_EQ(value("2 * 3 ^ 2"), 18);
  EXPECT_EQ(value("-2 ^ 2"), -4);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("a * -b"), -6);
}

TEST(Evaluate, KnowsNamesNumbersAndFunctions) {
  EXPECT_EQ(value("long_name_2 * a"), 10);
  EXPECT_EQ(value("1.5e3 + .5"), 1500.5);
  EXPECT_EQ(value("max(a, b, 1) + min(a, b)"), 5);
  EXPECT_EQ(value("ceil(b / a) + floor(b / a)"), 3);
  EXPECT_EQ(value("sqrt(a * 8)"), 4);
  EXPECT_EQ(value("exp(log(a))"), 2);
  EXPECT_EQ(value("divisor_from(b * 4, 32)"), 16);
  EXPECT_EQ(value("divisor_from(16, 72)"), 18);
  EXPECT_EQ(value("divisor_from(5, 4)"), 4);
}

TEST(Evaluate, RefusesEverythingElse) {
  for (const std::string_view text :
       {"", "a +", "a b", "(a", "a)", "c", "tan(a)", "ceil(a, b)", "max(a", "a % b", "2a", "a ** b"})
    EXPECT_NE(evaluate(text, {{"a", 2}, {"b", 3}}).error, "") << text;
}

TEST(Evaluate, TellsHowLargeTheTermsWereAndWhereAStepIsNear) {
  EXPECT_EQ(evaluate("a - b", {{"a", 1000}, {"b", 999}}).scale, 1000);
  EXPECT_TRUE(evaluate("ceil(a)", {{"a", 3.0000000000000004}}).on_an_edge);
  EXPECT_FALSE(evaluate("ceil(a)", {{"a", 3}}).on_an_edge);
}

}  // namespace equation_test
