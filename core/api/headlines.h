#pragma once
/// The few numbers that a plan is judged by: where each stands in the plan, and its text, which is the same wherever it
/// is shown.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/answer_field.h"
#include "plan/planner.h"

namespace podwright {

/// A number of the plan, as people read it.
struct ShownNumber {
  std::string place;  ///< JSON Pointer from the plan
  std::string text;   ///< with its unit: "613 ms", "$655,000", "98.3 %"
};

struct Headline {
  std::string_view id;
  std::string workload;        ///< empty: all of the plan
  std::string_view statistic;  ///< p95, mean, typical; empty: a count
  ShownNumber value;
  std::optional<ShownNumber> low, high;    ///< of the 90 % interval
  std::optional<ShownNumber> target;       ///< the most that it may be; its place is in the request for money
  std::optional<ShownNumber> probability;  ///< that the target is kept
};

std::vector<Headline> headlines_of(const PlanRequest& request, const Plan& plan);

void describe_headlines(auto& v, const std::vector<Headline>& headlines) {
  const auto shown = [&](const AnswerField& field, const std::optional<ShownNumber>& number) {
    v.object(field, number, [&](const ShownNumber& known) {
      v.text({"place"}, known.place);
      v.text({"text"}, known.text);
    });
  };
  v.list({"headlines", "What the plan is judged by"}, headlines, [&](const Headline& headline) {
    v.text({"id"}, headline.id);
    v.text({"workload"}, unless_empty(headline.workload));
    v.text({"statistic"}, unless_empty(headline.statistic));
    shown({"value"}, headline.value);
    shown({"low"}, headline.low);
    shown({"high"}, headline.high);
    shown({"target"}, headline.target);
    shown({"probability", "Probability that it is kept"}, headline.probability);
  });
}

}  // namespace podwright
