#pragma once
/// Arithmetic that records itself. A formula is a small pure function, written once, as a template over its values:
///
///   /// Idle time of a pipeline; `stage_time` is forward and backward of one micro-batch.
///   constexpr auto bubble_time(Of<double> auto stages, Of<double> auto chunks, Of<Seconds> auto stage_time) {
///     return cited("arXiv 2104.04473 section 2.2", (stages - 1.0) / chunks * stage_time);
///   }
///
/// Of plain numbers it is a constant expression. Of traced ones the operators write down what they compute, and
/// `named("perf.pipeline_bubble", bubble_time(p, v, t))` makes one explained number of it, whose equation is over the
/// names of the numbers that entered.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"

namespace podwright {

/// A value of type T, plain or traced.
template <class V, class T>
concept Of = std::same_as<V, T> || std::same_as<V, Traced<T>>;

template <class V>
inline constexpr bool kIsTraced = false;
template <class T>
inline constexpr bool kIsTraced<Traced<T>> = true;
template <class... V>
concept SomeTraced = (kIsTraced<V> || ...);

namespace detail {

template <class T>
constexpr const Traced<T>& operand(const Traced<T>& x) {
  return x;
}
template <class T>
constexpr Traced<T> operand(const T& plain) {
  return {plain};
}

/// `sign` is + - * / ^ or the name of a function.
template <class A, class B, class R>
Traced<R> recorded(const char* sign, const A& a, const B& b, R value) {
  const auto& [first, first_node, first_trace] = operand(a);
  const auto& [second, second_node, second_trace] = operand(b);
  Trace* trace = first_trace != nullptr ? first_trace : second_trace;
  if (trace == nullptr) return value;
  return {value, trace->operation(sign, {first_node, raw(first)}, {second_node, raw(second)}), trace};
}
template <class T, class R>
Traced<R> recorded(const char* sign, const Traced<T>& a, R value) {
  if (a.trace == nullptr) return value;
  return {value, a.trace->operation(sign, {a.node, raw(a.value)}), a.trace};
}

}  // namespace detail

template <class A, class B>
requires SomeTraced<A, B>
auto operator+(const A& a, const B& b) { return detail::recorded("+", a, b, value_of(a) + value_of(b)); }
template <class A, class B>
requires SomeTraced<A, B>
auto operator-(const A& a, const B& b) { return detail::recorded("-", a, b, value_of(a) - value_of(b)); }
template <class A, class B>
requires SomeTraced<A, B>
auto operator*(const A& a, const B& b) { return detail::recorded("*", a, b, value_of(a) * value_of(b)); }
template <class A, class B>
requires SomeTraced<A, B>
auto operator/(const A& a, const B& b) { return detail::recorded("/", a, b, value_of(a) / value_of(b)); }
template <class T>
auto operator-(const Traced<T>& a) {
  return detail::recorded("-", a, -a.value);
}
template <class T, class V>
Traced<T>& operator+=(Traced<T>& a, const V& b) {
  return a = a + b;
}

template <class A, class B>
constexpr auto max(const A& a, const B& b) {
  if constexpr (SomeTraced<A, B>)
    return detail::recorded("max", a, b, std::max(value_of(a), value_of(b)));
  else
    return std::max(a, b);
}
template <class A, class B>
constexpr auto min(const A& a, const B& b) {
  if constexpr (SomeTraced<A, B>)
    return detail::recorded("min", a, b, std::min(value_of(a), value_of(b)));
  else
    return std::min(a, b);
}
inline double ceil(double x) { return std::ceil(x); }
inline double floor(double x) { return std::floor(x); }
inline double sqrt(double x) { return std::sqrt(x); }
inline Traced<double> ceil(const Traced<double>& x) { return detail::recorded("ceil", x, std::ceil(x.value)); }
inline Traced<double> floor(const Traced<double>& x) { return detail::recorded("floor", x, std::floor(x.value)); }
inline Traced<double> sqrt(const Traced<double>& x) { return detail::recorded("sqrt", x, std::sqrt(x.value)); }
namespace math {
inline Traced<double> exp(const Traced<double>& x) { return detail::recorded("exp", x, math::exp(x.value)); }
inline Traced<double> log(const Traced<double>& x) { return detail::recorded("log", x, math::log(x.value)); }
template <class A, class B>
requires SomeTraced<A, B> Traced<double> pow(const A& base, const B& exponent) {
  return podwright::detail::recorded("^", base, exponent, math::pow(value_of(base), value_of(exponent)));
}
}  // namespace math

/// The same number as a quantity of another kind, in base units: work that follows from counts, for example.
template <class T, class V>
constexpr auto in(const V& x) {
  if constexpr (kIsTraced<V>)
    return Traced<T>{T(raw(x.value)), x.node, x.trace};
  else
    return T(raw(x));
}
/// The plain number inside a traced quantity, still traced.
template <Dim D>
Traced<double> raw(const Traced<Quantity<D>>& x) {
  return {raw(x.value), x.node, x.trace};
}

/// Says where an expression comes from; without it the source is "definition".
template <class V>
constexpr V cited(std::string_view, const V& value) {
  return value;
}
template <class T>
Traced<T> cited(std::string_view source, const Traced<T>& x) {
  if (x.trace == nullptr) return x;
  return {x.value, x.trace->citation(source, {x.node, raw(x.value)}), x.trace};
}

/// Makes an expression an explained number.
template <class V>
constexpr V named(std::string_view, const V& value) {
  return value;
}
template <class T>
Traced<T> named(std::string_view id, const Traced<T>& x) {
  if (x.trace == nullptr) return x;
  return {x.value, x.trace->number(id, {x.node, raw(x.value)}, DimOf<T>::value), x.trace};
}

}  // namespace podwright
