#include "api/topic_request.h"

#include <algorithm>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "base/json_write.h"

namespace podwright {
namespace {

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

template <class Table>
void describe_sources(Table& v, const Catalog& catalog, const std::string& ids) {
  v.text({"source"}, ids);
  v.list({"sources"}, cited_sources(catalog, ids), [&](const CitedSource& cited) {
    v.text({"id"}, cited.id);
    v.fields(cited.source, [&](const Source& source) {
      v.text({"title", "Design"}, source.title);
      v.text({"confidence", "Confidence in the source"}, unless_empty(source.confidence));
      v.text({"url", "Address"}, unless_empty(source.url));
    });
  });
}

template <class Table>
void describe_statement(Table& v, const Catalog& catalog, const ArchitectureClaim& claim) {
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

template <class Table>
void describe_study_size(Table& v, const Catalog& catalog, const StudyBand& band) {
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

template <class Table>
void describe_topic(Table& v, const Catalog& catalog, const TopicRequest& request,
                    const std::vector<Assumption>& assumptions) {
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
    v.list({"sizes", "Names of sizes"}, catalog.study_bands,
           [&](const StudyBand& band) { describe_study_size(v, catalog, band); });
  describe_foot(v, catalog, assumptions, {});
}

}  // namespace

std::optional<TopicRequest> describe_topic(FieldVisitor& v, const Catalog& catalog) {
  std::string topic;
  v.word({.key = "topic", .help = "Statements from study material about a topic, compared with the documents"}, topic,
         {kTopicWords.begin(), kTopicWords.end()});
  TopicRequest request;
  const double most = std::max<double>(1, static_cast<double>(catalog.architecture_claims.size()));
  v.count({.key = "number", .help = "One statement of the topic; absent: all", .range = {1, most}}, request.number);
  std::string verdict;
  v.word({.key = "verdict", .help = "Only statements with this verdict"}, verdict,
         {kStudyVerdictWords.begin(), kStudyVerdictWords.end()});
  request.verdict = of_word<StudyVerdict>(verdict, kStudyVerdictWords);
  v.rule(!topic.empty() || !request.number, "number", "A number is that of a statement of a topic.",
         "Add \"topic\": \"reference-architectures\".");
  v.rule(!topic.empty() || !request.verdict, "verdict", "A verdict selects statements of a topic.",
         "Add \"topic\": \"reference-architectures\".");
  if (topic.empty()) return std::nullopt;
  request.topic = of_word<Topic>(topic, kTopicWords).value_or(request.topic);
  return request;
}

Answer answer_topic(const Catalog& catalog, const TopicRequest& request, const std::vector<Assumption>& assumptions) {
  JsonWriter out;
  AnswerWriter v(out);
  out.begin_object();
  describe_topic(v, catalog, request, assumptions);
  out.end_object();
  return {out.take(), Outcome::answer};
}

void describe_topic_answer(AnswerShape& v) { describe_topic(v, Catalog{}, TopicRequest{}, {}); }

}  // namespace podwright
