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
  /// NaN where the question has no such number, so that a comparison fails.
  double operator()(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? __builtin_nan("") : found->second;
  }

 private:
  std::map<std::string, double> values_;
};

using Independent = std::function<double(const Given&)>;

/// Template -> its answer in the unit shown. Templates whose answer is no number are checked by tests of their own.
const std::map<std::string, Independent>& independent_answers();

}  // namespace podwright::study_tests
