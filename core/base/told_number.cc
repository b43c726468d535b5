#include "base/told_number.h"

#include <algorithm>

#include "base/number_text.h"

namespace podwright {
namespace {

/// Whether all numbers in a node can be.
bool is_sound(const JsonNode& node, Range range) {
  if (node.is_number()) return node.number >= range.min && node.number <= range.max && is_tellable(node.number);
  return std::all_of(node.items.begin(), node.items.end(),
                     [range](const JsonNode& item) { return is_sound(item, range); });
}

}  // namespace

std::string told_sizes_text() { return "Legal: 0, or a size of " + range_text(kToldSize) + "."; }

void check_told_numbers(const JsonNode& document, const std::string& path, ErrorList& errors, Range range) {
  if (document.is_number()) {
    const double x = document.number;
    if (is_sound(document, range)) return;
    errors.add(document.order,
               {"out-of-range", path, "The number is " + shortest_number(x) + ", which cannot be.",
                x >= range.min && x <= range.max ? told_sizes_text() : "Legal: " + range_text(range) + "."});
  }
  // Paths are made only of what is wrong: a long one of each number would take longer than the text.
  for (std::size_t i = 0; i < document.items.size() && !errors.full(); ++i)
    if (!is_sound(document.items[i], range))
      check_told_numbers(document.items[i],
                         path + (document.is_object() ? pointer_step(document.keys[i]) : "/" + std::to_string(i)),
                         errors, range);
}

Result<JsonNode> parse_told(std::string_view text) {
  Result<JsonNode> document = parse_json(text);
  if (!document) return document;
  ErrorList errors;
  check_told_numbers(*document, "", errors);
  if (!errors.empty()) return failure(errors.take());
  return document;
}

}  // namespace podwright
