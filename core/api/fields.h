#pragma once
/// One table of fields for each request: it drives the reader, the list of assumptions and the JSON Schema.
/// A table is a function `describe(FieldVisitor&, Request&)`; the visitor reads or writes what the table names.
#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/object_reader.h"
#include "base/words.h"
#include "catalog/catalog.h"

namespace podwright {

/// Of a field that a request must have.
struct Required {
  bool holds = true;
};
inline constexpr Required kRequired;

/// Namespace of the catalog's aliases that other spellings of a word come from.
struct Aliases {
  std::string_view name;
};

struct Field {
  // Not an aggregate, so that a table names only what a field has.
  Field() = default;
  Field(std::string_view its_key, std::string_view its_help, Range its_range = {}, std::string_view source = "")
      : key(its_key), help(its_help), range(its_range), default_source(source) {}
  template <std::convertible_to<std::string_view> Text>
  Field(std::string_view its_key, std::string_view its_help, const Text& source, Aliases its_aliases = {})
      : key(its_key), help(its_help), default_source(source), aliases(its_aliases.name) {}
  Field(std::string_view its_key, std::string_view its_help, Aliases its_aliases)
      : key(its_key), help(its_help), aliases(its_aliases.name) {}
  Field(std::string_view its_key, std::string_view its_help, Required needed, Range its_range = {})
      : key(its_key), help(its_help), required(needed.holds), range(its_range) {}
  Field(std::string_view its_key, std::string_view its_help, Required needed, Aliases its_aliases)
      : key(its_key), help(its_help), required(needed.holds), aliases(its_aliases.name) {}

  std::string_view key;
  std::string_view help;  ///< meaning, one sentence without the full stop
  bool required = false;
  Range range = {};
  std::string_view default_source;  ///< why the default is what it is; one with a source is listed in `assumptions`
  std::string_view aliases;         ///< namespace of the catalog's aliases; empty: the words alone
};

constexpr Range within(double min, double max) { return {min, max}; }

/// Ranges that come again and again.
inline constexpr Range kAtLeastOne{1, 1e9};
inline constexpr Range kShare{0, 1};
inline constexpr Range kPositive{1e-9, 1e18};
inline constexpr Range kNotNegative{0, 1e18};

/// Why a default is what it is, where many fields share the reason.
inline constexpr std::string_view kNotAsked = "not requested";
inline constexpr std::string_view kPlainCase = "the plain case; set it when yours differs";

class FieldVisitor {
 public:
  FieldVisitor() = default;
  FieldVisitor(const FieldVisitor&) = delete;
  FieldVisitor& operator=(const FieldVisitor&) = delete;
  virtual ~FieldVisitor() = default;

  virtual void number(const Field& field, double& value) = 0;
  virtual void number(const Field& field, std::optional<double>& value) = 0;
  virtual void count(const Field& field, double& value) = 0;
  virtual void count(const Field& field, std::optional<double>& value) = 0;
  /// A list of counts, each in the field's range.
  virtual void counts(const Field& field, std::vector<double>& values) = 0;
  /// A list of numbers, each in the field's range; some may be equal.
  virtual void numbers(const Field& field, std::vector<double>& values) = 0;
  virtual void flag(const Field& field, bool& value) = 0;
  virtual void text(const Field& field, std::string& value) = 0;
  virtual void word(const Field& field, std::string& value, const std::vector<std::string>& words) = 0;
  virtual void words(const Field& field, std::vector<std::string>& values, const std::vector<std::string>& words) = 0;

  /// An id of the catalog or an object of the same shape.
  virtual void model(const Field& field, std::optional<Model>& value) = 0;
  virtual void gpu(const Field& field, std::optional<Gpu>& value) = 0;
  virtual void system(const Field& field, std::optional<System>& value) = 0;
  /// Ids of GPUs.
  virtual void gpus(const Field& field, std::vector<Gpu>& values) = 0;

  /// JSON text of an object that somebody else reads.
  virtual void object(const Field& field, std::optional<std::string>& value) = 0;

  /// A nested object; its fields are visited also when it is absent, so that their defaults are told. True where the
  /// request has it.
  virtual bool enter(const Field& field) = 0;
  virtual void leave() = 0;
  /// A list of objects, at most as many as the field's range says: how many the request has; then enter_item(0),
  /// leave_item(), enter_item(1) ... A schema visitor has one.
  virtual std::size_t enter_list(const Field& field) = 0;
  virtual void enter_item(std::size_t index) = 0;
  virtual void leave_item() = 0;
  virtual void leave_list() = 0;

