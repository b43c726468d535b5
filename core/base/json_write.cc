#include "base/json_write.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_pointer.h"
#include "base/number_text.h"
#include "base/result.h"

namespace podwright {

void JsonWriter::before_value() {
  if (levels_.empty() || after_key_) {
    after_key_ = false;
    return;
  }
  Level& level = levels_.back();
  PODWRIGHT_ASSERT(level.list);
  if (level.count++ > 0) out_ += ',';
}

void JsonWriter::begin_object() {
  before_value();
  out_ += '{';
  levels_.push_back({});
}

void JsonWriter::end_object() {
  out_ += '}';
  levels_.pop_back();
}

void JsonWriter::begin_list() {
  before_value();
  out_ += '[';
  levels_.push_back({.list = true, .count = 0, .key = ""});
}

void JsonWriter::end_list() {
  out_ += ']';
  levels_.pop_back();
}

void JsonWriter::key(std::string_view name) {
  Level& level = levels_.back();
  PODWRIGHT_ASSERT(!level.list && !after_key_);
  if (level.count++ > 0) out_ += ',';
  quoted(name);
  out_ += ':';
  level.key = name;
  after_key_ = true;
}

void JsonWriter::quoted(std::string_view value) {
  // Nearly every text is plain ASCII without anything to escape; the rest is the library's.
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(value.begin(), value.end(), is_plain)) {
    out_ += '"';
    out_ += value;
    out_ += '"';
    return;
  }
  out_ += nlohmann::json(std::string(value)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void JsonWriter::text(std::string_view value) {
  before_value();
  quoted(value);
}

void JsonWriter::number(double value) {
  before_value();
  out_ += shortest_number(value);
}

void JsonWriter::boolean(bool value) {
  before_value();
  out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  before_value();
  out_ += "null";
}

void JsonWriter::verbatim(std::string_view json) {
  before_value();
  out_ += json;
}

void JsonWriter::message_members(const Message& message, std::string_view key) {
  text("code", message.code);
  text(key, message.text());
  if (message.values.empty()) return;
  this->key("values");
  message_values(message);
}

void JsonWriter::message_values(const Message& message) {
  begin_object();
  for (const auto& [name, value] : message.values) {
    this->key(name);
    if (const auto* count = std::get_if<double>(&value))
      number(rounded_for_display(*count));
    else if (const auto* word = std::get_if<std::string>(&value))
      text(*word);
    else
      list(std::get<std::vector<Message>>(value));
  }
  end_object();
}

void JsonWriter::list(const std::vector<Message>& all) {
  begin_list();
  for (const Message& one : all) message(one);
  end_list();
}

namespace {
/// Conversions are rounded to 15 digits; base units are shown as they are.
double in_unit(const DisplayUnit& display, double base) {
  return display.base_units == 1.0 ? base : rounded_for_display(base / display.base_units);
}
}  // namespace

void JsonWriter::key_in_unit(std::string_view name, const DisplayUnit& display) {
  key(std::string(name) + display.suffix);
}

void JsonWriter::number_as(std::string_view whole_key, const DisplayUnit& display, double base) {
  key(whole_key);
  number_in_unit(display, base);
}

void JsonWriter::number_as(std::string_view whole_key, const DisplayUnit& display, double base, NodeId node,
                           const Dim& dim) {
  key(whole_key);
  number_in_unit(display, base, node, dim);
}

void JsonWriter::number_in_unit(const DisplayUnit& display, double base) { number(in_unit(display, base)); }

void JsonWriter::number_in_unit(const DisplayUnit& display, double base, NodeId node, const Dim& dim) {
  const double shown = in_unit(display, base);
  if (trace_ != nullptr) {
    const std::string place = pointer();
    if (node == -1) node = trace_->definition(place.substr(place.rfind('/') + 1), base, dim);
    trace_->shown(node, display, shown, place);
  }
  number(shown);
}

std::string JsonWriter::pointer() const {
  std::string path;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    // A finished or running item of a list has been counted already; the next value of the innermost list has not.
    const bool innermost = i + 1 == levels_.size();
    path += level.list ? "/" + std::to_string(innermost ? level.count : level.count - 1) : pointer_step(level.key);
  }
  return path;
}

std::string JsonWriter::take() { return std::move(out_); }

void write_trace(JsonWriter& out, const Trace& trace) {
  const std::vector<NodeId> order = trace.explained();
  std::vector<std::string> names(trace.nodes().size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto node = static_cast<std::size_t>(order[i]);
    names[node] = "n" + std::to_string(i) + ":" + trace.nodes()[node].id;
  }
  out.begin_list();
  for (const NodeId listed : order) {
    const TraceNode& node = trace.nodes()[static_cast<std::size_t>(listed)];
    out.begin_object();
    out.text("id", names[static_cast<std::size_t>(listed)]);
    write_texts(out, "at", node.at);
    out.number("value", node.value);
    out.text("unit", node.unit);
    if (!node.equation.empty()) {
      out.text("equation", node.equation);
      write_texts(out, "names", node.names);
      out.begin_list("inputs");
      for (const NodeId input : node.inputs) out.text(names[static_cast<std::size_t>(input)]);
      out.end_list();
    }
    out.text("source", node.source);
    out.end_object();
  }
  out.end_list();
}

void write_texts(JsonWriter& out, std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  out.begin_list(name);
  for (const std::string& text : texts) out.text(text);
  out.end_list();
}

}  // namespace podwright
