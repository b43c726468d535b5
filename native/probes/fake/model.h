#pragma once
/// Healthy devices that scripts imagine: what they tell of themselves and how long one operation takes.
#include <string>

#include "probes/backend.h"

namespace podwright::probes::fake {

/// What the backend's inventory tells.
struct ModelFacts {
  const char* name;
  const char* compute_capability;
  double capability;
  double memory_bytes;
  double l2_bytes;
  double bytes_per_s;  ///< of memory, by bus and clock
  double sm_count;
  double sm_clock_hz;
  double power_w;
  double pcie_generation;
  double nvlinks;
};

class Model {
 public:
  virtual ~Model() = default;
  virtual ModelFacts facts() const = 0;
  /// Of one operation, without noise. `hidden`: share of the shorter of a product and an all-reduce that both at once
  /// hide.
  virtual double seconds(const PwCase& one, double hidden) const = 0;
};

/// "h100": what tables of an H100 SXM5 report. Any other name: a device of round figures that is no product.
const Model& model_named(const std::string& name);

}  // namespace podwright::probes::fake
