#pragma once
/// The request of kind `explain`: is a published number possible, what leads to one number of a request, or what do
/// documents say to the statements of study material.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "api/fields.h"
#include "api/outcome.h"
#include "base/json_read.h"
#include "cost/electricity_claim.h"
#include "perf/claim.h"
#include "perf/serving_claim.h"

namespace podwright {

/// Statements of study material about one topic, each beside what the documents say.
enum class Topic { reference_architectures };
inline constexpr std::array<std::string_view, 1> kTopicWords{"reference-architectures"};

struct TopicRequest {
  Topic topic = Topic::reference_architectures;
  std::optional<double> number;         ///< of one statement; absent: all
  std::optional<StudyVerdict> verdict;  ///< of the statements wanted; absent: any
};

struct ExplainRequest {
  std::optional<TrainingClaim> claim;
  std::optional<ServingClaim> serving_claim;
  std::optional<ElectricityClaim> electricity_claim;
  std::optional<std::string> request;  ///< JSON text of another request
  std::string at;                      ///< JSON Pointer of a number of its answer
  std::optional<TopicRequest> topic;
  bool explain = false;  ///< adds the trace of a claim
};

void describe(FieldVisitor& visitor, const Catalog& catalog, ExplainRequest& request);

Answer answer_explain(const Asked& asked, const ExplainRequest& request);

/// Its fields.
void describe_explain_answer(AnswerShape& v);

/// The request with its explanation switched on.
JsonNode explained(const JsonNode& request);

}  // namespace podwright
