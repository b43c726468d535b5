#include "api/schema.h"

#include <deque>
#include <limits>

#include "api/answer_writer.h"
#include "api/kinds.h"
#include "base/append.h"
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
  void counts(const Field& field, std::vector<double>&) override { numeric_list(field, "integer"); }
  void numbers(const Field& field, std::vector<double>&) override { numeric_list(field, "number"); }
  void flag(const Field& field, bool& value) override {
    add(field, [&](JsonWriter& out) {
      out.text("type", "boolean");
      if (!field.required) out.boolean("default", value);
    });
  }
  void text(const Field& field, std::string& value) override {
    add(field, [&](JsonWriter& out) {
      out.text("type", "string");
      if (!field.required && !value.empty()) out.text("default", value);
    });
  }
  void word(const Field& field, std::string& value, const std::vector<std::string>& words) override {
    add(field, [&](JsonWriter& out) {
      enumeration(out, words);
      if (!field.required && !value.empty() && words.size() > 1) out.text("default", value);
    });
  }
  void words(const Field& field, std::vector<std::string>&, const std::vector<std::string>& words) override {
    add_list(field, [&](JsonWriter& out) { enumeration(out, words); });
  }
  void model(const Field& field, std::optional<Model>&) override { add(field, id_or_object); }
  void gpu(const Field& field, std::optional<Gpu>&) override { add(field, id_or_object); }
  void system(const Field& field, std::optional<System>&) override { add(field, id_or_object); }
  void gpus(const Field& field, std::vector<Gpu>&) override { add_list(field, id_or_object); }
  void object(const Field& field, std::optional<std::string>&) override {
    add(field, [](JsonWriter& out) { write_texts(out, "type", {"object"}); });
  }
  bool enter(const Field& field) override {
    levels_.push_back({.field = field});
    return true;
  }
  void leave() override {
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    const auto write = [&](JsonWriter& out) { object(out, level); };
    level.list ? add_list(level.field, write, level.field.range.max) : add(level.field, write);
  }
  std::size_t enter_list(const Field& field) override {
    levels_.push_back({.field = field, .list = true});
    return 1;
  }
  void enter_item(std::size_t) override {}
  void leave_item() override {}
  void leave_list() override { leave(); }
  bool all_variants() const override { return true; }
  void begin_form() override { levels_.push_back({}); }
  void end_form() override {
    Level form = std::move(levels_.back());
    levels_.pop_back();
    levels_.back().forms.push_back(std::move(form));
  }
  void rule(bool, std::string_view, std::string_view, std::string_view) override {}
  void problems(const Errors&) override {}

  /// Members of the object that was described.
  void write(JsonWriter& out) const { object(out, levels_.back()); }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Level {
    Field field;
    bool list = false;
    std::string properties;
    std::vector<std::string> required;
    std::vector<Level> forms;
  };

  /// A start value outside the legal range only says that the request must give one.
  static std::string default_of(const Field& field, double value) {
    return value >= field.range.min && value <= field.range.max ? shortest_number(value) : "";
  }
  void add(const Field& field, const auto& write) {
    JsonWriter out;
    out.begin_object();
    out.text("description", field.help);
    write(out);
    out.end_object();
    Level& level = levels_.back();
    JsonWriter key;
    key.text(field.key);
    level.properties += (level.properties.empty() ? "" : ",") + key.take() + ":" + out.take();
    if (field.required) level.required.emplace_back(field.key);
  }
  /// A list of what `write` describes.
  void add_list(const Field& field, const auto& write, double most = kInfinity) {
    add(field, [&](JsonWriter& out) {
      out.text("type", "array");
      out.begin_object("items");
      write(out);
      out.end_object();
      if (most < kInfinity) out.number("maxItems", most);
    });
  }
  void numeric_list(const Field& field, std::string_view type) {
    add_list(field, [&](JsonWriter& out) {
      out.text("type", type);
      out.number("minimum", field.range.min);
      out.number("maximum", field.range.max);
    });
  }
  void numeric(const Field& field, std::string_view type, const std::string& default_json) {
    add(field, [&](JsonWriter& out) {
      out.text("type", type);
      if (field.range.min > -kInfinity) out.number("minimum", field.range.min);
      if (field.range.max < kInfinity) out.number("maximum", field.range.max);
      if (field.required || default_json.empty()) return;
      out.key("default");
      out.verbatim(default_json);
    });
  }
  static void enumeration(JsonWriter& out, const std::vector<std::string>& words) {
    out.begin_list("enum");
    for (const std::string& word : words) out.text(word);
    out.end_list();
  }
  static void id_or_object(JsonWriter& out) { write_texts(out, "type", {"string", "object"}); }
  static void object(JsonWriter& out, const Level& level) {
    if (level.forms.empty()) return one_form(out, level.properties, level.required);
    out.begin_list("oneOf");
    for (const Level& form : level.forms) {
      std::vector<std::string> required = level.required;
      append(required, form.required);
      out.begin_object();
      one_form(out, level.properties + (level.properties.empty() ? "" : ",") + form.properties, required);
      out.end_object();
    }
    out.end_list();
  }
  static void one_form(JsonWriter& out, const std::string& properties, const std::vector<std::string>& required) {
    out.text("type", "object");
    out.key("properties");
    out.verbatim("{" + properties + "}");
    write_texts(out, "required", required);
    out.boolean("additionalProperties", false);
  }

  std::vector<Level> levels_;
};

}  // namespace

void write_request_schema(JsonWriter& out, const Catalog& catalog, std::string_view word) {
  std::deque<SchemaWriter> forms;
  for (const RequestKind& kind : request_kinds())
    if (kind.word == word) kind.describe(forms.emplace_back(), catalog);
  out.text("title", "Podwright request: " + std::string(word));
  if (forms.size() == 1) return forms.front().write(out);
  out.begin_list("oneOf");
  for (const SchemaWriter& form : forms) {
    out.begin_object();
    form.write(out);
    out.end_object();
  }
  out.end_list();
}

std::string request_schema(const Catalog& catalog, std::string_view word) {
  if (find_kind(request_kinds(), word) == nullptr) return "";
  JsonWriter out;
  out.begin_object();
  out.text("$schema", kSchemaDialect);
  write_request_schema(out, catalog, word);
  out.end_object();
  return out.take();
}

std::string kinds_json() {
  return written_answer(nullptr, true,
                        [](AnswerWriter& v) {
                          v.list({"kinds"}, request_kinds(), [&](const RequestKind& kind) {
                            v.text({"kind"}, kind.word);
                            v.text({"type"}, unless_empty(kind.type));
                            v.text({"verb"}, kind.verb);
                            v.text({"example"}, kind.example);
                            v.text({"help"}, kind.help);
                            v.flag({"takes_calibration"}, kind.takes_calibration);
                          });
                        })
      .text;
}

}  // namespace podwright
