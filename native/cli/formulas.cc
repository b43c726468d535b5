#include "cli/formulas.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "base/json_write.h"
#include "base/lower_case.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::string text_of(const JsonNode& node, std::string_view key) {
  const JsonNode* found = node.find(key);
  return found == nullptr ? "" : found->text;
}

/// "n12:perf.step_time" without the number, which holds for one answer only.
std::string plain_id(const std::string& id) { return id.substr(id.find(':') + 1); }

/// One spelling for text and words. Ids say "kv" for the KV cache.
std::string folded(std::string_view text) {
  std::string plain;
  for (const std::string& word : words_of(text)) plain += word == "kv" ? "kv cache " : word + ' ';
  std::replace(plain.begin(), plain.end(), 'z', 's');
  return plain;
}

bool is_conversion(const JsonNode& node) { return text_of(node, "source") == "definition of the unit"; }

std::vector<FormulaInput> inputs_of(const JsonNode& node, const std::map<std::string, const JsonNode*>& nodes) {
  std::vector<FormulaInput> inputs;
  const JsonNode* const ids = node.find("inputs");
  const JsonNode* const names = node.find("names");
  if (ids == nullptr || names == nullptr) return inputs;
  for (std::size_t i = 0; i < ids->items.size() && i < names->items.size(); ++i) {
    const auto found = nodes.find(ids->items[i].text);
    inputs.push_back({.name = names->items[i].text,
                      .id = plain_id(ids->items[i].text),
                      .unit = found == nodes.end() ? "" : text_of(*found->second, "unit")});
  }
  return inputs;
}

}  // namespace

std::string explained(const JsonNode& request) {
  return json_text(merged(request, *parse_json(R"({"explain": true})")));
}

void add_formulas(const JsonNode& answer, const std::string& example, std::vector<Formula>& formulas) {
  const JsonNode* const trace = answer.find("trace");
  if (trace == nullptr) return;
  std::map<std::string, const JsonNode*> nodes;
  for (const JsonNode& node : trace->items) nodes.emplace(text_of(node, "id"), &node);
  for (const JsonNode& node : trace->items) {
    if (node.find("equation") == nullptr || is_conversion(node)) continue;
    Formula formula{.id = plain_id(text_of(node, "id")),
                    .equation = text_of(node, "equation"),
                    .unit = text_of(node, "unit"),
                    .source = text_of(node, "source"),
                    .inputs = inputs_of(node, nodes),
                    .example = example};
    const bool known = std::any_of(formulas.begin(), formulas.end(), [&](const Formula& other) {
      return other.id == formula.id && other.equation == formula.equation;
    });
    if (!known) formulas.push_back(std::move(formula));
  }
}

std::vector<Formula> choose_formulas(std::vector<Formula> formulas, std::string_view words) {
  std::istringstream wanted{folded(words)};
  for (std::string word; wanted >> word;)
    std::erase_if(formulas, [&](const Formula& formula) {
      return folded(formula.id + ' ' + formula.equation + ' ' + formula.source).find(word) == std::string::npos;
    });
  std::stable_sort(formulas.begin(), formulas.end(), [](const Formula& a, const Formula& b) { return a.id < b.id; });
  return formulas;
}

std::string formulas_text(const std::vector<Formula>& formulas) {
  std::string text;
  for (const Formula& formula : formulas) {
    text += formula.id + (formula.unit == "1" ? "" : " [" + formula.unit + "]") +
            "\n  = " + wrapped(formula.equation, kTextWidth, 4) +
            "\n  source: " + wrapped(formula.source, kTextWidth, 10) + "\n";
    std::string inputs;
    for (const FormulaInput& input : formula.inputs) inputs += (inputs.empty() ? "" : ", ") + input.id;
    if (!inputs.empty()) text += "  inputs: " + wrapped(inputs, kTextWidth, 10) + "\n";
    text += "  example: " + formula.example + "\n\n";
  }
  return text + std::to_string(formulas.size()) + (formulas.size() == 1 ? " formula\n" : " formulas\n");
}

std::string formulas_json(const std::vector<Formula>& formulas) {
  JsonWriter out;
  out.begin_object();
  out.begin_list("formulas");
  for (const Formula& formula : formulas) {
    out.begin_object();
    out.text("id", formula.id);
    out.text("equation", formula.equation);
    out.text("unit", formula.unit);
    out.text("source", formula.source);
    out.begin_list("inputs");
    for (const FormulaInput& input : formula.inputs) {
      out.begin_object();
      out.text("name", input.name);
      out.text("id", input.id);
      out.text("unit", input.unit);
      out.end_object();
    }
    out.end_list();
    out.text("example", formula.example);
    out.end_object();
  }
  out.end_list();
  out.number("count", static_cast<double>(formulas.size()));
  out.end_object();
  return out.take();
}

}  // namespace podwright::cli
