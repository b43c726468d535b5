#pragma once
/// What is to be known of one kind of request: how it is read, answered, asked on the command line and explained.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/outcome.h"

namespace podwright {

struct RequestKind {
  std::string_view word;       ///< what the request says in `kind`
  std::string_view type = {};  ///< of a kind with several forms what the request says in `type`; the first is the usual
  std::string_view verb;       ///< the command that asks it
  std::string_view example;    ///< a command line
  std::string_view help;       ///< what it answers, one sentence without the full stop
  bool takes_calibration = false;  ///< the answer changes with the rates of GPUs that were measured
  bool traced = false;             ///< a request may ask for the trace of the whole answer
  void (*describe)(FieldVisitor& visitor, const Catalog& catalog) = nullptr;
  Answer (*answer)(const Catalog& catalog, const JsonNode& document) = nullptr;
};

/// The row of a request: that of its kind and, of a kind with several forms, of its type. Null where there is none.
const RequestKind* find_kind(RequestKinds kinds, std::string_view word, std::string_view type = "");

/// Of all kinds, or of those that are traced: each once, in the order of the table.
std::vector<std::string> kind_words(RequestKinds kinds, bool traced = false);

/// From the text of a request to its answer, whatever kinds there are. `default_kind` stands in for a request without
/// "kind".
Answer answer_request(RequestKinds kinds, const Catalog& catalog, std::string_view request,
                      std::string_view default_kind = "");

}  // namespace podwright
