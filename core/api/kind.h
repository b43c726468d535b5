#pragma once
/// What is to be known of one kind of request: how it is read, answered, asked on the command line and explained.
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/field_reader.h"
#include "api/outcome.h"
#include "base/json_read.h"

namespace podwright {

struct RequestKind;
using RequestKinds = std::span<const RequestKind>;

struct RequestKind {
  std::string_view word;       ///< what the request says in `kind`
  std::string_view type = {};  ///< of a kind with several forms what the request says in `type`; the first is the usual
  std::string_view verb = {};  ///< the command that asks it; empty in the table: as the word
  std::string_view example;    ///< a command line
  std::string_view help;       ///< what it answers, one sentence without the full stop
  bool takes_calibration = false;  ///< the answer changes with the rates of GPUs that were measured
  bool traced = false;             ///< a request may ask for the trace of the whole answer
  void (*describe)(FieldVisitor& visitor, const Catalog& catalog) = nullptr;
  Answer (*answer)(const Catalog& catalog, const JsonNode& document, RequestKinds kinds) = nullptr;
};

/// What an answering function is given beside the request.
struct Asked {
  const Catalog& catalog;
  const JsonNode& document;                    ///< the request as it came: ways out are merge patches of it
  const std::vector<Assumption>& assumptions;  ///< its defaults
  RequestKinds kinds;                          ///< for requests inside the request
};

/// Shows a visitor the table of fields of a request that says nothing.
template <class Request>
void describe_fields(FieldVisitor& visitor, const Catalog& catalog) {
  Request request;
  describe(visitor, catalog, request);
}

/// Reads the request through its table and hands it on when it has no problem. `answer` takes it with as much of Asked
/// as it needs.
template <class Request, auto answer>
Answer read_and_answer(const Catalog& catalog, const JsonNode& document, RequestKinds kinds) {
  ErrorList errors;
  Request request;
  FieldReader reader(document, catalog, errors);
  describe(reader, catalog, request);
  reader.finish();
  if (!errors.empty()) return wrong_input(errors.take());
  const std::vector<Assumption>& assumptions = reader.assumptions();
  using Function = decltype(answer);
  if constexpr (std::is_invocable_v<Function, const Asked&, const Request&>)
    return answer({catalog, document, assumptions, kinds}, request);
  else if constexpr (std::is_invocable_v<Function, const Catalog&, const Request&>)
    return answer(catalog, request);
  else if constexpr (std::is_invocable_v<Function, const Catalog&, const Request&, decltype(assumptions)>)
    return answer(catalog, request, assumptions);
  else
    return answer(catalog, document, request, assumptions);
}

}  // namespace podwright
