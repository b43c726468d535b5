#include "support/equation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Smallest divisor of `number` that is not below `least`; `number` itself where there is none.
double divisor_from(double least, double number) {
  std::vector<double> divisors;
  for (double small = 1; small <= std::sqrt(number); ++small)
    if (std::fmod(number, small) == 0) divisors.insert(divisors.end(), {small, number / small});
  double found = number;
  for (const double divisor : divisors)
    if (divisor >= least) found = std::min(found, divisor);
  return found;
}

/// Recursive descent: sum of products of signed powers of atoms. A power binds tighter than a sign and to the right.
class Parser {
 public:
  Parser(std::string_view text, const std::map<std::string, double>& values) : text_(text), values_(values) {}

  EquationValue run() {
    result_.value = sum();
    skip_spaces();
    if (at_ < text_.size()) fail("unexpected text at \"" + std::string(text_.substr(at_, 20)) + "\"");
    result_.scale = std::max(result_.scale, std::fabs(result_.value));
    return result_;
  }

 private:
  void fail(const std::string& why) {
    if (result_.error.empty()) result_.error = why;
    at_ = text_.size();
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char sign) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }
  double sized(double part) {
    result_.scale = std::max(result_.scale, std::fabs(part));
    return part;
  }

  double sum() {
    double total = product();
    for (;;) {
      if (take('+')) {
        total = sized(total) + sized(product());
      } else if (take('-')) {
        total = sized(total) - sized(product());
      } else {
        return total;
      }
    }
  }
  double product() {
    double total = signed_power();
    for (;;) {
      if (take('*')) {
        total *= signed_power();
      } else if (take('/')) {
        total /= signed_power();
      } else {
        return total;
      }
    }
  }
  double signed_power() {
    if (take('-')) return -signed_power();
    const double base = atom();
    return take('^') ? std::pow(base, signed_power()) : base;
  }
  double atom() {
    skip_spaces();
    if (take('(')) {
      const double value = sum();
      if (!take(')')) fail("a parenthesis does not close");
      return value;
    }
    const std::size_t begin = at_;
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      const std::string rest(text_.substr(at_));
      char* end = nullptr;
      const double number = std::strtod(rest.c_str(), &end);
      at_ += static_cast<std::size_t>(end - rest.c_str());
      return number;
    }
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (name.empty()) {
      fail("a value is missing at \"" + std::string(text_.substr(begin, 20)) + "\"");
      return 0;
    }
    if (take('(')) return call(name);
    const auto value = values_.find(name);
    if (value == values_.end()) {
      fail("\"" + name + "\" is none of the inputs");
      return 0;
    }
    return value->second;
  }
  double call(const std::string& name) {
    std::vector<double> arguments{sum()};
    while (take(',')) arguments.push_back(sum());
    if (!take(')')) fail("the arguments of " + name + " do not end");
    if (name == "min") return *std::min_element(arguments.begin(), arguments.end());
    if (name == "max") return *std::max_element(arguments.begin(), arguments.end());
    if (name == "divisor_from" && arguments.size() == 2) return divisor_from(arguments[0], arguments[1]);
    if (arguments.size() == 1) {
      const double x = arguments.front();
      if (name == "sqrt") return std::sqrt(x);
      if (name == "exp") return std::exp(x);
      if (name == "log") return std::log(x);
      if (name == "ceil" || name == "floor") {
        const double off = std::fabs(x - std::round(x));
        if (off > 0 && off < 1e-9 * std::max(1.0, std::fabs(x))) result_.on_an_edge = true;
        return name == "ceil" ? std::ceil(x) : std::floor(x);
      }
    }
    fail("\"" + name + "\" is no function of " + std::to_string(arguments.size()) + " arguments");
    return 0;
  }

  std::string_view text_;
  const std::map<std::string, double>& values_;
  std::size_t at_ = 0;
  EquationValue result_;
};

}  // namespace

EquationValue evaluate(std::string_view equation, const std::map<std::string, double>& values) {
  return Parser(equation, values).run();
}
