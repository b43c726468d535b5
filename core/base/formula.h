#pragma once
/// A formula: a small pure function together with the text that people read.
///
///   constexpr Seconds transfer_time(Bytes payload, BytesPerSecond bandwidth) { return payload / bandwidth; }
///   inline constexpr Formula<transfer_time> kTransferTime{
///       .id = "perf.transfer_time", .inputs = {"payload", "bandwidth"}, .equation = "payload / bandwidth", .source =
///       "definition"};
///
/// `equation` uses + - * / ^, parentheses, min, max, ceil, floor, sqrt, exp over the names in `inputs`, in base units.
/// A test parses it and compares it with the function on random inputs, so text and code cannot part.
#include <array>
#include <cstddef>
#include <string_view>

namespace podwright {

template <class F>
inline constexpr std::size_t kArity = 0;
template <class R, class... A>
inline constexpr std::size_t kArity<R (*)(A...)> = sizeof...(A);

template <auto Function>
struct Formula {
  static constexpr std::size_t kInputs = kArity<decltype(Function)>;
  std::string_view id;
  std::array<std::string_view, kInputs> inputs;
  std::string_view equation;
  std::string_view source;
};

}  // namespace podwright
