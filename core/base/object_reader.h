#pragma once
/// Checked reading of one JSON object: every problem is kept, with its path and in the order of the text.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"
#include "base/result.h"

namespace podwright {

/// Problems in the order of the text that has them; behind the first kMostErrors they are only counted.
class ErrorList {
 public:
  /// `order` is the node's place in the document.
  void add(int order, Error error) { keep({order, -1, std::move(error)}); }
  /// A problem of an object as a whole, such as a missing key: stands behind everything inside the object.
  void add_at_end(const JsonNode& object, Error error) { keep({object.last, object.order, std::move(error)}); }
  /// So many more of which nothing is kept.
  void add_unsaid(std::size_t more) { count_ += more; }
  /// No more are kept.
  bool full() const { return entries_.size() >= kMostErrors; }
  bool empty() const { return count_ == 0; }
  /// Of all that were added.
  std::size_t size() const { return count_; }
  Errors take();

 private:
  struct Entry {
    int order;
    int opened;  ///< where the object begins at whose end the problem stands; -1 for a problem at a value
    Error error;
  };
  void keep(Entry entry) {
    ++count_;
    if (!full()) entries_.push_back(std::move(entry));
  }
  std::vector<Entry> entries_;
  std::size_t count_ = 0;
};

/// Legal values of a number, both ends included.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};
/// "1 to 8", "at least 1", "any number"
std::string range_text(Range range);

class ObjectReader {
 public:
  /// A node that is not an object is one error; everything read from it is then absent without further errors.
  ObjectReader(const JsonNode& node, std::string path, ErrorList& errors);

  /// The value of a key, which becomes known; null when absent (an explicit null is a wrong type of whatever reads it).
  const JsonNode* find(std::string_view key);
  bool has(std::string_view key) const { return object_ != nullptr && object_->find(key) != nullptr; }
  /// Error "missing" at the key's own path.
  void missing(std::string_view key, std::string_view meaning, std::string hint = "");

  std::optional<double> number(std::string_view key, Range range = {});
  std::optional<std::int64_t> count(std::string_view key, Range range = {});
  /// The items of a list, each a count in the range; those that are none are errors at their own place. Absent where
  /// there is no list.
  std::optional<std::vector<std::int64_t>> counts(std::string_view key, Range range = {});
  /// The same of numbers.
  std::optional<std::vector<double>> numbers(std::string_view key, Range range = {});
  std::optional<bool> flag(std::string_view key);
  std::optional<std::string> text(std::string_view key);
  /// One of `words`.
  std::optional<std::string> word(std::string_view key, const std::vector<std::string>& words);
  const JsonNode* object(std::string_view key);
  const JsonNode* list(std::string_view key);

  std::string path(std::string_view key) const { return path_ + pointer_step(key); }
  const std::string& path() const { return path_; }
  ErrorList& errors() { return errors_; }
  /// Adds an error at a key (at its value where it stands, else at the end of the object).
  void error(std::string_view key, std::string code, std::string message, std::string hint);
  /// Every key that no one asked for is an error with the nearest known key as hint.
  void finish();

 private:
  /// A value and how messages name it: its key, of an item of a list with its place.
  struct Place {
    const JsonNode& node;
    std::string name;
    std::string path;
  };
  Place place(std::string_view key, const JsonNode& node) const { return {node, std::string(key), path(key)}; }
  void wrong_type(const Place& place, std::string_view expected);
  bool in_range(const Place& place, Range range);
  std::optional<std::int64_t> whole(const Place& place, Range range);
  std::optional<double> any(const Place& place, Range range);
  /// The items of a list, each as `read` takes it.
  template <class Number>
  std::optional<std::vector<Number>> each(std::string_view key, Range range,
                                          std::optional<Number> (ObjectReader::*read)(const Place&, Range));

  const JsonNode* object_;
  std::string path_;
  ErrorList& errors_;
  std::vector<std::string> known_;
};

}  // namespace podwright