  /// Whether the request has this key of the open object.
  virtual bool has(std::string_view) const { return false; }

  /// True for a visitor that wants the fields of every variant of an object (the schema), not of the one that a request
  /// chose.
  virtual bool all_variants() const { return false; }
  /// Fields of one form of the open object, which begin with the word that chooses it. Only where all variants are
  /// wanted.
  virtual void begin_form() {}
  virtual void end_form() {}

  /// A rule between fields: adds the error at `key` unless `holds`. Only checked while the object has no other problem.
  virtual void rule(bool holds, std::string_view key, std::string_view message, std::string_view hint) = 0;
  /// Problems between fields found elsewhere; their paths are below the open object. Taken while it has no other
  /// problem.
  virtual void problems(const Errors& errors) = 0;
};

/// The place of the word that the visitor chooses, before that of `chosen`.
std::optional<std::size_t> chosen_place(FieldVisitor& visitor, const Field& field, std::string_view chosen,
                                        std::span<const std::string_view> table);

/// The places of the words of a list that the visitor chooses; empty where it has none.
std::vector<std::size_t> chosen_places(FieldVisitor& visitor, const Field& field,
                                       std::span<const std::string_view> table);

/// A field whose value is an enumeration with a table of words.
template <class Enum, std::size_t N>
void word(FieldVisitor& visitor, const Field& field, Enum& value, const std::array<std::string_view, N>& table) {
  value = at_place<Enum>(chosen_place(visitor, field, word_of(value, table), table)).value_or(value);
}

/// One that may be absent.
template <class Enum, std::size_t N>
void word(FieldVisitor& visitor, const Field& field, std::optional<Enum>& value,
          const std::array<std::string_view, N>& table) {
  value = at_place<Enum>(chosen_place(visitor, field, value ? word_of(*value, table) : "", table));
}

/// A list of words of an enumeration; absent, it stays as it is.
template <class Enum, std::size_t N>
void describe_words(FieldVisitor& v, const Field& field, std::vector<Enum>& values,
                    const std::array<std::string_view, N>& table) {
  const std::vector<std::size_t> places = chosen_places(v, field, table);
  if (places.empty()) return;
  values.clear();
  for (const std::size_t place : places) values.push_back(static_cast<Enum>(place));
}

/// A word that chooses the form of the open object; `fields(value)` shows the fields that the object of this form has
/// beside those of all forms.
template <class Enum, std::size_t N, class Fields>
void forms(FieldVisitor& visitor, const Field& field, Enum& value, const std::array<std::string_view, N>& table,
           const Fields& fields) {
  if (!visitor.all_variants()) {
    word(visitor, field, value, table);
    return fields(value);
  }
  for (std::size_t i = 0; i < N; ++i) {
    visitor.begin_form();
    Field own = field;
    own.required = field.required || table[i] != word_of(value, table);
    std::string chosen(table[i]);
    visitor.word(own, chosen, {chosen});
    fields(static_cast<Enum>(i));
    visitor.end_form();
  }
}

/// An object that a request may leave out.
template <class Part, class Fields>
void optional_object(FieldVisitor& visitor, const Field& field, std::optional<Part>& part, const Fields& fields) {
  if (visitor.enter(field)) fields(part.emplace());
  visitor.leave();
}

/// A list of objects: `fields(item)` shows the fields of each.
template <class Item, class Fields>
void list_of(FieldVisitor& visitor, const Field& field, std::vector<Item>& items, const Fields& fields) {
  items.resize(visitor.enter_list(field));
  for (std::size_t i = 0; i < items.size(); ++i) {
    visitor.enter_item(i);
    fields(items[i]);
    visitor.leave_item();
  }
  visitor.leave_list();
}

/// What has no name is called by its place: "workload-2".
template <class Item>
void name_by_place(std::vector<Item>& items, const std::string& word) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name.empty()) items[i].name = word + "-" + std::to_string(i + 1);
}

/// A default that entered the answer.
struct Assumption {
  std::string path;
  std::string value;  ///< JSON text
  std::string source;
};
/// JSON Pointer of a default -> its source, as the trace wants it.
std::map<std::string, std::string> sources_of(const std::vector<Assumption>& assumptions);

}  // namespace podwright
