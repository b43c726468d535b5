#pragma once
/// JSON text written front to back. The writer knows where it stands, so that every number written from a traced value
/// tells the trace at which JSON Pointer the answer shows it, and appends its unit to the key.
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "base/trace.h"
#include "base/units.h"

namespace podwright {

class JsonWriter {
 public:
  /// `trace` learns where its numbers are shown; it must outlive the writer.
  explicit JsonWriter(Trace* trace = nullptr) : trace_(trace) {}

  void begin_object();
  void end_object();
  void begin_list();
  void end_list();
  void key(std::string_view name);

  void text(std::string_view value);
  /// `value` must be finite.
  void number(double value);
  void boolean(bool value);
  void null();
  /// JSON text made elsewhere.
  void verbatim(std::string_view json);

  void begin_object(std::string_view name) { key(name), begin_object(); }
  void begin_list(std::string_view name) { key(name), begin_list(); }
  void text(std::string_view name, std::string_view value) { key(name), text(value); }
  void number(std::string_view name, double value) { key(name), number(value); }
  void boolean(std::string_view name, bool value) { key(name), boolean(value); }

  /// `"code"`, `key` with the English sentence, and `"values"` where it has any.
  void message_members(const Message& message, std::string_view key = "message");
  /// Name by name: numbers, texts, and lists of the messages inside.
  void message_values(const Message& message);
  void message(const Message& message) { begin_object(), message_members(message), end_object(); }
  void message(std::string_view name, const Message& one) { key(name), message(one); }
  void messages(std::string_view name, const std::vector<Message>& all) { key(name), list(all); }

  /// Writes `"<name><suffix of display>": <value in display units>` and tells the trace.
  template <class T>
  void quantity(std::string_view name, const DisplayUnit& display, const T& known) {
    key_in_unit(name, display);
    quantity_value(display, known);
  }
  /// The same with the key as it is: `requests_per_s` and other names that end in their unit in their own way.
  template <class T>
  void quantity_as(std::string_view whole_key, const DisplayUnit& display, const Traced<T>& known) {
    number_as(whole_key, display, raw(known.value), known.node, DimOf<T>::value);
  }
  template <class T>
  void quantity_as(std::string_view whole_key, const DisplayUnit& display, const T& known) {
    number_as(whole_key, display, raw(known));
  }
  template <class T>
  void quantity_value(const DisplayUnit& display, const Traced<T>& known) {
    number_in_unit(display, raw(known.value), known.node, DimOf<T>::value);
  }
  template <class T>
  void quantity_value(const DisplayUnit& display, const T& known) {
    number_in_unit(display, raw(known));
  }

  /// JSON Pointer of the place where the next value goes.
  std::string pointer() const;
  std::string take();

 private:
  void key_in_unit(std::string_view name, const DisplayUnit& display);
  // Functions of plain numbers, so that what a template adds at each of a thousand calls is small.
  void number_as(std::string_view whole_key, const DisplayUnit& display, double base);
  void number_as(std::string_view whole_key, const DisplayUnit& display, double base, NodeId node, const Dim& dim);
  void number_in_unit(const DisplayUnit& display, double base);
  /// `node` -1: a literal, which the trace takes for a definition named by its key.
  void number_in_unit(const DisplayUnit& display, double base, NodeId node, const Dim& dim);
  struct Level {
    bool list = false;
    int count = 0;
    std::string key;
  };
  void before_value();
  void list(const std::vector<Message>& all);
  void quoted(std::string_view value);

  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
  Trace* trace_;
};

/// Writes what the shown numbers stand on as the contract's list `trace`.
void write_trace(JsonWriter& out, const Trace& trace);

/// A list of texts, where there are any.
void write_texts(JsonWriter& out, std::string_view name, const std::vector<std::string>& texts);

}  // namespace podwright
