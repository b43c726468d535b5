#include "api/kind.h"

#include <algorithm>

#include "api/host_calibration_text.h"
#include "base/nearest.h"

namespace podwright {
namespace {

/// The row of a document, or the problem with its kind.
Result<const RequestKind*> kind_of(RequestKinds kinds, const JsonNode& document, std::string_view default_kind) {
  const JsonNode* type = document.find("type");
  const std::string_view type_word = type == nullptr ? std::string_view() : type->text;
  const JsonNode* kind = document.find("kind");
  if (kind == nullptr && !default_kind.empty()) return find_kind(kinds, default_kind, type_word);
  const std::vector<std::string> words = kind_words(kinds);
  const std::string all = "Kinds: " + joined(words) + ".";
  if (kind == nullptr) return failure({"missing", "/kind", "\"kind\" is missing: what is asked.", all});
  if (!kind->is_text())
    return failure(
        {"wrong-type", "/kind", "\"kind\" must be text, found " + std::string(type_name(kind->type)) + ".", all});
  if (const RequestKind* found = find_kind(kinds, kind->text, type_word)) return found;
  return failure({"out-of-range", "/kind", "\"" + kind->text.substr(0, 60) + "\" is no kind of request.",
                  did_you_mean(kind->text, words, all)});
}

/// Another major version of the messages is refused.
Errors schema_problems(const JsonNode& document) {
  const JsonNode* schema = document.find("schema");
  if (schema == nullptr || !schema->is_text()) return {};
  const bool ours = schema->text == "podwright/1" || schema->text.rfind("podwright/1.", 0) == 0;
  if (ours) return {};
  return {{"out-of-range", "/schema",
           "This program reads podwright/1, the request says \"" + schema->text.substr(0, 60) + "\".",
           "Write \"schema\": \"podwright/1\"."}};
}

}  // namespace

const RequestKind* find_kind(RequestKinds kinds, std::string_view word, std::string_view type) {
  const RequestKind* usual = nullptr;
  for (const RequestKind& kind : kinds) {
    if (kind.word != word) continue;
    if (kind.type == type) return &kind;
    if (usual == nullptr) usual = &kind;
  }
  return usual;
}

std::vector<std::string> kind_words(RequestKinds kinds, bool traced) {
  std::vector<std::string> words;
  for (const RequestKind& kind : kinds)
    if ((kind.traced || !traced) && std::find(words.begin(), words.end(), kind.word) == words.end())
      words.emplace_back(kind.word);
  return words;
}

Answer answer_request(RequestKinds kinds, const Catalog& catalog, std::string_view request,
                      std::string_view default_kind) {
  const auto document = parse_json(request);
  if (!document) return wrong_input(document.error());
  if (!document->is_object())
    return wrong_input(
        {{"wrong-type", "", "A request is an object, found " + std::string(type_name(document->type)) + ".",
          "Write { \"kind\": ... }."}});
  const auto kind = kind_of(kinds, *document, default_kind);
  if (!kind) return wrong_input(kind.error());
  if (const Errors problems = schema_problems(*document); !problems.empty()) return wrong_input(problems);
  const JsonNode* calibration = document->find("calibration");
  if (calibration == nullptr || !(*kind)->takes_calibration) return (*kind)->answer(catalog, *document);
  const auto calibrated = calibrated_catalog(catalog, *calibration, "/calibration");
  if (!calibrated) return wrong_input(calibrated.error());
  return (*kind)->answer(*calibrated, *document);
}

}  // namespace podwright
