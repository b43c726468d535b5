#include "cli/request_fields.h"

#include <algorithm>
#include <optional>

#include "api/fields.h"
#include "api/kinds.h"
#include "base/json_pointer.h"

namespace podwright::cli {
namespace {

/// Collects the fields that a table names.
class FieldCollector : public FieldVisitor {
 public:
  FieldCollector(std::string form, std::vector<RequestField>& fields) : fields_(fields) {
    forms_.push_back(std::move(form));
  }

  void number(const Field& field, double&) override { add(field, FieldValue::number); }
  void number(const Field& field, std::optional<double>&) override { add(field, FieldValue::number); }
  void count(const Field& field, double&) override { add(field, FieldValue::count); }
  void count(const Field& field, std::optional<double>&) override { add(field, FieldValue::count); }
  void counts(const Field& field, std::vector<double>&) override { add(field, FieldValue::numbers); }
  void numbers(const Field& field, std::vector<double>&) override { add(field, FieldValue::numbers); }
  void flag(const Field& field, bool&) override { add(field, FieldValue::flag); }
  void text(const Field& field, std::string&) override { add(field, FieldValue::text); }
  void word(const Field& field, std::string&, const std::vector<std::string>& words) override {
    if (choosing_) {
      forms_.back() = words.front();
      choosing_ = false;
    }
    // The word that chooses a form is one field with the words of all forms.
    const std::string pointer = place_ + pointer_step(field.key);
    const auto same = std::find_if(fields_.begin(), fields_.end(), [&](const RequestField& one) {
      return one.pointer == pointer && words.size() == 1 && one.value == FieldValue::word;
    });
    if (same == fields_.end()) return add(field, FieldValue::word, words);
    same->form.clear();
    if (std::find(same->words.begin(), same->words.end(), words.front()) == same->words.end())
      same->words.push_back(words.front());
  }
  void words(const Field& field, std::vector<std::string>&, const std::vector<std::string>& words) override {
    add(field, FieldValue::words, words);
  }
  void model(const Field& field, std::optional<Model>&) override { add(field, FieldValue::model); }
  void gpu(const Field& field, std::optional<Gpu>&) override { add(field, FieldValue::item); }
  void system(const Field& field, std::optional<System>&) override { add(field, FieldValue::item); }
  void gpus(const Field& field, std::vector<Gpu>&) override { add(field, FieldValue::items); }
  void object(const Field& field, std::optional<std::string>&) override { add(field, FieldValue::object); }
  bool enter(const Field& field) override {
    open(pointer_step(field.key));
    return true;
  }
  void leave() override { close(); }
  std::size_t enter_list(const Field& field) override {
    open(pointer_step(field.key) + "/0");
    return 1;
  }
  void enter_item(std::size_t) override {}
  void leave_item() override {}
  void leave_list() override { close(); }
  bool all_variants() const override { return true; }
  void begin_form() override {
    forms_.push_back(forms_.back());
    choosing_ = true;
  }
  void end_form() override { forms_.pop_back(); }
  void rule(bool, std::string_view, std::string_view, std::string_view) override {}
  void problems(const Errors&) override {}

 private:
  void add(const Field& field, FieldValue value, const std::vector<std::string>& words = {}) {
    fields_.push_back({.pointer = place_ + pointer_step(field.key),
                       .form = forms_.back(),
                       .value = value,
                       .key = std::string(field.key),
                       .help = std::string(field.help),
                       .range = field.range,
                       .words = words});
  }
  void open(const std::string& steps) {
    sizes_.push_back(place_.size());
    place_ += steps;
  }
  void close() {
    place_.resize(sizes_.back());
    sizes_.pop_back();
  }

  std::vector<RequestField>& fields_;
  std::string place_;
  std::vector<std::size_t> sizes_;  ///< of the place outside each open object
  std::vector<std::string> forms_;
  bool choosing_ = false;  ///< the next word chooses the form that has begun
};

}  // namespace

std::vector<RequestField> fields_of_command(const Catalog& catalog, std::string_view verb) {
  std::vector<const RequestKind*> kinds;
  for (const RequestKind& kind : request_kinds())
    if (kind.verb == verb) kinds.push_back(&kind);
  std::vector<RequestField> fields;
  for (const RequestKind* kind : kinds) {
    const std::string_view form = kinds.size() == 1 ? "" : kind->type.empty() ? kind->word : kind->type;
    FieldCollector collector{std::string(form), fields};
    kind->describe(collector, catalog);
  }
  return fields;
}

const RequestField* find_field(const std::vector<RequestField>& fields, std::string_view form,
                               std::string_view pointer) {
  const RequestField* found = nullptr;
  for (const RequestField& field : fields) {
    if (field.pointer != pointer) continue;
    if (field.form == form) return &field;
    if (found == nullptr) found = &field;
  }
  return found;
}

}  // namespace podwright::cli
