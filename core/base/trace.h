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
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
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

  /// `origins` maps the JSON Pointer of every value that the request did not give to where it comes from (a default, a
  /// search).
  explicit Trace(std::map<std::string, std::string> origins = {}) : origins_(std::move(origins)) {}

  // Each template only takes the plain values out and hands the rest, by reference to constants, to one function of
  // trace.cc: there are hundreds of steps, and what stands here is compiled into every one of them.

  /// A number of a catalog item: `field` is its key in the item's file.
  template <class Item, class T>
  Traced<T> fact(const Item& item, std::string_view field, T value) {
    const SourceOf source_of = [](const void* of, std::string_view of_field) {
      return static_cast<const Item*>(of)->source_of(of_field);
    };
    return {value, record_fact(item.origin, field, raw(value), DimOf<T>::value, &item, source_of)};
  }
  /// A number of the request (or its default), by JSON Pointer below the scope entered.
  template <class T>
  Traced<T> input(std::string_view pointer, T value) {
    return {value, record_input(pointer, raw(value), DimOf<T>::value)};
  }
  /// A number that a definition fixes, e.g. the bytes of a bf16 value.
  template <class T>
  Traced<T> constant(std::string_view name, T value, std::string_view source) {
    return {value, record_leaf("constant/", name, raw(value), DimOf<T>::value, source)};
  }
  /// The result of a search or simulation: `page` names the method page instead of an equation.
  template <class T>
  Traced<T> method(std::string_view id, T value, std::string_view page) {
    return {value, record_method(id, raw(value), DimOf<T>::value, page)};
  }
  /// Calls the formula on the plain values and records it.
  template <auto Function, class... Inputs>
  auto step(std::string_view id, const Formula<Function>& formula, const Traced<Inputs>&... inputs) {
    const auto value = Function(inputs.value...);
    using T = std::remove_const_t<decltype(value)>;
    const NodeId nodes[] = {inputs.node...};
    return Traced<T>{value, record_step(id, formula.id, formula.inputs.data(), formula.equation, formula.source, nodes,
                                        sizeof...(inputs), raw(value), DimOf<T>::value)};
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
    return {total, record_sum(id, raw(total), DimOf<T>::value, std::move(nodes))};
  }
  /// Prefix of the pointers that input() takes, e.g. "/workloads/0".
  void enter(std::string_view prefix) { scopes_.emplace_back(prefix); }
  void leave() { scopes_.pop_back(); }

  /// Says that the answer shows `node` at `pointer`, in `display` units (adds the conversion as a step of its own).
  void shown(NodeId node, const DisplayUnit& display, double display_value, std::string pointer);

  const std::vector<TraceNode>& nodes() const { return nodes_; }
  /// The nodes that the shown numbers stand on, inputs before what is computed from them, in the order of the answer.
  /// The order of recording would not do: it changes with the order in which a compiler evaluates the inputs of a step.
  std::vector<NodeId> explained() const;

 private:
  using SourceOf = std::string (*)(const void* item, std::string_view field);
  [[gnu::noinline]] NodeId record_fact(const std::string& origin, std::string_view field, double value, const Dim& dim,
                                       const void* item, SourceOf source_of);
  [[gnu::noinline]] NodeId record_input(std::string_view pointer, double value, const Dim& dim);
  [[gnu::noinline]] NodeId record_leaf(std::string_view prefix, std::string_view name, double value, const Dim& dim,
                                       std::string_view source);
  [[gnu::noinline]] NodeId record_method(std::string_view id, double value, const Dim& dim, std::string_view page);
  [[gnu::noinline]] NodeId record_step(std::string_view id, const std::string_view& formula,
                                       const std::string_view* names, const std::string_view& equation,
                                       const std::string_view& source, const NodeId* inputs, std::size_t count,
                                       double value, const Dim& dim);
  [[gnu::noinline]] NodeId record_sum(std::string_view id, double value, const Dim& dim, std::vector<NodeId> nodes);
  NodeId add(TraceNode node);
  std::string scoped(std::string_view pointer) const;

  std::map<std::string, std::string> origins_;
  std::vector<std::string> scopes_;
  std::vector<TraceNode> nodes_;
  std::vector<NodeId> shown_;
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
