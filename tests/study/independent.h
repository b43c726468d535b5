#pragma once
/// Answers computed again from the numbers of a question alone, with arithmetic of its own.
#include <functional>
#include <map>
#include <string>

#include "study/question.h"

namespace podwright::study_tests {

/// Numbers of the solution's leaves: "<step>.<input>" in base units.
class Given {
 public:
  explicit Given(const Question& question) {
    for (const SolutionStep& step : question.solution)
      for (const SolutionInput& input : step.inputs) values_[step.name + "." + input.name] = input.value;
  }
  /// NaN where the question has no such number, so that a comparison fails. A name that ends in "_" stands for all that
  /// begin so, such as the peak of whichever format is asked.
  double operator()(const std::string& name) const {
    const auto found = values_.lower_bound(name);
    const bool any = name.back() == '_' && found != values_.end() && found->first.rfind(name, 0) == 0;
    return any || (found != values_.end() && found->first == name) ? found->second : __builtin_nan("");
  }

 private:
  std::map<std::string, double> values_;
};

using Independent = std::function<double(const Given&)>;

/// Template -> its answer in the unit shown. Templates whose answer is no number are checked by tests of their own.
const std::map<std::string, Independent>& independent_answers();

}  // namespace podwright::study_tests
