#pragma once
/// What answering a request gives: a text, and what kind of answer it is.
#include <string>

#include "base/result.h"

namespace podwright {

enum class Outcome {
  answer,
  infeasible,   ///< an answer with reasons, shortfall and ways out
  wrong_input,  ///< every problem of the request with its path and a hint
  not_built     ///< a kind of the contract that this version does not answer yet
};

struct Answer {
  std::string text;
  Outcome outcome = Outcome::answer;
};

/// {"errors": [...], "error": <the first>}
std::string errors_json(const Errors& errors);
/// A request whose only fault is to ask for what is not built yet is not wrong.
Answer wrong_input(const Errors& errors);

}  // namespace podwright
