#include "api/answer_explain.h"

#include <algorithm>
#include <type_traits>

#include "api/answer_request.h"
#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/claim_table.h"
#include "api/requests.h"
#include "base/json_read.h"
#include "base/nearest.h"

namespace podwright {
namespace {

template <class Tracer>
std::vector<std::string> assumed_by(const ClaimCheck<Tracer>&) {
  return {};
}
template <class Tracer>
std::vector<std::string> assumed_by(const ServingClaimCheck<Tracer>& check) {
  return check.assumptions;
}

template <class Table, class Tracer, class Claim, class Check>
void describe_claim(Table& v, Tracer& tracer, const Catalog& catalog, const Claim& claim, const Check& check,
                    const std::vector<Assumption>& assumptions) {
  v.text({"kind"}, "explain");
  v.text({"gpu"}, [&] { return claim.gpu->id; });
  describe_check(v, tracer, claim, check);
  describe_foot(v, catalog, assumptions, assumed_by(check));
}

template <class Claim>
Answer answer_claim(const Catalog& catalog, const ExplainRequest& request, const Claim& claim,
                    const std::vector<Assumption>& assumptions) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  AnswerWriter v(out);
  std::string problem;
  bool possible = false;
  const auto answer_on = [&](auto& tracer) {
    const TraceScope scope(tracer, "/claim");
    auto check = check_claim(tracer, catalog, claim, problem);
    if (!check) return false;
    possible = check->verdict != ClaimVerdict::impossible;
    if constexpr (std::is_same_v<Claim, ServingClaim>) add_ways_out(catalog, claim, check->reasons);
    out.begin_object();
    describe_claim(v, tracer, catalog, claim, *check, assumptions);
    return true;
  };
  NoTrace none;
  if (!(request.explain ? answer_on(trace) : answer_on(none)))
    return wrong_input({{"unknown-fact", "/claim/gpu", problem, "Give the GPU inline with the missing figure."}});
  describe_trace(v, request.explain ? &trace : nullptr);
  out.end_object();
  return {out.take(), possible ? Outcome::answer : Outcome::infeasible};
}

/// Members of a trace node that a list of nodes is walked by.
std::vector<std::string> texts_of(const JsonNode& node, std::string_view key) {
  std::vector<std::string> texts;
  if (const JsonNode* list = node.find(key))
    for (const JsonNode& item : list->items) texts.push_back(item.text);
  return texts;
}

/// The nodes that `last` stands on and itself, in the order of the trace. Inputs stand before what is made of them, so
/// one pass from the end finds all.
std::vector<const JsonNode*> leading_to(const std::vector<JsonNode>& nodes, std::size_t last) {
  std::vector<std::string> wanted{nodes[last].find("id")->text};
  std::vector<const JsonNode*> found;
  for (std::size_t i = last + 1; i-- > 0;) {
    if (std::find(wanted.begin(), wanted.end(), nodes[i].find("id")->text) == wanted.end()) continue;
    found.push_back(&nodes[i]);
    for (std::string& input : texts_of(nodes[i], "inputs")) wanted.push_back(std::move(input));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::string traced_kinds(RequestKinds kinds) {
  std::vector<RequestKind> traced;
  for (const RequestKind& kind : kinds)
    if (kind.traced) traced.push_back(kind);
  return joined(kind_words(traced));
}

/// Errors of the request inside, with its place before their paths.
Answer errors_inside(const JsonNode& answer) {
  Errors errors;
  for (const JsonNode& error : answer.find("errors")->items)
    errors.push_back({error.find("code")->text, "/request" + error.find("path")->text, error.find("message")->text,
                      error.find("hint")->text});
  return wrong_input(std::move(errors));
}

/// A number of another answer, and the entries of that answer's trace that lead to it.
struct ExplainedNumber {
  std::string_view at;
  double value = 0;
  std::string_view unit;
  std::vector<const JsonNode*> trace;
};

template <class Table>
void describe_number(Table& v, const Catalog& catalog, const ExplainedNumber& number,
                     const std::vector<Assumption>& assumptions) {
  v.text({"kind"}, "explain");
  v.text({"at", "Place in the answer"}, number.at);
  v.number({"value"}, number.value);
  v.text({"unit"}, number.unit);
  v.any({"trace"}, [&](JsonWriter& out) {
    out.begin_list();
    for (const JsonNode* node : number.trace) out.verbatim(json_text(*node));
    out.end_list();
  });
  describe_foot(v, catalog, assumptions, {});
}

Answer answer_number(const Asked& asked, const ExplainRequest& request) {
  const auto document = parse_json(*request.request);
  PODWRIGHT_ASSERT(document.has_value());
  const JsonNode* kind = document->find("kind");
  const RequestKind* row = kind == nullptr ? nullptr : find_kind(asked.kinds, kind->text);
  if (row != nullptr && !row->traced)
    return wrong_input(
        {{"out-of-range", "/request/kind", "The answer to \"" + kind->text + "\" has no numbers to trace.",
          "Name a request whose numbers are traced: " + traced_kinds(asked.kinds) + "."}});
  const Answer inside = answer_request(asked.kinds, asked.catalog, json_text(explained(*document)));
  const auto answer = parse_json(inside.text);
  PODWRIGHT_ASSERT(answer.has_value());
  if (answer->find("errors") != nullptr) return errors_inside(*answer);
  const JsonNode* trace = answer->find("trace");
  std::vector<std::string> pointers;
  for (std::size_t i = 0; trace != nullptr && i < trace->items.size(); ++i) {
    for (std::string& pointer : texts_of(trace->items[i], "at")) {
      if (pointer != request.at) {
        pointers.push_back(std::move(pointer));
        continue;
      }
      JsonWriter out;
      AnswerWriter v(out);
      out.begin_object();
      describe_number(v, asked.catalog,
                      {.at = request.at,
                       .value = trace->items[i].find("value")->number,
                       .unit = trace->items[i].find("unit")->text,
                       .trace = leading_to(trace->items, i)},
                      asked.assumptions);
      out.end_object();
      return {out.take(), inside.outcome};
    }
  }
  return wrong_input(
      {{"unknown-pointer", "/at", "The answer has no explained number at \"" + request.at.substr(0, 200) + "\".",
        did_you_mean(request.at, pointers, "Numbers: " + joined(pointers) + ".")}});
}

}  // namespace

JsonNode explained(const JsonNode& request) {
  const JsonNode* kind = request.find("kind");
  const bool plan = kind != nullptr && kind->text == "plan";
  return merged(request, *parse_json(plan ? R"({"options":{"explain":true}})" : R"({"explain":true})"));
}

Answer answer_explain(const Asked& asked, const ExplainRequest& request) {
  const Catalog& catalog = asked.catalog;
  const std::vector<Assumption>& assumptions = asked.assumptions;
  if (request.topic) return answer_topic(catalog, *request.topic, assumptions);
  if (request.electricity_claim)
    return answer_electricity_claim(catalog, *request.electricity_claim, request.explain, assumptions);
  if (request.serving_claim) return answer_claim(catalog, request, *request.serving_claim, assumptions);
  return request.claim ? answer_claim(catalog, request, *request.claim, assumptions) : answer_number(asked, request);
}

void describe_explain_answer(AnswerShape& v) {
  const auto part = v.when(true);
  NoTrace none;
  describe_claim(v, none, Catalog{}, TrainingClaim{}, ClaimCheck<NoTrace>{}, {});
  describe_claim(v, none, Catalog{}, ServingClaim{}, ServingClaimCheck<NoTrace>{}, {});
  describe_trace(v, nullptr);
  describe_electricity_claim_answer(v);
  describe_topic_answer(v);
  describe_number(v, Catalog{}, {}, {});
}

}  // namespace podwright
