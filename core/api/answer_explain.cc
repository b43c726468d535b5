#include "api/explain_request.h"

#include <algorithm>
#include <type_traits>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/claim_table.h"
#include "api/kind.h"
#include "base/json_read.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "cost/cost_inputs.h"

namespace podwright {
namespace {

template <class Table, class Tracer, class Claim, class Check>
void describe_claim(Table& v, Tracer& tracer, const Asked& asked, const Claim& claim, const Check& check) {
  v.text({"kind"}, "explain");
  v.text({"gpu"}, [&] { return claim.gpu->id; });
  describe_check(v, tracer, claim, check);
  if constexpr (std::is_same_v<Claim, ServingClaim>)
    describe_foot(v, asked, check.assumptions);
  else
    describe_foot(v, asked);
}

template <class Claim>
Answer answer_claim(const Asked& asked, const ExplainRequest& request, const Claim& claim) {
  Trace trace(sources_of(asked.assumptions));
  const auto answer_on = [&](auto& tracer) {
    const TraceScope scope(tracer, "/claim");
    std::string problem;
    auto check = check_claim(tracer, asked.catalog, claim, problem);
    if (!check)
      return wrong_input({{"unknown-fact", "/claim/gpu", problem, "Give the GPU inline with the missing figure."}});
    if constexpr (std::is_same_v<Claim, ServingClaim>) add_ways_out(asked.catalog, claim, check->reasons);
    return written_answer(&trace, check->verdict != ClaimVerdict::impossible, [&](AnswerWriter& v) {
      describe_claim(v, tracer, asked, claim, *check);
      describe_trace(v, request.explain ? &trace : nullptr);
    });
  };
  NoTrace none;
  return request.explain ? answer_on(trace) : answer_on(none);
}

std::string summary_of(const ElectricityClaim& claim, const ElectricityCheck<Trace>& check) {
  const std::string years = human_number(claim.years) + (claim.years == 1 ? " year" : " years");
  std::string text = "Electricity of " + years + " costs " + dollars_text(check.electricity.value / usd(1)) + ", " +
                     human_number(check.ratio.value) + " of the machines' " + dollars_text(claim.servers_usd);
  if (check.right) return text + "; the claim is right.";
  return text + ", not " + human_number(claim.electricity_over_hardware) + ". The claim would need " +
         dollars_text(check.price_for_claim.value / usd_per_kwh(1)) + " per kWh, or " +
         human_number(check.years_for_claim.value) + " years.";
}

void describe_electricity(auto& v, const Asked& asked, const ElectricityClaim& claim,
                          const ElectricityCheck<Trace>& check, const Trace* explained) {
  static constexpr std::array<std::string_view, 2> kWords{"wrong", "right"};
  v.text({"kind"}, "explain");
  v.word({"verdict"}, check.right, kWords);
  v.text({"summary"}, [&] { return summary_of(claim, check); });
  v.number({"electricity_over_hardware", "Electricity over the price of the machines"}, check.ratio);
  v.number({"claimed_over_found"}, check.claimed_over_found);
  v.number({"energy_per_year_kwh", "Electricity per year", unit::kKwh}, check.energy_per_year);
  v.number({"electricity_usd_per_year", "Electricity, per year", unit::kUsdPerYear}, check.electricity_per_year);
  v.number({"electricity_usd", "Electricity of all years", unit::kUsd}, check.electricity);
  v.group({"claim_would_need", "The claim would need"}, [&] {
    v.number({"electricity_usd_per_kwh", "Electricity price", unit::kUsdPerKwh}, check.price_for_claim);
    v.number({"years"}, check.years_for_claim);
  });
  describe_foot(v, asked);
  describe_trace(v, explained);
}

Answer answer_electricity_claim(const Asked& asked, const ElectricityClaim& claim, bool explain) {
  Trace trace(sources_of(asked.assumptions));
  ElectricityCheck<Trace> check;
  {
    const TraceScope scope(trace, "/claim");
    check = check_claim(trace, claim);
  }
  return written_answer(&trace, check.right, [&](AnswerWriter& v) {
    describe_electricity(v, asked, claim, check, explain ? &trace : nullptr);
  });
}

struct CitedSource {
  std::string id;
  const Source* source = nullptr;  ///< null: the catalog lacks it
};

/// Of ids separated by "; ".
std::vector<CitedSource> cited_sources(const Catalog& catalog, const std::string& ids) {
  std::vector<CitedSource> sources;
  for (std::size_t begin = 0; begin < ids.size();) {
    const std::size_t end = std::min(ids.find("; ", begin), ids.size());
    const std::string id = ids.substr(begin, end - begin);
    begin = end + 2;
    sources.push_back({id, find_source(catalog, id)});
  }
  return sources;
}

void describe_sources(auto& v, const Catalog& catalog, const std::string& ids) {
  v.text({"source"}, ids);
  v.list({"sources"}, cited_sources(catalog, ids), [&](const CitedSource& cited) {
    v.text({"id"}, cited.id);
    v.fields(cited.source, [&](const Source& known) {
      const Source source = whole_source(known);
      v.text({"title", "Design"}, source.title);
      v.text({"confidence", "Confidence in the source"}, unless_empty(source.confidence));
      v.text({"url", "Address"}, unless_empty(source.url));
    });
  });
}

void describe_statement(auto& v, const Catalog& catalog, const ArchitectureClaim& claim) {
  v.number({"number", "No."}, claim.number);
  v.text({"document"}, claim.document);
  v.text({"claim", "Statement"}, claim.claim);
  v.text({"verified", "What documents say"}, claim.verified);
  v.word({"verdict"}, claim.verdict, kStudyVerdictWords);
  if (const auto part = v.when(!claim.quantity.empty())) {
    v.text({"quantity"}, claim.quantity);
    v.number({"claimed_value", "As stated"}, claim.claimed_value);
    v.number({"verified_value", "As documented"}, claim.verified_value);
    v.text({"unit"}, claim.unit);
  }
  describe_sources(v, catalog, claim.source);
}

void describe_study_size(auto& v, const Catalog& catalog, const StudyBand& band) {
  if (const auto part = v.when(band.size_name.empty())) v.flag({"gap", "No band has this size"}, true);
  v.text({"name"}, unless_empty(band.size_name));
  v.number({"min_gpus", "GPUs from"}, band.min_gpus);
  v.number({"max_gpus", "GPUs to"}, band.max_gpus);
  v.text({"document"}, band.document);
  v.text({"statement"}, band.statement);
  v.text({"correction"}, band.correction);
  v.column({"claims", "Statements"}, band.claims, [](double number) { return number; });
  describe_sources(v, catalog, band.source);
}

void describe_topic(auto& v, const Asked& asked, const TopicRequest& request) {
  const Catalog& catalog = asked.catalog;
  std::vector<ArchitectureClaim> claims;
  for (const ArchitectureClaim& claim : catalog.architecture_claims)
    if (request.number.value_or(claim.number) == claim.number &&
        request.verdict.value_or(claim.verdict) == claim.verdict)
      claims.push_back(claim);
  v.text({"kind"}, "explain");
  v.word({"topic"}, request.topic, kTopicWords);
  v.list({"claims", "Statements"}, claims,
         [&](const ArchitectureClaim& claim) { describe_statement(v, catalog, claim); });
  if (const auto part = v.when(!request.number && !request.verdict))
    v.list({"sizes", "Names of sizes"}, catalog.study_bands.get(),
           [&](const StudyBand& band) { describe_study_size(v, catalog, band); });
  describe_foot(v, asked);
}

Answer answer_topic(const Asked& asked, const TopicRequest& request) {
  return written_answer(nullptr, true, [&](AnswerWriter& v) { describe_topic(v, asked, request); });
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

/// A number of another answer, and the entries of that answer's trace that lead to it.
struct ExplainedNumber {
  std::string_view at;
  double value = 0;
  std::string_view unit;
  std::vector<const JsonNode*> trace;
};

void describe_number(auto& v, const Asked& asked, const ExplainedNumber& number) {
  v.text({"kind"}, "explain");
  v.text({"at", "Place in the answer"}, number.at);
  v.number({"value"}, number.value);
  v.text({"unit"}, number.unit);
  v.any({"trace"}, [&](JsonWriter& out) {
    out.begin_list();
    for (const JsonNode* node : number.trace) out.verbatim(json_text(*node));
    out.end_list();
  });
  describe_foot(v, asked);
}

Answer answer_number(const Asked& asked, const ExplainRequest& request) {
  const auto document = parse_json(*request.request);
  PODWRIGHT_ASSERT(document.has_value());
  const JsonNode* kind = document->find("kind");
  const RequestKind* row = kind == nullptr ? nullptr : find_kind(*asked.kinds, kind->text);
  if (row != nullptr && !row->traced)
    return wrong_input(
        {{"out-of-range", "/request/kind", "The answer to \"" + kind->text + "\" has no numbers to trace.",
          "Name a request whose numbers are traced: " + joined(kind_words(*asked.kinds, true)) + "."}});
  const Answer inside = answer_request(*asked.kinds, asked.catalog, json_text(explained(*document)));
  const auto answer = parse_json(inside.text);
  PODWRIGHT_ASSERT(answer.has_value());
  if (answer->find("errors") != nullptr) return wrong_input(errors_inside(*answer, "/request"));
  const JsonNode* trace = answer->find("trace");
  std::vector<std::string> pointers;
  for (std::size_t i = 0; trace != nullptr && i < trace->items.size(); ++i) {
    for (std::string& pointer : texts_of(trace->items[i], "at")) {
      if (pointer != request.at) {
        pointers.push_back(std::move(pointer));
        continue;
      }
      const ExplainedNumber number{.at = request.at,
                                   .value = trace->items[i].find("value")->number,
                                   .unit = trace->items[i].find("unit")->text,
                                   .trace = leading_to(trace->items, i)};
      return {written_answer(nullptr, true, [&](AnswerWriter& v) { describe_number(v, asked, number); }).text,
              inside.outcome};
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
  if (request.topic) return answer_topic(asked, *request.topic);
  if (request.electricity_claim) return answer_electricity_claim(asked, *request.electricity_claim, request.explain);
  if (request.serving_claim) return answer_claim(asked, request, *request.serving_claim);
  return request.claim ? answer_claim(asked, request, *request.claim) : answer_number(asked, request);
}

void describe_explain_answer(AnswerShape& v) {
  const auto part = v.when(true);
  NoTrace none;
  describe_claim(v, none, nothing_asked(), TrainingClaim{}, ClaimCheck<NoTrace>{});
  describe_claim(v, none, nothing_asked(), ServingClaim{}, ServingClaimCheck<NoTrace>{});
  describe_trace(v, nullptr);
  describe_electricity(v, nothing_asked(), {}, {}, nullptr);
  describe_topic(v, nothing_asked(), TopicRequest{});
  describe_number(v, nothing_asked(), {});
}

}  // namespace podwright
