#include "api/answer_explain.h"

#include <algorithm>

#include "api/answer_request.h"
#include "api/requests.h"
#include "api/write_common.h"
#include "api/write_serving_claim.h"
#include "base/json_read.h"
#include "base/nearest.h"
#include "base/words.h"

namespace podwright {
namespace {

constexpr std::string_view kSixPerParameter =
    "6 FLOP for each active parameter and token; attention not counted, as in the published runs";
constexpr std::string_view kWithAttention =
    "6 FLOP for each parameter of a matrix product and token, and causal attention of the sequence; published runs are "
    "counted without attention";

template <class Tracer>
void write_check(JsonWriter& out, Tracer& tracer, const TrainingClaim& claim, const ClaimCheck<Tracer>& check) {
  out.boolean("feasible", check.verdict != ClaimVerdict::impossible);
  if (!check.reasons.empty())
    write_reasons(out, "reasons", check.reasons, tracer, "docs/method/training_time.md", "claim.shortfall");
  out.text("verdict", word_of(check.verdict, kClaimVerdictWords));
  const auto as = [&](std::string_view key, const DisplayUnit& display, const auto& known) {
    if (known) out.quantity_as(key, display, *known);
  };
  out.quantity_as("needed_tflops_per_gpu", unit::kTflops, check.needed);
  out.quantity_as("peak_tflops_per_gpu", unit::kTflops, check.peak);
  as("measured_matmul_tflops_per_gpu", unit::kTflops, check.measured_matmul);
  out.quantity_as("mfu", unit::kNone, check.mfu);
  as("days", unit::kDays, check.claimed);
  if (check.runs != nullptr) {
    out.begin_object("published_runs");
    as("rows", unit::kNone, check.rows);
    as("lowest_tflops_per_gpu", unit::kTflops, check.lowest);
    as("median_tflops_per_gpu", unit::kTflops, check.median);
    as("best_tflops_per_gpu", unit::kTflops, check.best);
    out.text("best_run", check.runs->best_run);
    out.end_object();
  }
  out.begin_object("realistic");
  out.quantity_as("mfu", unit::kNone, check.realistic_mfu);
  out.text("mfu_source", check.realistic_source);
  as("days", unit::kDays, check.realistic);
  as("gpu_count_for_claimed_days", unit::kNone, check.realistic_gpus);
  out.end_object();
  out.text("flop_convention", claim.model && claim.sequence_length ? kWithAttention : kSixPerParameter);
}

Answer answer_claim(const Catalog& catalog, const ExplainRequest& request, const std::vector<Assumption>& assumptions) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  std::string problem;
  bool possible = false;
  const auto answer_on = [&](auto& tracer) {
    const TraceScope scope(tracer, "/claim");
    const auto check = check_claim(tracer, catalog, *request.claim, problem);
    if (!check) return false;
    possible = check->verdict != ClaimVerdict::impossible;
    out.begin_object();
    out.text("kind", "explain");
    out.text("gpu", request.claim->gpu->id);
    write_check(out, tracer, *request.claim, *check);
    write_foot(out, catalog, assumptions, {});
    return true;
  };
  NoTrace none;
  if (!(request.explain ? answer_on(trace) : answer_on(none)))
    return wrong_input({{"unknown-fact", "/claim/gpu", problem, "Give the GPU inline with the missing figure."}});
  if (request.explain) {
    out.key("trace");
    write_trace(out, trace);
  }
  out.end_object();
  return {out.take(), possible ? Outcome::answer : Outcome::infeasible};
}

Answer answer_serving_claim(const Catalog& catalog, const ExplainRequest& request,
                            const std::vector<Assumption>& assumptions) {
  const ServingClaim& claim = *request.serving_claim;
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  std::string problem;
  bool possible = false;
  const auto answer_on = [&](auto& tracer) {
    const TraceScope scope(tracer, "/claim");
    auto check = check_claim(tracer, catalog, claim, problem);
    if (!check) return false;
    possible = check->verdict != ClaimVerdict::impossible;
    add_ways_out(catalog, claim, check->reasons);
    out.begin_object();
    out.text("kind", "explain");
    out.text("gpu", claim.gpu->id);
    write_serving_check(out, tracer, claim, *check);
    write_foot(out, catalog, assumptions, check->assumptions);
    return true;
  };
  NoTrace none;
  if (!(request.explain ? answer_on(trace) : answer_on(none)))
    return wrong_input({{"unknown-fact", "/claim/gpu", problem, "Give the GPU inline with the missing figure."}});
  if (request.explain) {
    out.key("trace");
    write_trace(out, trace);
  }
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
      out.begin_object();
      out.text("kind", "explain");
      out.text("at", request.at);
      out.number("value", trace->items[i].find("value")->number);
      out.text("unit", trace->items[i].find("unit")->text);
      out.begin_list("trace");
      for (const JsonNode* node : leading_to(trace->items, i)) out.verbatim(json_text(*node));
      out.end_list();
      write_foot(out, asked.catalog, asked.assumptions, {});
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
  if (request.serving_claim) return answer_serving_claim(catalog, request, assumptions);
  return request.claim ? answer_claim(catalog, request, assumptions) : answer_number(asked, request);
}

}  // namespace podwright
