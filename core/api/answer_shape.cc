#include "api/answer_shape.h"

#include <algorithm>

#include "base/result.h"
#include "base/words.h"

namespace podwright {
namespace {

void write_type(JsonWriter& out, const AnswerNode& node) {
  constexpr std::array<std::string_view, 4> kWords{"object", "number", "string", "boolean"};
  if (node.type == AnswerType::any) return;
  const std::string_view word = word_of(node.type, kWords);
  if (!node.nullable) return out.text("type", word);
  out.begin_list("type");
  out.text(word);
  out.text("null");
  out.end_list();
}

void write_node(JsonWriter& out, const AnswerNode& node) {
  out.begin_object();
  if (!node.label.empty()) out.text("title", node.label);
  if (!node.help.empty()) out.text("description", node.help);
  if (!node.unit.empty()) out.text("unit", node.unit);
  if (node.list) {
    out.text("type", "array");
    out.begin_object("items");
  }
  write_type(out, node);
  write_texts(out, "enum", node.words);
  if (node.type == AnswerType::object) write_schema_members(out, node);
  if (node.list) out.end_object();
  out.end_object();
}

}  // namespace

void write_schema_members(JsonWriter& out, const AnswerNode& object) {
  out.begin_object("properties");
  for (const AnswerNode& field : object.fields) {
    out.key(field.key);
    write_node(out, field);
  }
  out.end_object();
  out.begin_list("required");
  for (const AnswerNode& field : object.fields)
    if (field.required) out.text(field.key);
  out.end_list();
  out.boolean("additionalProperties", false);
}

AnswerNode& AnswerShape::add(const AnswerField& field, AnswerType type, bool optional) {
  const Open& parent = open_.back();
  const bool required = !optional && parent.conditions == 0;
  std::vector<AnswerNode>& fields = parent.node->fields;
  const auto same = std::find_if(fields.begin(), fields.end(), [&](const auto& node) { return node.key == field.key; });
  const int visits = parent.node->visits;
  if (same != fields.end()) {
    PODWRIGHT_ASSERT(same->type == type);
    same->required = same->visit == visits ? same->required || required : same->required && required;
    same->visit = visits;
    return *same;
  }
  AnswerNode& node = fields.emplace_back();
  node.key = field.key;
  node.label = field.label;
  node.help = field.help;
  if (type == AnswerType::number) node.unit = field.unit.sign;
  node.type = type;
  node.required = required && visits == 1;
  node.visit = visits;
  return node;
}

void AnswerShape::open(AnswerNode& node) {
  ++node.visits;
  open_.push_back({&node, 0});
}

void AnswerShape::close() {
  AnswerNode& node = *open_.back().node;
  open_.pop_back();
  for (AnswerNode& field : node.fields)
    if (field.visit != node.visits) field.required = false;
}

void AnswerShape::add_cells(const AnswerField& field, AnswerType type, bool nullable, bool column) {
  AnswerNode& node = add(field, type, false);
  node.list = column;
  node.nullable = nullable;
}

void AnswerShape::add_word(AnswerNode& node, std::string_view word) {
  if (std::find(node.words.begin(), node.words.end(), word) == node.words.end()) node.words.emplace_back(word);
}

void AnswerShape::add_suffixed(const AnswerField& field, std::string_view key, std::string_view label) {
  const std::string whole = std::string(field.key).append(key);
  const std::string words = field.label.empty() ? "" : std::string(field.label).append(label);
  add({whole, words, field.unit}, AnswerType::number, true);
}

}  // namespace podwright
