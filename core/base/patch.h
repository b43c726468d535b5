#pragma once
/// Changes of a request that a way out offers.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_read.h"

namespace podwright {

/// Values that a request is given at JSON Pointers; outsiders see one JSON Merge Patch (RFC 7396).
class Patch {
 public:
  Patch() = default;
  template <class Value>
  Patch(std::string_view at, Value&& value) {
    set(at, std::forward<Value>(value));
  }

  Patch& set(std::string_view at, double number);
  Patch& set(std::string_view at, int number) { return set(at, static_cast<double>(number)); }
  Patch& set(std::string_view at, bool flag);
  Patch& set(std::string_view at, std::string_view text);
  Patch& set(std::string_view at, const char* text) { return set(at, std::string_view(text)); }
  Patch& set(std::string_view at, const std::string& text) { return set(at, std::string_view(text)); }
  Patch& set(std::string_view at, const std::vector<std::string>& texts);
  Patch& set(std::string_view at, const std::vector<double>& numbers);
  Patch& set(std::string_view at, JsonNode value);
  /// The field is left out.
  Patch& clear(std::string_view at);

  /// Both; `other` has the last word.
  Patch and_also(const Patch& other) const;
  /// The same changes of the object at this pointer.
  Patch below(std::string_view at) const;
  /// Does it change this field, or one inside it?
  bool changes(std::string_view at) const;
  /// The pointer of the first change.
  std::string_view first() const { return changes_.empty() ? std::string_view() : changes_.front().first; }

  /// As a merge patch of `document`. Those replace lists whole: where a pointer leads into a list of the document, the
  /// other items are repeated.
  JsonNode merge_patch(const JsonNode& document = {}) const;
  /// As text, which is the same for every document without lists on its way.
  std::string text() const { return json_text(merge_patch()); }
  /// The patch with the lists of `document` that it leads into, whole.
  Patch of(const JsonNode& document) const;

 private:
  std::vector<std::pair<std::string, JsonNode>> changes_;
};

}  // namespace podwright
