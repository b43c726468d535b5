#pragma once
/// A question of the study tool as the contract's object.
#include "base/json_write.h"
#include "study/question.h"

namespace podwright {

void write_question(JsonWriter& out, const Question& question);

}  // namespace podwright
