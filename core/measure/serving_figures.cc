#include "measure/serving_figures.h"

#include <algorithm>

#include "base/number_text.h"
#include "measure/foreign_parts.h"

namespace podwright {
namespace {

constexpr Range kPositiveFigure{1e-12, 1e15};

std::string pointer_of(std::string_view names) {
  std::string path;
  while (!names.empty()) {
    const std::size_t dot = std::min(names.find('.'), names.size());
    path += pointer_step(names.substr(0, dot));
    names.remove_prefix(std::min(dot + 1, names.size()));
  }
  return path;
}

std::string field_name(const ServingFigure& figure) {
  return (figure.object.empty() ? "" : std::string(figure.object) + ".") + std::string(figure.key);
}

/// A figure that need not be there: of another type than a number or a word it is an error, so is one below 0.
void read_optional(const JsonNode& object, const std::string& path, const ServingFigure& figure,
                   std::string_view program, std::optional<double>& value, ErrorList& errors) {
  const JsonNode* node = object.find(figure.key);
  if (node == nullptr || node->type == JsonType::null || node->is_text()) return;
  const std::string at = path + pointer_step(figure.key);
  if (!node->is_number())
    errors.add(node->order,
               foreign_error("wrong-type", at,
                             "A number is expected, found " + std::string(type_name(node->type)) + ".", program));
  else if (node->number < 0 || node->number > kPositiveFigure.max)
    errors.add(node->order, foreign_error("out-of-range", at,
                                          "The figure is " + shortest_number(node->number) +
                                              ", a number from 0 to 1e15 is expected.",
                                          program));
  else if (node->number > 0)
    value = node->number * figure.scale;
}

}  // namespace

const JsonNode* node_in(const JsonNode& document, std::string_view names) {
  const JsonNode* node = &document;
  while (!names.empty() && node != nullptr) {
    const std::size_t dot = std::min(names.find('.'), names.size());
    node = node->is_object() ? node->find(names.substr(0, dot)) : nullptr;
    names.remove_prefix(std::min(dot + 1, names.size()));
  }
  return node;
}

std::string word_in(const JsonNode& document, std::string_view names) {
  const JsonNode* node = node_in(document, names);
  if (node != nullptr && node->is_number()) return shortest_number(node->number);
  return node != nullptr && node->is_text() ? beginning_of(trimmed(node->text), 200) : "";
}

std::optional<double> number_in(const JsonNode& document, std::string_view names) {
  const JsonNode* node = node_in(document, names);
  return node != nullptr && node->is_number() && node->number > 0 ? std::optional<double>(node->number) : std::nullopt;
}

void read_figures(const JsonNode& document, const std::string& path, std::span<const ServingFigure> figures,
                  std::string_view program, ServingMeasurement& measured, ErrorList& errors) {
  for (const ServingFigure& figure : figures) {
    std::optional<double>& value = measured.*figure.value;
    const JsonNode* object = node_in(document, figure.object);
    const std::string at = path + pointer_of(figure.object);
    if (value) continue;
    if (object == nullptr || object->type == JsonType::null) {
      if (!figure.needed.empty())
        errors.add_at_end(document,
                          foreign_error("missing", at, "\"" + std::string(figure.object) + "\" is missing.", program));
      continue;
    }
    if (!object->is_object()) {
      errors.add(object->order, foreign_error("wrong-type", at, "An object is expected.", program));
      continue;
    }
    if (!figure.unit.empty()) check_unit(*object, at, figure.unit, program, errors);
    if (figure.needed.empty()) {
      read_optional(*object, at, figure, program, value, errors);
      continue;
    }
    ObjectReader reader(*object, at, errors);
    if (!reader.has(figure.key)) reader.missing(figure.key, figure.needed);
    if (const auto number = reader.number(figure.key, kPositiveFigure)) value = *number * figure.scale;
  }
}

void add_field(const std::string& name, std::vector<std::string>& list) {
  constexpr std::size_t kMostNames = 200;
  if (list.size() < kMostNames && std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

void add_figure_fields(const JsonNode& document, std::span<const ServingFigure> figures, FileFields& fields) {
  for (const ServingFigure& figure : figures) {
    const JsonNode* object = node_in(document, figure.object);
    const bool there = object != nullptr && number_in(*object, figure.key);
    add_field(field_name(figure), there ? fields.used : fields.missing);
  }
}

void add_ignored_keys(const JsonNode& object, std::string_view prefix, std::span<const ServingFigure> figures,
                      std::span<const std::string_view> others, FileFields& fields) {
  for (const std::string& key : object.keys) {
    const std::string name = prefix.empty() ? key : std::string(prefix) + "." + key;
    const auto names = [&](const ServingFigure& figure) {
      const std::string full = field_name(figure);
      return full == name || full.rfind(name + ".", 0) == 0;
    };
    if (std::any_of(figures.begin(), figures.end(), names)) continue;
    const bool known = std::find(others.begin(), others.end(), key) != others.end();
    add_field(name, known ? fields.used : fields.ignored);
  }
}

std::string without_infinities(std::string_view text) {
  std::string plain;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    std::string_view word;
    for (const std::string_view one : {"-Infinity", "Infinity", "NaN"})
      if (!quoted && word.empty() && text.substr(i, one.size()) == one) word = one;
    if (word.empty()) {
      plain += text[i];
    } else {
      plain += "null";
      i += word.size() - 1;
    }
  }
  return plain;
}

std::vector<LogLine> lines_of(std::string_view text) {
  std::vector<LogLine> lines;
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    if (!line.empty()) lines.push_back({line, ":" + std::to_string(number)});
    at = end + 1;
  }
  return lines;
}

bool has_figures(const ServingMeasurement& m) {
  return m.ttft_s || m.tpot_s || m.requests_per_s || m.output_tokens_per_s || m.total_tokens_per_s ||
         m.output_tokens_per_s_per_gpu;
}

}  // namespace podwright
