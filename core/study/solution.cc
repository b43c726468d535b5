#include "study/solution.h"

#include <algorithm>

#include "study/quantity_text.h"

namespace podwright {
namespace {

/// The part of an id that people read: "catalog/gpus/h100/memory_gb" is "memory_gb".
std::string short_name(const std::string& id) { return id.substr(id.find_last_of("/.") + 1); }

/// "weights = parameters * bits_per_weight / 8 = 141 GB, with parameters = 70.6 billion, bits_per_weight = 16"
std::string step_text(const SolutionStep& step) {
  std::string text = step.name + " = " + step.equation + " = " + quantity_text(step.value, step.unit);
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    text += (i == 0 ? ", with " : ", ") + step.inputs[i].name + " = " +
            quantity_text(step.inputs[i].value, step.inputs[i].unit);
  return text;
}

/// Conversions end in the unit that the answer shows.
std::string conversion_text(const SolutionStep& step) {
  const std::string before = quantity_text(step.inputs.front().value, step.inputs.front().unit);
  const std::string after = in_unit_text(step.value, step.unit);
  return before == after ? "In " + step.unit + ": " + after : before + " = " + after;
}

}  // namespace

std::vector<SolutionStep> solution_of(const Trace& trace) {
  std::vector<SolutionStep> steps;
  for (const NodeId id : trace.explained()) {
    const TraceNode& node = trace.nodes()[static_cast<std::size_t>(id)];
    if (node.formula.empty()) continue;
    SolutionStep step;
    step.name = short_name(node.id);
    step.equation = node.equation;
    step.value = node.value;
    step.unit = node.unit;
    step.source = node.source;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const TraceNode& input = trace.nodes()[static_cast<std::size_t>(node.inputs[i])];
      step.inputs.push_back({node.names[i], input.value, input.unit, input.formula.empty() ? input.source : ""});
    }
    step.text = node.formula == "unit" ? conversion_text(step) : step_text(step);
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<std::string> sources_of_solution(const Trace& trace) {
  std::vector<std::string> sources;
  for (const NodeId id : trace.explained()) {
    const TraceNode& node = trace.nodes()[static_cast<std::size_t>(id)];
    const bool own = node.source == "request" || node.source.rfind("definition", 0) == 0;
    if (!own && std::find(sources.begin(), sources.end(), node.source) == sources.end()) sources.push_back(node.source);
  }
  return sources;
}

}  // namespace podwright
