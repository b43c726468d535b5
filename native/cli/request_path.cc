#include "cli/request_path.h"

#include <algorithm>
#include <cstddef>

#include "base/json_write.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kLineWidth = 100;

bool is_place(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  return !text.empty() && text.size() <= kMostDigits && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::vector<PathStep>> pointer_steps(std::string_view text) {
  std::vector<PathStep> steps;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('/', 1), text.size());
    std::string key;
    for (std::size_t i = 1; i < end; ++i) {
      const bool escape = text[i] == '~';
      if (escape && (i + 1 == end || (text[i + 1] != '0' && text[i + 1] != '1'))) return {};
      if (escape) ++i;
      key += !escape ? text[i] : text[i] == '0' ? '~' : '/';
    }
    steps.push_back({.key = std::move(key)});
    text.remove_prefix(end);
  }
  return steps;
}

std::optional<std::vector<PathStep>> dotted_steps(std::string_view text) {
  std::vector<PathStep> steps;
  for (bool first = true; !text.empty(); first = false) {
    if (text.front() == '[') {
      const std::size_t close = text.find(']');
      if (first || close == std::string_view::npos || !is_place(text.substr(1, close - 1))) return {};
      steps.push_back({.key = std::string(text.substr(1, close - 1)), .in_list = true});
      text.remove_prefix(close + 1);
      continue;
    }
    if (!first && text.front() != '.') return {};
    if (!first) text.remove_prefix(1);
    const std::string_view key = text.substr(0, text.find_first_of(".[]"));
    if (key.empty() || text.substr(key.size()).starts_with(']')) return {};
    // People write the place of an item as a key, too.
    steps.push_back({.key = std::string(key), .in_object = !is_place(key)});
    text.remove_prefix(key.size());
  }
  return steps;
}

tl::unexpected<Errors> in_the_way(const std::string& place, const std::string& what, const std::string& hint) {
  return failure(Error{"conflict", place, what, hint});
}

/// Where the item of a list goes: its place, or one past the last for a new one.
std::optional<std::size_t> place_in(const JsonNode& list, const PathStep& step) {
  if (step.key == "-" && !step.in_object) return list.items.size();
  if (!is_place(step.key) || step.in_object) return {};
  const std::size_t place = std::stoul(step.key);
  return place <= list.items.size() ? std::optional(place) : std::nullopt;
}

}  // namespace

std::optional<std::vector<PathStep>> path_steps(std::string_view text) {
  if (text.empty()) return {};
  return text.front() == '/' ? pointer_steps(text) : dotted_steps(text);
}

std::string dotted_path(std::string_view pointer) {
  std::string path;
  const auto steps = pointer_steps(pointer);
  for (const PathStep& step : steps.value_or(std::vector<PathStep>{}))
    path += is_place(step.key) ? "[" + step.key + "]" : (path.empty() ? "" : ".") + step.key;
  return path;
}

Result<std::string> put(JsonNode& document, const std::vector<PathStep>& steps, JsonNode value) {
  JsonNode* here = &document;
  std::string place;
  const bool removes = value.type == JsonType::null;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const PathStep& step = steps[i];
    const bool last = i + 1 == steps.size();
    if (here->type == JsonType::null)
      here->type = step.in_list || (!step.in_object && (step.key == "-" || is_place(step.key))) ? JsonType::list
                                                                                                : JsonType::object;
    std::size_t at = 0;
    if (here->is_list()) {
      const auto found = place_in(*here, step);
      if (!found)
        return in_the_way(place, "The list has no such place.",
                          "A new item goes at place " + std::to_string(here->items.size()) + ".");
      at = *found;
    } else if (here->is_object() && !step.in_list) {
      at = static_cast<std::size_t>(std::find(here->keys.begin(), here->keys.end(), step.key) - here->keys.begin());
    } else {
      return in_the_way(place, "Here is " + std::string(type_name(here->type)) + ", not a list or an object.", "");
    }
    place += here->is_list() ? "/" + std::to_string(at) : pointer_step(step.key);
    const bool is_new = at == here->items.size();
    if (removes && is_new) return place;
    if (removes && last) {
      const auto offset = static_cast<std::ptrdiff_t>(at);
      here->items.erase(here->items.begin() + offset);
      if (here->is_object()) here->keys.erase(here->keys.begin() + offset);
      return place;
    }
    if (is_new) here->items.emplace_back();
    if (is_new && here->is_object()) here->keys.push_back(step.key);
    here = &here->items[at];
  }
  *here = std::move(value);
  return place;
}

const JsonNode* find_at(const JsonNode& document, std::string_view pointer) {
  const JsonNode* here = &document;
  const auto steps = pointer_steps(pointer);
  if (!steps) return nullptr;
  for (const PathStep& step : *steps) {
    if (here->is_list()) {
      const auto place = place_in(*here, step);
      here = place && *place < here->items.size() ? &here->items[*place] : nullptr;
    } else {
      here = here->find(step.key);
    }
    if (here == nullptr) return nullptr;
  }
  return here;
}

namespace {

std::string key_text(const std::string& key) {
  JsonWriter out;
  out.text(key);
  return out.take() + ": ";
}

std::string in_one_line(const JsonNode& node) {
  if (!node.is_object() && !node.is_list()) return json_text(node);
  std::string out;
  for (std::size_t i = 0; i < node.items.size(); ++i)
    out += (i == 0 ? "" : ", ") + (node.is_object() ? key_text(node.keys[i]) : "") + in_one_line(node.items[i]);
  if (node.is_list()) return "[" + out + "]";
  return out.empty() ? "{}" : "{ " + out + " }";
}

/// `before` and `after` are what else the line holds.
void pretty(const JsonNode& node, std::size_t depth, std::size_t before, std::string& out) {
  const std::string line = in_one_line(node);
  const bool outermost = depth == 0 && !node.items.empty();
  if (!outermost && before + line.size() + 1 <= kLineWidth) {
    out += line;
    return;
  }
  if (node.items.empty()) {
    out += line;
    return;
  }
  const std::string indent(2 * (depth + 1), ' ');
  out += node.is_list() ? "[" : "{";
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string key = node.is_object() ? key_text(node.keys[i]) : "";
    out += (i == 0 ? "\n" : ",\n") + indent + key;
    pretty(node.items[i], depth + 1, indent.size() + key.size(), out);
  }
  out += "\n" + std::string(2 * depth, ' ') + (node.is_list() ? "]" : "}");
}

}  // namespace

std::string pretty_json(const JsonNode& node) {
  std::string out;
  pretty(node, 0, 0, out);
  return out + "\n";
}

}  // namespace podwright::cli
