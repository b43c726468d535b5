#pragma once
/// What the tables of measured runs have in common, whatever they measured.
#include <string>
#include <vector>

namespace podwright {

/// One measured cell; the metric is the column's name.
struct Measured {
  std::string metric;  ///< step_time_s, ttft_ms, kv_tokens ...
  double value = 0;    ///< in the unit that the name ends in
};

/// A row whose configuration cannot be expressed.
struct SkippedRow {
  std::string id;
  int line = 0;
  std::string reason;
};

/// A table of measured runs as requests.
template <class Row>
struct MeasuredTable {
  std::vector<Row> rows;
  std::vector<SkippedRow> skipped;
};

/// A table of measured runs before it is read.
struct MeasuredFile {
  std::string name;  ///< in messages
  std::string csv;
};

}  // namespace podwright
