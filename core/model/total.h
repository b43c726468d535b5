#pragma once
/// A sum that grows part by part. With NoTrace it is one number and never allocates; with Trace it keeps the nodes of
/// its parts.
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/trace.h"

namespace podwright {

template <class Tracer, class T>
class Total {
 public:
  using Known = typename Tracer::template Known<T>;

  void add(const Known& part) {
    if constexpr (Tracer::kRecords) {
      parts_.push_back(part);
    } else {
      total_ += part;
    }
  }
  Known sum(Tracer& trace, std::string_view id) const {
    if constexpr (Tracer::kRecords) {
      return trace.sum(id, parts_);
    } else {
      static_cast<void>(trace);
      static_cast<void>(id);
      return total_;
    }
  }

 private:
  struct Nothing {};
  T total_{};
  std::conditional_t<Tracer::kRecords, std::vector<Known>, Nothing> parts_;
};

/// Sum of a few parts.
template <class Tracer, class First, class... Rest>
auto sum_of(Tracer& trace, std::string_view id, const First& first, const Rest&... rest) {
  using T = std::remove_cv_t<std::remove_reference_t<decltype(value_of(first))>>;
  Total<Tracer, T> total;
  total.add(first);
  (total.add(rest), ...);
  return total.sum(trace, id);
}

}  // namespace podwright
