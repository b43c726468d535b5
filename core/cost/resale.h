#pragma once
/// What used servers sell for, as a share of their price when new, by age. The curve goes through rows of the resale
/// table and has its steepest part where the next generation of GPUs ships. docs/method/ownership.md#residual-value.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"

namespace podwright {

/// A point on the line between two values; `share` of the way.
constexpr auto interpolated(Of<double> auto from, Of<double> auto to, Of<double> auto share) {
  return cited("docs/method/ownership.md#residual-value", from + (to - from) * share);
}

/// How far an age lies between two ages.
constexpr auto share_of_way(Of<double> auto age, Of<double> auto from_age, Of<double> auto to_age) {
  return (age - from_age) / (to_age - from_age);
}

/// Age on the curve before the next generation ships: stretched so that it ships at the curve's kink.
constexpr auto age_before_kink(Of<double> auto age, Of<double> auto next_generation_age, Of<double> auto kink_age) {
  return cited("docs/method/ownership.md#residual-value", age * kink_age / next_generation_age);
}

/// Age on the curve after it has shipped: shifted.
constexpr auto age_after_kink(Of<double> auto age, Of<double> auto next_generation_age, Of<double> auto kink_age) {
  return cited("docs/method/ownership.md#residual-value", age - next_generation_age + kink_age);
}

constexpr auto middle_of(Of<double> auto low, Of<double> auto high) { return (low + high) / 2.0; }

enum class BandEdge { low, middle, high };

/// Points in the order of age. Pointers into the catalog.
struct ResaleCurve {
  std::vector<const ResaleValue*> points;
  const ResaleValue* kink = nullptr;  ///< the row that begins where the next generation ships
  std::string absence;                ///< why there is no curve; empty where there is one
};

/// The curve of a server with GPUs of any kind.
ResaleCurve resale_curve(const Catalog& catalog);

/// What is left at an age.
template <class Tracer>
struct AgeMark {
  Known<Tracer, double> age;
  Known<Tracer, double> share;
};

/// Straight between `marks` of rising age, which `mark_of(i)` gives; all is left when new, and beyond the last mark its
/// share stays.
template <class Tracer, class MarkOf>
Known<Tracer, double> share_at_age(const Known<Tracer, double>& age, std::size_t marks, const MarkOf& mark_of) {
  AgeMark<Tracer> before{.age = 0.0, .share = 1.0};
  for (std::size_t i = 0; i < marks; ++i) {
    const AgeMark<Tracer> next = mark_of(i);
    if (value_of(age) < value_of(next.age)) {
      const auto way = named("cost.share_of_way", share_of_way(age, before.age, next.age));
      return named("cost.resale_fraction", interpolated(before.share, next.share, way));
    }
    before = next;
  }
  return before.share;
}

namespace resale_detail {

template <class Tracer>
AgeMark<Tracer> mark(Tracer& trace, const ResaleValue& row, BandEdge edge) {
  const auto age = named("cost.resale_age", middle_of(trace.fact(row, "age_months_from", *row.age_months_from),
                                                      trace.fact(row, "age_months_to", *row.age_months_to)));
  const auto low = trace.fact(row, "fraction_low", *row.fraction_low);
  const auto high = trace.fact(row, "fraction_high", *row.fraction_high);
  return {.age = age,
          .share = edge == BandEdge::low    ? low
                   : edge == BandEdge::high ? high
                                            : named("cost.resale_share", middle_of(low, high))};
}

}  // namespace resale_detail

/// Share of the price at an age in months, at least 0. `next_generation_age` is the age at which the next generation
/// ships; absent: that of the table. Ages beyond the last point keep its share. The curve must not be absent.
template <class Tracer>
Known<Tracer, double> resale_fraction(Tracer& trace, const ResaleCurve& curve, const Known<Tracer, double>& age_months,
                                      const std::optional<Known<Tracer, double>>& next_generation_age, BandEdge edge) {
  auto age = age_months;
  if (next_generation_age) {
    const auto kink = trace.fact(*curve.kink, "age_months_from", *curve.kink->age_months_from);
    age = value_of(age_months) < value_of(*next_generation_age)
              ? named("cost.age_on_curve", age_before_kink(age_months, *next_generation_age, kink))
              : named("cost.age_on_curve", age_after_kink(age_months, *next_generation_age, kink));
  }
  return share_at_age<Tracer>(age, curve.points.size(),
                              [&](std::size_t i) { return resale_detail::mark(trace, *curve.points[i], edge); });
}

}  // namespace podwright
