#pragma once
/// Answers of the kinds `training` and `serving`: one fully specified run or deployment.
#include <vector>

#include "api/outcome.h"
#include "api/requests.h"

namespace podwright {

class AnswerShape;

/// `document` is the text of `request`: ways out are merge patches of it.
Answer answer_training(const Catalog& catalog, const JsonNode& document, const TrainingRequest& request,
                       const std::vector<Assumption>& assumptions);
Answer answer_serving(const Catalog& catalog, const JsonNode& document, const ServingRequest& request,
                      const std::vector<Assumption>& assumptions);

/// Their fields.
void describe_training_answer(AnswerShape& v);
void describe_serving_answer(AnswerShape& v);

}  // namespace podwright
