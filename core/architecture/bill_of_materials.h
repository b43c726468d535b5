#pragma once
/// What has to be bought for a design, line by line.
#include <optional>
#include <string>
#include <vector>

#include "base/trace.h"

namespace podwright {

template <class Tracer>
struct BillLine {
  std::string category;  ///< system, switch, cable, transceiver, server, rack, pdu, licence
  std::string item_id;   ///< of the catalog; empty for what is not an item of its own
  std::string name;      ///< as one would order it
  std::string use;       ///< compute, storage, in-band, out-of-band, management, site, software
  typename Tracer::template Known<double> count{};
  std::string unit;  ///< pieces, licences
  std::string note;  ///< what the count stands for or does not hold; may be empty
};

/// Lines with a count, in the order of categories, and what no count is known of.
template <class Tracer>
struct BillOfMaterials {
  std::vector<BillLine<Tracer>> lines;
  std::vector<std::string> not_counted;
};

}  // namespace podwright
