#include "api/topic_request.h"

#include <algorithm>

#include "api/write_common.h"
#include "base/json_write.h"

namespace podwright {
namespace {

/// Ids separated by "; " with the titles of what they stand for.
void write_sources(JsonWriter& out, const Catalog& catalog, const std::string& ids) {
  out.text("source", ids);
  out.begin_list("sources");
  for (std::size_t begin = 0; begin < ids.size();) {
    const std::size_t end = std::min(ids.find("; ", begin), ids.size());
    const std::string id = ids.substr(begin, end - begin);
    begin = end + 2;
    out.begin_object();
    out.text("id", id);
    if (const Source* source = find_source(catalog, id)) {
      out.text("title", source->title);
      if (!source->confidence.empty()) out.text("confidence", source->confidence);
      if (!source->url.empty()) out.text("url", source->url);
    }
    out.end_object();
  }
  out.end_list();
}

void write_claim(JsonWriter& out, const Catalog& catalog, const ArchitectureClaim& claim) {
  out.begin_object();
  out.number("number", claim.number);
  out.text("document", claim.document);
  out.text("claim", claim.claim);
  out.text("verified", claim.verified);
  out.text("verdict", word_of(claim.verdict, kStudyVerdictWords));
  if (!claim.quantity.empty()) {
    out.text("quantity", claim.quantity);
    if (claim.claimed_value) out.number("claimed_value", *claim.claimed_value);
    if (claim.verified_value) out.number("verified_value", *claim.verified_value);
    out.text("unit", claim.unit);
  }
  write_sources(out, catalog, claim.source);
  out.end_object();
}

void write_size(JsonWriter& out, const Catalog& catalog, const StudyBand& band) {
  out.begin_object();
  if (band.size_name.empty())
    out.boolean("gap", true);
  else
    out.text("name", band.size_name);
  out.number("min_gpus", band.min_gpus);
  if (band.max_gpus) out.number("max_gpus", *band.max_gpus);
  out.text("document", band.document);
  out.text("statement", band.statement);
  out.text("correction", band.correction);
  out.begin_list("claims");
  for (const double number : band.claims) out.number(number);
  out.end_list();
  write_sources(out, catalog, band.source);
  out.end_object();
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
  out.begin_object();
  out.text("kind", "explain");
  out.text("topic", word_of(request.topic, kTopicWords));
  out.begin_list("claims");
  for (const ArchitectureClaim& claim : catalog.architecture_claims)
    if (request.number.value_or(claim.number) == claim.number &&
        request.verdict.value_or(claim.verdict) == claim.verdict)
      write_claim(out, catalog, claim);
  out.end_list();
  if (!request.number && !request.verdict) {
    out.begin_list("sizes");
    for (const StudyBand& band : catalog.study_bands) write_size(out, catalog, band);
    out.end_list();
  }
  write_foot(out, catalog, assumptions, {});
  out.end_object();
  return {out.take(), Outcome::answer};
}

}  // namespace podwright
