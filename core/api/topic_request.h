#pragma once
/// Statements of study material about one topic, each beside what the documents say: what an `explain` request may ask
/// for instead of a number.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"

namespace podwright {

class AnswerShape;

enum class Topic { reference_architectures };
inline constexpr std::array<std::string_view, 1> kTopicWords{"reference-architectures"};

struct TopicRequest {
  Topic topic = Topic::reference_architectures;
  std::optional<double> number;         ///< of one statement; absent: all
  std::optional<StudyVerdict> verdict;  ///< of the statements wanted; absent: any
};

/// Reads `topic`, `number` and `verdict`; absent where the request names no topic.
std::optional<TopicRequest> describe_topic(FieldVisitor& visitor, const Catalog& catalog);

/// All statements and what the material calls each size; with `number` or `verdict` the statements that match.
Answer answer_topic(const Catalog& catalog, const TopicRequest& request, const std::vector<Assumption>& assumptions);

/// Its fields.
void describe_topic_answer(AnswerShape& v);

}  // namespace podwright
