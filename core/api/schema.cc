#include "api/schema.h"

#include <limits>

#include "api/architecture_request.h"
#include "api/backtest.h"
#include "api/cost_request.h"
#include "api/exam_request.h"
#include "api/fabric_request.h"
#include "api/host_request.h"
#include "api/import_request.h"
#include "api/mig_request.h"
#include "api/question_request.h"
#include "api/request_explain.h"
#include "api/requests.h"
#include "api/search_request.h"
#include "base/json_write.h"
#include "base/number_text.h"

namespace podwright {
namespace {

/// Collects the properties of the open objects as JSON text.
class SchemaWriter : public FieldVisitor {
 public:
  SchemaWriter() { levels_.push_back({}); }

  void number(const Field& field, double& value) override { numeric(field, "number", default_of(field, value)); }
  void number(const Field& field, std::optional<double>&) override { numeric(field, "number", ""); }
  void count(const Field& field, double& value) override { numeric(field, "integer", default_of(field, value)); }
  void count(const Field& field, std::optional<double>&) override { numeric(field, "integer", ""); }
  void counts(const Field& field, std::vector<double>&) override {
    JsonWriter out = property(field);
    out.text("type", "array");
    out.begin_object("items");
    out.text("type", "integer");
    out.number("minimum", field.range.min);
    out.number("maximum", field.range.max);
    out.end_object();
    add(field, out);
  }
  void flag(const Field& field, bool& value) override {
    JsonWriter out = property(field);
    out.text("type", "boolean");
    if (!field.required) out.boolean("default", value);
    add(field, out);
  }
  void text(const Field& field, std::string& value) override {
    JsonWriter out = property(field);
    out.text("type", "string");
    if (!field.required && !value.empty()) out.text("default", value);
    add(field, out);
  }
  void word(const Field& field, std::string& value, const std::vector<std::string>& words) override {
    JsonWriter out = property(field);
    enumeration(out, words);
    if (!field.required && !value.empty() && words.size() > 1) out.text("default", value);
    add(field, out);
  }
  void words(const Field& field, std::vector<std::string>&, const std::vector<std::string>& words) override {
    JsonWriter out = property(field);
    out.text("type", "array");
    out.begin_object("items");
    enumeration(out, words);
    out.end_object();
    add(field, out);
  }
  void model(const Field& field, std::optional<Model>&) override { item(field); }
  void gpu(const Field& field, std::optional<Gpu>&) override { item(field); }
  void system(const Field& field, std::optional<System>&) override { item(field); }
  void gpus(const Field& field, std::vector<Gpu>&) override {
    JsonWriter out = property(field);
    out.text("type", "array");
    out.begin_object("items");
    id_or_object(out);
    out.end_object();
    add(field, out);
  }
  void object(const Field& field, std::optional<std::string>&) override {
    JsonWriter out = property(field);
    out.begin_list("type");
    out.text("object");
    out.end_list();
    add(field, out);
  }
  void not_built(std::string_view) override {}
  bool enter(const Field& field) override {
    levels_.push_back({.field = field, .list = false, .properties = "", .required = {}});
    return true;
  }
  void leave() override {
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    JsonWriter out = property(level.field);
    if (level.list) {
      out.text("type", "array");
      out.begin_object("items");
    }
    object(out, level.properties, level.required);
    if (level.list) out.end_object();
    add(level.field, out);
  }
  std::size_t enter_list(const Field& field) override {
    levels_.push_back({.field = field, .list = true, .properties = "", .required = {}});
    return 1;
  }
  void enter_item(std::size_t) override {}
  void leave_item() override {}
  void leave_list() override { leave(); }
  bool all_variants() const override { return true; }
  void rule(bool, std::string_view, std::string_view, std::string_view) override {}
  void problems(const Errors&) override {}

  std::string take(std::string_view kind) {
    JsonWriter out;
    out.begin_object();
    out.text("$schema", "https://json-schema.org/draft/2020-12/schema");
    out.text("title", "Podwright request: " + std::string(kind));
    object(out, levels_.back().properties, levels_.back().required);
    out.end_object();
    return out.take();
  }

