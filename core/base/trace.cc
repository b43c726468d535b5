#include "base/trace.h"

#include "base/equation_text.h"
#include "base/number_text.h"
#include "base/result.h"

namespace podwright {

std::string Trace::scoped(std::string_view pointer) const {
  std::string path;
  for (const std::string& scope : scopes_) path += scope;
  return path + std::string(pointer);
}

NodeId Trace::record_leaf(std::string_view prefix, std::string_view name, double value, const Dim& dim,
                          std::string_view source, std::string_view called) {
  // A number without a source is one that the item leaves open, such as the experts of a dense model.
  if (source.empty()) source = "not stated by the item";
  TraceNode node;
  node.id = std::string(prefix) + std::string(name);
  node.called = called;
  node.source = source;
  node.unit = unit_text(dim);
  node.value = value;
  return add(std::move(node));
}

NodeId Trace::record_fact(const std::string& origin, std::string_view field, std::string_view called, double value,
                          const Dim& dim, const void* item, SourceOf source_of) {
  return record_leaf(origin + "/", field, value, dim, source_of(item, field), called);
}

NodeId Trace::record_input(std::string_view pointer, double value, const Dim& dim) {
  const std::string path = scoped(pointer);
  const auto origin = origins_.find(path);
  return record_leaf("request", path, value, dim, origin == origins_.end() ? "request" : origin->second);
}

NodeId Trace::record_method(std::string_view id, double value, const Dim& dim, std::string_view page) {
  const std::string scope = scoped("");
  return record_leaf("method", scope + "/" + std::string(id), value, dim, page);
}

NodeId Trace::record_sum(std::string_view id, double value, const Dim& dim, std::vector<NodeId> nodes) {
  TraceNode node;
  node.id = id;
  node.equation = "sum(parts)";
  node.source = "definition";
  node.unit = unit_text(dim);
  node.value = value;
  node.names.assign(nodes.size(), "parts");
  node.inputs = std::move(nodes);
  return add(std::move(node));
}

NodeId Trace::add(Term term) {
  terms_.push_back(std::move(term));
  return -1 - static_cast<NodeId>(terms_.size());
}

NodeId Trace::node_of(const Operand& operand) {
  return operand.node == -1 ? add(Term{.literal = operand.value, .source = {}}) : operand.node;
}

NodeId Trace::operation(const char* sign, const Operand& a, const Operand& b) {
  const NodeId first = node_of(a);
  return add(Term{.sign = sign, .a = first, .b = node_of(b), .source = {}});
}
NodeId Trace::operation(const char* sign, const Operand& a) {
  return add(Term{.sign = sign, .a = node_of(a), .source = {}});
}
NodeId Trace::citation(std::string_view source, const Operand& of) {
  return add(Term{.a = node_of(of), .source = std::string(source)});
}
NodeId Trace::number(std::string_view id, const Operand& of, const Dim& dim) {
  TraceNode node = equation_of(node_of(of), terms_, nodes_);
  node.id = id;
  node.unit = unit_text(dim);
  node.value = of.value;
  return add(std::move(node));
}

NodeId Trace::add(TraceNode node) {
  std::string key = node.id + '\n' + node.equation + '\n' + shortest_number(node.value);
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
                .called = {},
                .equation = "amount / " + shortest_number(display.base_units),
                .source = "definition of the unit",
                .unit = display.sign,
                .value = display_value,
                .inputs = {node},
                .names = {"amount"},
                .at = {}});
  }
  nodes_[static_cast<std::size_t>(node)].at.push_back(std::move(pointer));
  shown_.push_back(node);
}

std::vector<NodeId> Trace::explained() const {
  std::vector<NodeId> order;
  std::vector<bool> listed(nodes_.size(), false);
  struct Open {
    NodeId node;
    std::size_t next_input;
  };
  std::vector<Open> path;
  for (const NodeId root : shown_) {
    path.push_back({root, 0});
    while (!path.empty()) {
      const NodeId node = path.back().node;
      const TraceNode& now = nodes_[static_cast<std::size_t>(node)];
      const bool done = listed[static_cast<std::size_t>(node)];
      if (!done && path.back().next_input < now.inputs.size()) {
        path.push_back({now.inputs[path.back().next_input++], 0});
        continue;
      }
      if (!done) order.push_back(node);
      listed[static_cast<std::size_t>(node)] = true;
      path.pop_back();
    }
  }
  return order;
}

}  // namespace podwright
