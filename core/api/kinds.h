#pragma once
/// The kinds of requests. A kind is one row; api, schema, command line, page and docs read the table.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/outcome.h"

namespace podwright {

/// What is to be known of one kind of request: how it is read, answered, asked on the command line and explained.
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

/// In the order of the contract.
std::span<const RequestKind> request_kinds();

/// The row of a request: that of its kind and, of a kind with several forms, of its type. Null where there is none.
const RequestKind* find_kind(std::string_view word, std::string_view type = "");

/// Of all kinds, or of those that are traced: each once, in the order of the table.
std::vector<std::string> kind_words(bool traced = false);

}  // namespace podwright
