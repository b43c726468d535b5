#include "base/trace.h"

#include "base/number_text.h"
#include "base/result.h"

namespace podwright {

std::string Trace::scoped(std::string_view pointer) const {
  std::string path;
  for (const std::string& scope : scopes_) path += scope;
  return path + std::string(pointer);
}

NodeId Trace::leaf(std::string id, double value, std::string unit, std::string source) {
  // A number without a source is one that the item leaves open, such as the experts of a dense model.
  if (source.empty()) source = "not stated by the item";
  return add({.id = std::move(id), .formula = "", .equation = "", .source = std::move(source), .unit = std::move(unit), .value = value, .inputs = {}, .names = {}, .at = {}});
}

NodeId Trace::request_leaf(std::string_view pointer, double value, std::string unit) {
  const std::string path = scoped(pointer);
  const auto origin = origins_.find(path);
  return leaf("request" + path, value, std::move(unit), origin == origins_.end() ? "request" : origin->second);
}

NodeId Trace::add_sum(std::string_view id, double value, std::string unit, std::vector<NodeId> nodes) {
  std::vector<std::string> names(nodes.size(), "parts");
  return add({.id = std::string(id), .formula = "sum", .equation = "sum(parts)", .source = "definition", .unit = std::move(unit), .value = value, .inputs = std::move(nodes), .names = std::move(names), .at = {}});
}

NodeId Trace::add(TraceNode node) {
  std::string key = node.id + '\n' + node.formula + '\n' + shortest_number(node.value);
  for (const NodeId input : node.inputs) key += ' ' + std::to_string(input);
  const auto [found, inserted] = known_.emplace(std::move(key), static_cast<NodeId>(nodes_.size()));
  if (inserted) nodes_.push_back(std::move(node));
  return found->second;
}

void Trace::shown(NodeId node, const DisplayUnit& display, double display_value, std::string pointer) {
  PODWRIGHT_ASSERT(node >= 0);
  if (display.base_units != 1.0) {
    const TraceNode& plain = nodes_[static_cast<std::size_t>(node)];
    node = add({.id = plain.id + "_in_" + display.sign,
                .formula = "unit",
                .equation = "amount / " + shortest_number(display.base_units),
                .source = "definition of the unit",
                .unit = display.sign,
                .value = display_value,
                .inputs = {node},
                .names = {"amount"},
                .at = {}});
  }
  nodes_[static_cast<std::size_t>(node)].at.push_back(std::move(pointer));
}

std::string Trace::node_name(NodeId node) const { return "n" + std::to_string(node) + ":" + nodes_[static_cast<std::size_t>(node)].id; }

}  // namespace podwright
