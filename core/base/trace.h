#pragma once
/// Explanations. Assembling functions are templates over a tracer:
///
///   template <class Tracer>
///   typename Tracer::template Known<Bytes> weights(Tracer& trace, const ModelShape& shape, ...) {
///     return trace.step("memory.weights", kWeightBytes, parameters, bytes_per_weight);
///   }
///
/// With NoTrace a Known<T> is a plain T and step() is the plain call: the search neither allocates nor records.
/// With Trace the same lines leave, for every number, its equation, inputs and source.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

using NodeId = std::int32_t;

/// A value and the trace node that explains it.
template <class T>
struct Traced {
  T value{};
  NodeId node = -1;
};

/// The plain value of a number, traced or not.
template <class T>
constexpr const T& value_of(const T& x) {
  return x;
}
template <class T>
constexpr const T& value_of(const Traced<T>& x) {
  return x.value;
}

/// One explained number, in base units unless `unit` says otherwise.
struct TraceNode {
  std::string id;
  std::string formula;  ///< id of the formula; empty for leaves
  std::string equation;
  std::string source;
  std::string unit;
  double value = 0.0;
  std::vector<NodeId> inputs;
  std::vector<std::string> names;  ///< the equation's name of each input
  std::vector<std::string> at;     ///< JSON Pointers of the answer that show this number
};

/// Tracer that records nothing.
struct NoTrace {
  static constexpr bool kRecords = false;
  template <class T>
  using Known = T;

  template <class Item, class T>
  T fact(const Item&, std::string_view, T value) const {
    return value;
  }
  template <class T>
  T input(std::string_view, T value) const {
    return value;
  }
  template <class T>
  T constant(std::string_view, T value, std::string_view) const {
    return value;
  }
  template <class T>
  T method(std::string_view, T value, std::string_view) const {
    return value;
  }
  template <auto Function, class... Inputs>
  constexpr auto step(std::string_view, const Formula<Function>&, const Inputs&... inputs) const {
    return Function(inputs...);
  }
  template <class T>
  T sum(std::string_view, const std::vector<T>& parts) const {
    T total{};
    for (const T& part : parts) total += part;
    return total;
  }
  void enter(std::string_view) const {}
  void leave() const {}
};

/// Tracer that records every step.
class Trace {
 public:
  static constexpr bool kRecords = true;
  template <class T>
  using Known = Traced<T>;

  /// `origins` maps the JSON Pointer of every value that the request did not give to where it comes from (a default, a search).
  explicit Trace(std::map<std::string, std::string> origins = {}) : origins_(std::move(origins)) {}

  /// A number of a catalog item: `field` is its key in the item's file.
  template <class Item, class T>
  Traced<T> fact(const Item& item, std::string_view field, T value) {
    return {value, leaf(item.origin + "/" + std::string(field), raw(value), unit_text(DimOf<T>::value), item.source_of(field))};
  }
  /// A number of the request (or its default), by JSON Pointer below the scope entered.
  template <class T>
  Traced<T> input(std::string_view pointer, T value) {
    return {value, request_leaf(pointer, raw(value), unit_text(DimOf<T>::value))};
  }
  /// A number that a definition fixes, e.g. the bytes of a bf16 value.
  template <class T>
  Traced<T> constant(std::string_view name, T value, std::string_view source) {
    return {value, leaf("constant/" + std::string(name), raw(value), unit_text(DimOf<T>::value), std::string(source))};
  }
  /// The result of a search or simulation: `page` names the method page instead of an equation.
  template <class T>
  Traced<T> method(std::string_view id, T value, std::string_view page) {
    return {value, leaf("method/" + scoped(id), raw(value), unit_text(DimOf<T>::value), std::string(page))};
  }
  /// Calls the formula on the plain values and records it.
  template <auto Function, class... Inputs>
  auto step(std::string_view id, const Formula<Function>& formula, const Traced<Inputs>&... inputs) {
    auto value = Function(inputs.value...);
    using T = decltype(value);
    const NodeId node = add({.id = std::string(id),
                             .formula = std::string(formula.id),
                             .equation = std::string(formula.equation),
                             .source = std::string(formula.source),
                             .unit = unit_text(DimOf<T>::value),
                             .value = raw(value),
                             .inputs = {inputs.node...},
                             .names = std::vector<std::string>(formula.inputs.begin(), formula.inputs.end()),
                             .at = {}});
    return Traced<T>{value, node};
  }
  /// Sum of any number of parts; the equation reads `sum(parts)`.
  template <class T>
  Traced<T> sum(std::string_view id, const std::vector<Traced<T>>& parts) {
    T total{};
    std::vector<NodeId> nodes;
    for (const Traced<T>& part : parts) {
      total += part.value;
      nodes.push_back(part.node);
    }
    return {total, add_sum(id, raw(total), unit_text(DimOf<T>::value), std::move(nodes))};
  }
  /// Prefix of the pointers that input() takes, e.g. "/workloads/0".
  void enter(std::string_view prefix) { scopes_.emplace_back(prefix); }
  void leave() { scopes_.pop_back(); }

  /// Says that the answer shows `node` at `pointer`, in `display` units (adds the conversion as a step of its own).
  void shown(NodeId node, const DisplayUnit& display, double display_value, std::string pointer);

  const std::vector<TraceNode>& nodes() const { return nodes_; }
  /// Unique name of a node in the answer.
  std::string node_name(NodeId node) const;

 private:
  NodeId leaf(std::string id, double value, std::string unit, std::string source);
  NodeId request_leaf(std::string_view pointer, double value, std::string unit);
  NodeId add_sum(std::string_view id, double value, std::string unit, std::vector<NodeId> nodes);
  NodeId add(TraceNode node);
  std::string scoped(std::string_view pointer) const;

  std::map<std::string, std::string> origins_;
  std::vector<std::string> scopes_;
  std::vector<TraceNode> nodes_;
  std::map<std::string, NodeId> known_;  ///< nodes already recorded, so that a number told twice is one node
};

/// Enters a scope of request pointers for a block.
template <class Tracer>
class TraceScope {
 public:
  TraceScope(Tracer& tracer, std::string_view prefix) : tracer_(tracer) { tracer_.enter(prefix); }
  ~TraceScope() { tracer_.leave(); }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  Tracer& tracer_;
};

}  // namespace podwright