 private:
  struct Level {
    Field field;
    bool list = false;
    std::string properties;
    std::vector<std::string> required;
  };

  /// A start value outside the legal range only says that the request must give one.
  static std::string default_of(const Field& field, double value) {
    return value >= field.range.min && value <= field.range.max ? shortest_number(value) : "";
  }
  static JsonWriter property(const Field& field) {
    JsonWriter out;
    out.begin_object();
    out.text("description", field.help);
    return out;
  }
  void add(const Field& field, JsonWriter& out) {
    out.end_object();
    Level& level = levels_.back();
    JsonWriter key;
    key.text(field.key);
    level.properties += (level.properties.empty() ? "" : ",") + key.take() + ":" + out.take();
    if (field.required) level.required.emplace_back(field.key);
  }
  void numeric(const Field& field, std::string_view type, const std::string& default_json) {
    JsonWriter out = property(field);
    out.text("type", type);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (field.range.min > -kInfinity) out.number("minimum", field.range.min);
    if (field.range.max < kInfinity) out.number("maximum", field.range.max);
    if (!field.required && !default_json.empty()) {
      out.key("default");
      out.verbatim(default_json);
    }
    add(field, out);
  }
  static void enumeration(JsonWriter& out, const std::vector<std::string>& words) {
    out.begin_list("enum");
    for (const std::string& word : words) out.text(word);
    out.end_list();
  }
  static void id_or_object(JsonWriter& out) {
    out.begin_list("type");
    out.text("string");
    out.text("object");
    out.end_list();
  }
  void item(const Field& field) {
    JsonWriter out = property(field);
    id_or_object(out);
    add(field, out);
  }
  static void object(JsonWriter& out, const std::string& properties, const std::vector<std::string>& required) {
    out.text("type", "object");
    out.key("properties");
    out.verbatim("{" + properties + "}");
    if (!required.empty()) {
      out.begin_list("required");
      for (const std::string& key : required) out.text(key);
      out.end_list();
    }
    out.boolean("additionalProperties", false);
  }

  std::vector<Level> levels_;
};

template <class Request>
std::string schema_of(const Catalog& catalog, std::string_view kind) {
  SchemaWriter writer;
  Request request;
  describe(writer, catalog, request);
  return writer.take(kind);
}

}  // namespace

std::string request_schema(const Catalog& catalog, std::string_view kind) {
  if (kind == "training") return schema_of<TrainingRequest>(catalog, kind);
  if (kind == "serving") return schema_of<ServingRequest>(catalog, kind);
  if (kind == "plan") return schema_of<PlanRequest>(catalog, kind);
  if (kind == "search") return schema_of<SearchRequest>(catalog, kind);
  if (kind == "catalog") return schema_of<CatalogRequest>(catalog, kind);
  if (kind == "backtest") return schema_of<BacktestRequest>(catalog, kind);
  if (kind == "explain") return schema_of<ExplainRequest>(catalog, kind);
  if (kind == "architecture") return schema_of<ArchitectureRequest>(catalog, kind);
  if (kind == "fabric") return schema_of<FabricRequest>(catalog, kind);
  if (kind == "cost") return schema_of<CostRequest>(catalog, kind);
  if (kind == "mig") return schema_of<MigRequest>(catalog, kind);
  if (kind == "calibrate") return schema_of<CalibrateRequest>(catalog, kind);
  if (kind == "verify") return schema_of<VerifyRequest>(catalog, kind);
  if (kind == "import") return schema_of<ImportRequest>(catalog, kind);
  if (kind == "rule_of_thumb") return schema_of<RuleOfThumbRequest>(catalog, kind);
  if (kind == "exam") return schema_of<ExamRequest>(catalog, kind);
  if (kind == "question") return schema_of<QuestionRequest>(catalog, kind);
  return "";
}

}  // namespace podwright
