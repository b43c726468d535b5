#pragma once
/// Explanations. Assembling functions are templates over a tracer:
///
///   template <class Tracer>
///   typename Tracer::template Known<Bytes> weights(Tracer& trace, const Gpu& gpu, ...) {
///     const auto bandwidth = trace.fact(gpu, "memory_bandwidth", gpu.memory_bandwidth);
///     return named("memory.weights", parameters * bytes_per_weight);
///   }
///
/// With NoTrace a Known<T> is a plain T, and the lines are plain arithmetic: the search neither allocates nor records.
/// With Trace the same lines leave, for every number, its equation, inputs and source; see arithmetic.h.
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/trace_node.h"
#include "base/units.h"

namespace podwright {

class Trace;

/// A value and what explains it: a number of the trace, or from -2 downwards an expression that has no name yet. With
/// node -1 it is a literal of an equation, which any plain value may become.
template <class T>
struct Traced {
  constexpr Traced(T of = {}, NodeId of_node = -1, Trace* of_trace = nullptr)
      : value(of), node(of_node), trace(of_trace) {}

  T value;
  NodeId node;
  Trace* trace;
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
  // trace.cc: there are hundreds of numbers, and what stands here is compiled into every one of them.

  /// A number of a catalog item: `field` is its key in the item's file.
  template <class Item, class T>
  Traced<T> fact(const Item& item, std::string_view field, T value) {
    const SourceOf source_of = [](const void* of, std::string_view of_field) {
      return static_cast<const Item*>(of)->source_of(of_field);
    };
    std::string_view called;
    if constexpr (requires { item.called; }) called = item.called;
    return {value, record_fact(item.origin, field, called, raw(value), DimOf<T>::value, &item, source_of), this};
  }
  /// A number of the request (or its default), by JSON Pointer below the scope entered.
  template <class T>
  Traced<T> input(std::string_view pointer, T value) {
    return {value, record_input(pointer, raw(value), DimOf<T>::value), this};
  }
  /// A number that a definition fixes, e.g. the bytes of a bf16 value.
  template <class T>
  Traced<T> constant(std::string_view name, T value, std::string_view source) {
    return {value, record_leaf("constant/", name, raw(value), DimOf<T>::value, source), this};
  }
  /// A literal that an answer shows.
  NodeId definition(std::string_view name, double value, const Dim& dim) {
    return record_leaf("constant/", name, value, dim, "definition");
  }
  /// The result of a search or simulation: `page` names the method page instead of an equation.
  template <class T>
  Traced<T> method(std::string_view id, T value, std::string_view page) {
    return {value, record_method(id, raw(value), DimOf<T>::value, page), this};
  }
  /// Sum of any number of parts; the equation reads `sum(parts)`. Literal parts are zeros.
  template <class T>
  Traced<T> sum(std::string_view id, const std::vector<Traced<T>>& parts) {
    T total{};
    std::vector<NodeId> nodes;
    for (const Traced<T>& part : parts) {
      total += part.value;
      if (part.node != -1) nodes.push_back(part.node);
    }
    return {total, record_sum(id, raw(total), DimOf<T>::value, std::move(nodes)), this};
  }
  // What the operators of arithmetic.h write down.

  struct Operand {
    NodeId node = -1;
    double value = 0.0;
  };
  /// An operation between numbers and expressions; `sign` is + - * / ^ or the name of a function, and lives for ever.
  [[gnu::noinline]] NodeId operation(const char* sign, const Operand& a, const Operand& b);
  [[gnu::noinline]] NodeId operation(const char* sign, const Operand& a);
  [[gnu::noinline]] NodeId citation(std::string_view source, const Operand& of);
  /// Makes one number of an expression.
  [[gnu::noinline]] NodeId number(std::string_view id, const Operand& of, const Dim& dim);

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
  [[gnu::noinline]] NodeId record_fact(const std::string& origin, std::string_view field, std::string_view called,
                                       double value, const Dim& dim, const void* item, SourceOf source_of);
  [[gnu::noinline]] NodeId record_input(std::string_view pointer, double value, const Dim& dim);
  [[gnu::noinline]] NodeId record_leaf(std::string_view prefix, std::string_view name, double value, const Dim& dim,
                                       std::string_view source, std::string_view called = {});
  [[gnu::noinline]] NodeId record_method(std::string_view id, double value, const Dim& dim, std::string_view page);
  [[gnu::noinline]] NodeId record_sum(std::string_view id, double value, const Dim& dim, std::vector<NodeId> nodes);
  NodeId add(TraceNode node);
  NodeId add(Term term);
  NodeId node_of(const Operand& operand);
  std::string scoped(std::string_view pointer) const;

  std::map<std::string, std::string> origins_;
  std::vector<std::string> scopes_;
  std::vector<TraceNode> nodes_;
  std::vector<Term> terms_;
  std::vector<NodeId> shown_;
  std::map<std::string, NodeId> known_;  ///< nodes already recorded, so that a number told twice is one node
};

/// A T as an assembling function has it: traced or plain.
template <class Tracer, class T>
using Known = typename Tracer::template Known<T>;

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
