#pragma once
/// What the probes saw on a verified machine of a GPU: what other machines of this GPU are compared with.
/// docs/method/probes.md#reference.
#include <string>
#include <string_view>
#include <vector>

#include "catalog/item.h"
#include "catalog/probe_size.h"

namespace podwright {

/// One result of the reference profile. Only results of the same GPU, probe, way, dtype, mode, size and version of the
/// probe may be compared with it.
struct ReferenceRate : CatalogItem {
  std::string gpu_id;
  std::string probe;
  std::string way;    ///< library or kernel that did it; empty where the probe does not say
  std::string dtype;  ///< empty where it does not matter
  ProbeMode mode = ProbeMode::burst;
  ProbeSize size;
  double low = 0;  ///< FLOP/s, B/s, or s of a collective; 95 % interval of the median
  double rate = 0;
  double high = 0;
  std::string unit;  ///< of the file: TFLOP/s, GB/s, us
  int probe_version = 1;
};

/// Base units of a unit of the file; 0 where it is none.
double reference_unit(std::string_view sign);

/// The table as text, in the order of `rates`; numbers to 6 digits.
std::string reference_table(const std::vector<ReferenceRate>& rates);

}  // namespace podwright
