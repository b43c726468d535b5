#pragma once
/// What a healthy device reaches in a probe, as published or as this project's floors. docs/method/probes.md#norms.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/item.h"
#include "catalog/probe_size.h"

namespace podwright {

enum class NormKind {
  band,      ///< what others published: 10 %, 50 % and 90 % of their shapes or runs; 50 % may be absent
  floor,     ///< what any device of the kind should reach, and below what it is bad
  landmark,  ///< a rate near which something is known to be off; the note says what
};
inline constexpr std::array<std::string_view, 3> kNormKindWords = {"band", "floor", "landmark"};

/// Which results a row is about.
enum class NormSizes {
  any,             ///< the probe has one size
  bytes,           ///< at least `least_bytes`
  one_row,         ///< the same, and products of one row
  large_products,  ///< each product of at least 2048 in m, n and k and 4096^3 in all
  nine_products,   ///< the median over the nine shapes on which products are judged
};
inline constexpr std::array<std::string_view, 5> kNormSizesWords = {"any", "bytes", "one-row", "large-products",
                                                                    "nine-products"};

/// What shares are shares of.
enum class NormDenominator {
  none,              ///< the numbers are in their unit
  peak,              ///< dense rate of the format in the data sheet
  memory_bandwidth,  ///< from bus and clock where the driver tells them, else of the data sheet
  memory,            ///< that the driver reports
  link,              ///< one direction of the link between devices, data sheet
  negotiated_link,   ///< one direction of the host link at the generation and width under load
};
inline constexpr std::array<std::string_view, 6> kNormDenominatorWords = {"none",   "peak", "memory-bandwidth",
                                                                          "memory", "link", "negotiated-link"};

struct ProbeNorm : CatalogItem {
  NormKind kind = NormKind::floor;
  std::string gpu_id;  ///< "any" for all
  std::string probe;
  std::string dtype;  ///< empty: any
  ProbeMode mode = ProbeMode::burst;
  NormSizes sizes = NormSizes::any;
  std::optional<double> least_bytes;
  std::optional<double> ranks;
  std::optional<double> link_generation;  ///< of PCI Express
  bool is_time = false;                   ///< the numbers are seconds, of which fewer are better
  NormDenominator denominator = NormDenominator::none;
  std::optional<double> p10, p50, p90;  ///< FLOP/s or B/s; a landmark has p50 alone
  std::optional<double> ok, low;        ///< shares, or base units where there is no denominator
  std::string note;
};

}  // namespace podwright
