#pragma once
/// What the readers of nccl-tests' table and of its JSON file share.
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/object_reader.h"
#include "base/result.h"
#include "measure/profile.h"

namespace podwright {

/// Who took part: what the lines "#  Rank ..." and the list "devices" say.
struct NcclRank {
  int rank = 0;
  int group = 0;      ///< of the split; 0 where the ranks were not split
  std::string host;   ///< to tell nodes apart; never kept
  std::string name;   ///< of the GPU
  int processes = 1;  ///< ranks that this entry stands for
};

/// What a row can tell: of the message, and of a time in microseconds.
inline constexpr Range kNcclBytes{0, 1e18}, kNcclMicroseconds{1e-6, 1e12};

/// One row: of the output buffer apart from the input's where that was measured, else in place.
struct NcclRow {
  double bytes = 0;
  std::string_view dtype;       ///< as profiles write it
  std::vector<double> times_s;  ///< one mean of a loop, or each operation
  std::optional<double> wrong;  ///< values; absent where they were not checked
  std::string variant;          ///< "in place", or empty
};

/// The collective that a text names, as "all_reduce_perf", "AllReduce" or "all-reduce"; empty where it names none.
std::string nccl_collective_in(std::string_view text);
/// NCCL's name of a type as profiles write it; empty where it does not matter.
std::string_view nccl_dtype(std::string_view name);

/// All rows as results of one collective between the ranks. Error "missing" with `path` where no rank is named.
Result<HardwareProfile> nccl_profile(const std::string& collective, std::span<const NcclRank> ranks,
                                     std::span<const NcclRow> rows, const std::string& path);

/// nccl-tests -J: the same of its JSON file. Error paths are JSON Pointers.
Result<HardwareProfile> import_nccl_json(std::string_view text, std::string_view file_name);

}  // namespace podwright
