#include "api/answer.h"

#include <algorithm>

#include "api/answer_catalog.h"
#include "api/answer_estimate.h"
#include "api/answer_explain.h"
#include "api/answer_plan.h"
#include "api/answer_rule_of_thumb.h"
#include "api/answer_search.h"
#include "api/answer_serving_search.h"
#include "api/architecture_request.h"
#include "api/backtest.h"
#include "api/cost_request.h"
#include "api/exam_request.h"
#include "api/fabric_request.h"
#include "api/field_reader.h"
#include "api/host_calibration_text.h"
#include "api/host_request.h"
#include "api/import_request.h"
#include "api/mig_request.h"
#include "api/question_request.h"
#include "api/requests.h"
#include "base/json_write.h"
#include "base/nearest.h"

namespace podwright {
namespace {

/// Reads the request through its table and hands it on when it has no problem.
template <class Request, class AnswerRequest>
Answer read_and_answer(const Catalog& catalog, const JsonNode& document, AnswerRequest answer_it) {
  ErrorList errors;
  Request request;
  FieldReader reader(document, catalog, errors);
  describe(reader, catalog, request);
  reader.finish();
  if (!errors.empty()) return wrong_input(errors.take());
  return answer_it(request, reader.assumptions());
}

/// The kind of a document, or the problem with it.
Result<std::string> kind_of(const JsonNode& document, std::string_view default_kind) {
  const JsonNode* kind = document.find("kind");
  if (kind == nullptr && !default_kind.empty()) return std::string(default_kind);
  const std::string kinds = "Kinds: " + joined(request_kinds()) + ".";
  if (kind == nullptr) return failure({"missing", "/kind", "\"kind\" is missing: what is asked.", kinds});
  if (!kind->is_text())
    return failure(
        {"wrong-type", "/kind", "\"kind\" must be text, found " + std::string(type_name(kind->type)) + ".", kinds});
  if (std::find(request_kinds().begin(), request_kinds().end(), kind->text) != request_kinds().end()) return kind->text;
  return failure({"out-of-range", "/kind", "\"" + kind->text.substr(0, 60) + "\" is no kind of request.",
                  did_you_mean(kind->text, request_kinds(), kinds)});
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

Answer wrong_input(const Errors& errors) {
  const bool not_built =
      std::all_of(errors.begin(), errors.end(), [](const Error& e) { return e.code == "not-built"; });
  return {errors_json(errors), not_built ? Outcome::not_built : Outcome::wrong_input};
}

std::string errors_json(const Errors& errors) {
  const auto write = [](JsonWriter& out, const Error& error) {
    out.begin_object();
    out.text("code", error.code);
    out.text("path", error.path);
    out.text("message", error.message);
    out.text("hint", error.hint);
    out.end_object();
  };
  JsonWriter out;
  out.begin_object();
  out.begin_list("errors");
  for (const Error& error : errors) write(out, error);
  out.end_list();
  if (!errors.empty()) {
    out.key("error");
    write(out, errors.front());
  }
  out.end_object();
  return out.take();
}

std::string_view version() { return PODWRIGHT_VERSION; }

namespace {

/// The answer to a request of a known kind. `document` is an object.
Answer answer_kind(const Catalog& catalog, const JsonNode& document, std::string_view kind);

}  // namespace

Answer answer_request(const Catalog& catalog, std::string_view request, std::string_view default_kind) {
  const auto document = parse_json(request);
  if (!document) return wrong_input(document.error());
  if (!document->is_object())
    return wrong_input(
        {{"wrong-type", "", "A request is an object, found " + std::string(type_name(document->type)) + ".",
          "Write { \"kind\": ... }."}});
  const auto kind = kind_of(*document, default_kind);
  if (!kind) return wrong_input(kind.error());
  if (const Errors problems = schema_problems(*document); !problems.empty()) return wrong_input(problems);
  const JsonNode* calibration = document->find("calibration");
  if (calibration == nullptr || !takes_calibration(*kind)) return answer_kind(catalog, *document, *kind);
  const auto calibrated = calibrated_catalog(catalog, *calibration, "/calibration");
  if (!calibrated) return wrong_input(calibrated.error());
  return answer_kind(*calibrated, *document, *kind);
}

namespace {

Answer answer_kind(const Catalog& catalog, const JsonNode& document, std::string_view kind) {
  if (kind == "training")
    return read_and_answer<TrainingRequest>(catalog, document, [&](const TrainingRequest& r, const auto& assumed) {
      return answer_training(catalog, document, r, assumed);
    });
  if (kind == "serving")
    return read_and_answer<ServingRequest>(catalog, document, [&](const ServingRequest& r, const auto& assumed) {
      return answer_serving(catalog, document, r, assumed);
    });
  if (kind == "plan")
    return read_and_answer<PlanRequest>(catalog, document, [&](const PlanRequest& r, const auto& assumed) {
      return answer_plan(catalog, document, r, assumed);
    });
  if (kind == "backtest")
    return read_and_answer<BacktestRequest>(catalog, document, [&](const BacktestRequest& r, const auto& assumed) {
      return answer_backtest(catalog, r, assumed);
    });
  if (kind == "explain")
    return read_and_answer<ExplainRequest>(catalog, document, [&](const ExplainRequest& r, const auto& assumed) {
      return answer_explain(catalog, r, assumed);
    });
  const JsonNode* type = document.find("type");
  if (kind == "search" && type != nullptr && type->text == "serving")
    return read_and_answer<ServingSearchRequest>(catalog, document,
                                                 [&](const ServingSearchRequest& r, const auto& assumed) {
                                                   return answer_serving_search(catalog, document, r, assumed);
                                                 });
  if (kind == "search")
    return read_and_answer<SearchRequest>(catalog, document, [&](const SearchRequest& r, const auto& assumed) {
      return answer_search(catalog, document, r, assumed);
    });
  if (kind == "fabric")
    return read_and_answer<FabricRequest>(catalog, document, [&](const FabricRequest& r, const auto& assumed) {
      return answer_fabric(catalog, document, r, assumed);
    });
  if (kind == "cost")
    return read_and_answer<CostRequest>(catalog, document, [&](const CostRequest& r, const auto& assumed) {
      return answer_cost(catalog, document, r, assumed);
    });
  if (kind == "architecture")
    return read_and_answer<ArchitectureRequest>(catalog, document,
                                                [&](const ArchitectureRequest& r, const auto& assumed) {
                                                  return answer_architecture(catalog, document, r, assumed);
                                                });
  if (kind == "mig")
    return read_and_answer<MigRequest>(
        catalog, document, [&](const MigRequest& r, const auto& assumed) { return answer_mig(catalog, r, assumed); });
  if (kind == "calibrate")
    return read_and_answer<CalibrateRequest>(catalog, document, [&](const CalibrateRequest& r, const auto& assumed) {
      return answer_calibrate(catalog, r, assumed);
    });
  if (kind == "verify")
    return read_and_answer<VerifyRequest>(catalog, document, [&](const VerifyRequest& r, const auto& assumed) {
      return answer_verify(catalog, r, assumed);
    });
  if (kind == "import")
    return read_and_answer<ImportRequest>(catalog, document, [&](const ImportRequest& r, const auto& assumed) {
      return answer_import(catalog, r, assumed);
    });
  if (kind == "rule_of_thumb")
    return read_and_answer<RuleOfThumbRequest>(
        catalog, document,
        [&](const RuleOfThumbRequest& r, const auto& assumed) { return answer_rule_of_thumb(catalog, r, assumed); });
  if (kind == "exam")
    return read_and_answer<ExamRequest>(
        catalog, document, [&](const ExamRequest& r, const auto& assumed) { return answer_exam(catalog, r, assumed); });
  if (kind == "question")
    return read_and_answer<QuestionRequest>(catalog, document, [&](const QuestionRequest& r, const auto& assumed) {
      return answer_question(catalog, r, assumed);
    });
  return read_and_answer<CatalogRequest>(
      catalog, document, [&](const CatalogRequest& r, const auto&) { return answer_catalog(catalog, r); });
}

}  // namespace

std::string answer(std::string_view request) { return answer_request(embedded_catalog_facts(), request).text; }

}  // namespace podwright
