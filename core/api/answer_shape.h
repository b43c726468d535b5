#pragma once
/// The JSON Schema of an answer, collected from the tables that write it.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "api/answer_field.h"
#include "base/json_write.h"
#include "base/trace.h"

namespace podwright {

enum class AnswerType { object, number, text, flag, any };

/// A field and, of objects and lists of objects, what is inside.
struct AnswerNode {
  std::string key;
  std::string label;
  std::string help;
  std::string unit;  ///< sign
  AnswerType type = AnswerType::object;
  bool list = false;      ///< of values of this type
  bool nullable = false;  ///< the value or, of a list, each may be null
  bool required = true;
  int visits = 0;  ///< of an object: several where it has variants; what one of them lacks is not required
  int visit = 0;   ///< of the object that has the field: the last that named it
  std::vector<std::string> words;  ///< of an enumeration
  std::vector<AnswerNode> fields;
};

class AnswerShape {
 public:
  AnswerShape() { open(root_); }

  static constexpr bool real() { return false; }

  /// Fields described while it lives are not in every answer.
  class Part {
   public:
    explicit Part(AnswerShape& shape) : shape_(shape) { ++shape_.open_.back().conditions; }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part() { --shape_.open_.back().conditions; }
    explicit operator bool() const { return true; }

   private:
    AnswerShape& shape_;
  };
  Part when(bool) { return Part(*this); }

  template <class Given>
  void number(const AnswerField& field, const Given&) {
    add(field, AnswerType::number, optional<Given>());
  }
  template <class Given, class Bounds>
  void number(const AnswerField& field, const Given& value, const Bounds&) {
    number(field, value);
    add_suffixed(field, "_low", ", low");
    add_suffixed(field, "_high", ", high");
  }
  template <class Given>
  void percentiles(const AnswerField& field, const Given&) {
    for (const std::string_view suffix : kPercentileSuffixes)
      add_suffixed(field, suffix, ", " + std::string(suffix.substr(1)));
  }
  template <class Given>
  void text(const AnswerField& field, const Given&) {
    add(field, AnswerType::text, optional<Given>());
  }
  template <class Given, std::size_t N>
  void word(const AnswerField& field, const Given&, const std::array<std::string_view, N>& words) {
    AnswerNode& node = add(field, AnswerType::text, optional<Given>());
    for (const std::string_view word : words) add_word(node, word);
  }
  template <class Given>
  void flag(const AnswerField& field, const Given&) {
    add(field, AnswerType::flag, optional<Given>());
  }
  template <class Given>
  void texts(const AnswerField& field, const Given&) {
    add(field, AnswerType::text, true).list = true;
  }
  template <class Items, class Of>
  void column(const AnswerField& field, const Items&, const Of&) {
    using Cell = std::remove_cvref_t<std::invoke_result_t<const Of&, const typename Items::value_type&>>;
    add_cells(field, cell_type<typename Presence<Cell>::Value>(), Presence<Cell>::kOptional, true);
  }
  template <class Given>
  void nullable(const AnswerField& field, const std::optional<Given>&) {
    add_cells(field, AnswerType::number, true, false);
  }
  template <class Write>
  void any(const AnswerField& field, const Write&) {
    add(field, AnswerType::any, false);
  }
  void group(const AnswerField& field, const auto& body) { inside(add(field, AnswerType::object, false), body); }
  template <class Given, class Body>
  void object(const AnswerField& field, const Given&, const Body& body) {
    inside(add(field, AnswerType::object, optional<Given>()), [&] { body(ValueOf<Given>{}); });
  }
  void object(const AnswerField& field, const auto& value) {
    object(field, value, [this](const auto& known) { describe(*this, known); });
  }
  template <class Given, class Body>
  void fields(const Given&, const Body& body) {
    const Part part(*this);
    body(ValueOf<Given>{});
  }
  template <class Items, class Body>
  void list(const AnswerField& field, const Items&, const Body& body) {
    AnswerNode& node = add(field, AnswerType::object, false);
    node.list = true;
    inside(node, [&] { body(typename Items::value_type{}); });
  }
  void list(const AnswerField& field, const auto& items) {
    list(field, items, [this](const auto& item) { describe(*this, item); });
  }

  const AnswerNode& root() const { return root_; }

 private:
  template <class Given>
  static constexpr bool optional() {
    return Presence<GivenType<Given>>::kOptional;
  }
  /// A field that another variant of the object has too is one field.
  AnswerNode& add(const AnswerField& field, AnswerType type, bool optional);
  void open(AnswerNode& node);
  void close();
  void add_cells(const AnswerField& field, AnswerType type, bool nullable, bool column);
  template <class Cell>
  static constexpr AnswerType cell_type() {
    if constexpr (std::is_convertible_v<Cell, std::string_view>)
      return AnswerType::text;
    else
      return std::is_same_v<Cell, bool> ? AnswerType::flag : AnswerType::number;
  }
  /// A word that another variant has too is one word.
  static void add_word(AnswerNode& node, std::string_view word);
  void add_suffixed(const AnswerField& field, std::string_view key, std::string_view label);
  void inside(AnswerNode& node, const auto& body) {
    open(node);
    body();
    close();
  }

  struct Open {
    AnswerNode* node;
    int conditions;
  };
  AnswerNode root_;
  std::vector<Open> open_;
};

/// `properties`, `required` and `additionalProperties` of an object, as members of its schema, which is open: `title`
/// is a field's label, `unit` the sign of its unit.
void write_schema_members(JsonWriter& out, const AnswerNode& object);

}  // namespace podwright
