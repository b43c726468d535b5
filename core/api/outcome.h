#pragma once
/// What answering a request takes and gives: the request as it came, then a text and what kind of answer it is.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "base/json_read.h"
#include "base/result.h"

namespace podwright {

/// Collects the schema of an answer from its tables.
class AnswerShape;

struct RequestKind;
using RequestKinds = std::span<const RequestKind>;

/// What an answering function is given beside the request.
struct Asked {
  const Catalog& catalog;
  const JsonNode& document;                    ///< the request as it came: ways out are merge patches of it
  const std::vector<Assumption>& assumptions;  ///< its defaults
  const RequestKinds* kinds = nullptr;         ///< for requests inside the request
};
/// An empty catalog and request, for tables that are asked for their types.
const Asked& nothing_asked();

/// Which version of the program answers: "1.0.0".
std::string_view version();

enum class Outcome {
  answer,
  infeasible,  ///< an answer with reasons, shortfall and ways out
  wrong_input  ///< every problem of the request with its path and a hint
};

struct Answer {
  std::string text;
  Outcome outcome = Outcome::answer;
};

/// {"errors": [...], "error": <the first>}
Answer wrong_input(const Errors& errors);

/// Those of the answer to a request inside a request; `place` goes before their paths.
Errors errors_inside(const JsonNode& answer, const std::string& place);

}  // namespace podwright
