#pragma once
/// The one door: request text in, answer text out. The command line, the browser and the tests all use it.
#include <string>
#include <string_view>

#include "catalog/catalog.h"

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

/// `default_kind` stands in for a request without "kind".
Answer answer_request(const Catalog& catalog, std::string_view request, std::string_view default_kind = "");

/// With the embedded catalog.
std::string answer(std::string_view request);

/// "0.1.0"
std::string_view version();

/// {"errors": [...], "error": <the first>}
std::string errors_json(const Errors& errors);
/// A request whose only fault is to ask for what is not built yet is not wrong.
Answer wrong_input(const Errors& errors);

}  // namespace podwright
