#pragma once
/// Evaluates the equations that people read.
#include <map>
#include <string>
#include <string_view>

struct EquationValue {
  double value = 0;
  /// Largest size that a sum or difference had to deal with: the rounding of the result is relative to it.
  double scale = 0;
  /// An argument of ceil or floor lay so close beside a whole number that rounding decides which side it is on.
  bool on_an_edge = false;
  std::string error;  ///< empty, or why the text is no equation over these names
};

/// Numbers, names, + - * / ^, parentheses, min, max, ceil, floor, sqrt, exp, log.
EquationValue evaluate(std::string_view equation, const std::map<std::string, double>& values);
