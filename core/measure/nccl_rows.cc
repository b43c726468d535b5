#include "measure/nccl_rows.h"

#include <algorithm>
#include <set>

#include "base/lower_case.h"
#include "base/number_text.h"
#include "measure/foreign_parts.h"

namespace podwright {
namespace {

/// Names without "_", "-" and "perf"; a longer name comes before the one that it contains.
constexpr std::array<std::string_view, 11> kCollectives = {"allreduce", "allgather", "reducescatter", "alltoallv",
                                                           "alltoall",  "sendrecv",  "broadcast",     "scatter",
                                                           "gather",    "hypercube", "reduce"};

struct NcclDtype {
  std::string_view name;
  std::string_view dtype;
};
constexpr NcclDtype kDtypes[] = {{"float", "fp32"},  {"half", "fp16"},    {"bfloat16", "bf16"},
                                 {"double", "fp64"}, {"fp8_e4m3", "fp8"}, {"fp8_e5m2", "fp8"},
                                 {"f8e4m3", "fp8"},  {"f8e5m2", "fp8"},   {"int8", "int8"}};

ProbeResult result_of(const NcclRow& row) {
  ProbeResult result;
  result.dtype = row.dtype;
  result.size.bytes = row.bytes;
  result.counted.bytes = row.bytes;
  result.variant.algorithm = row.variant;
  result.check.status = !row.wrong ? CheckStatus::not_checked : *row.wrong == 0 ? CheckStatus::pass : CheckStatus::fail;
  if (result.check.status == CheckStatus::fail)
    result.flags.push_back({FlagKind::wrong_result, shortest_number(*row.wrong) + " wrong values"});
  else
    result.time_s = summary_of(row.times_s);
  return result;
}

}  // namespace

std::string nccl_collective_in(std::string_view text) {
  std::string letters;
  for (const char c : lower_case(text.substr(text.find_last_of('/') + 1)))
    if (c != '_' && c != '-' && c != ' ') letters += c;
  for (const std::string_view known : kCollectives)
    if (letters.find(known) != std::string::npos) return std::string(known);
  return "";
}

std::string_view nccl_dtype(std::string_view name) {
  for (const NcclDtype& known : kDtypes)
    if (known.name == name) return known.dtype;
  return "";
}

Result<HardwareProfile> nccl_profile(const std::string& collective, std::span<const NcclRank> ranks,
                                     std::span<const NcclRow> rows, const std::string& path) {
  constexpr double kMostRanks = 10000;
  double all = 0;
  for (const NcclRank& rank : ranks) all += rank.processes;
  if (all > kMostRanks)
    return failure(foreign_error("out-of-range", path, "More than 10,000 ranks are named.", "an nccl-tests program"));
  if (all * static_cast<double>(rows.size()) > kMostRanks * 1000)
    return failure(foreign_error("out-of-range", path, "More than 10 million ranks in all rows are named.",
                                 "an nccl-tests program"));
  HardwareProfile profile = imported_profile("nccl-tests");
  std::map<int, int> of_group;
  std::set<std::string> hosts;
  std::vector<std::string> devices;
  for (const NcclRank& rank : ranks) {
    of_group[rank.group] += rank.processes;
    hosts.insert(rank.host);
    for (int i = 0; i < rank.processes; ++i) {
      ProfileDevice& device = imported_device(profile, static_cast<int>(devices.size()));
      device.name = rank.name;
      devices.push_back(device.id);
    }
  }
  if (devices.empty())
    return failure(foreign_error("missing", path, "Nothing says how many devices took part.", "an nccl-tests program"));
  // Groups of a split work at once; what a row says is of one of them.
  int members = 0;
  for (const auto& [group, count] : of_group) members = std::max(members, count);
  if (of_group.size() > 1) {
    devices.resize(static_cast<std::size_t>(members));
    profile.limits.push_back("The ranks were split into " + std::to_string(of_group.size()) +
                             " groups that worked at the same time: rows are of groups of " + std::to_string(members) +
                             " ranks.");
  }
  const bool loops = std::all_of(rows.begin(), rows.end(), [](const NcclRow& row) { return row.times_s.size() < 2; });
  if (loops) profile.limits.push_back("Times are means of a loop, not medians.");
  for (const NcclRow& row : rows) {
    ProbeResult result = result_of(row);
    result.probe = "coll." + collective;
    result.size.ranks = members;
    if (hosts.size() > 1 && of_group.size() == 1) result.size.nodes = static_cast<double>(hosts.size());
    result.devices = devices;
    profile.results.push_back(std::move(result));
  }
  return profile;
}

}  // namespace podwright
