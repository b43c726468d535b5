#include <algorithm>
#include <array>
#include <vector>

#include "base/lower_case.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"

namespace podwright {
namespace {

constexpr std::string_view kNcclTestsProgram = "an nccl-tests program";

Error wrong_nccl_tests_line(std::string code, int line, std::string message) {
  return foreign_error(std::move(code), ":" + std::to_string(line), std::move(message), kNcclTestsProgram);
}

struct CollectiveName {
  std::string_view program;
  std::string_view probe;
};
constexpr std::array<CollectiveName, 6> kCollectives = {{{"all_reduce_perf", "allreduce"},
                                                         {"all_gather_perf", "allgather"},
                                                         {"reduce_scatter_perf", "reducescatter"},
                                                         {"alltoall_perf", "alltoall"},
                                                         {"sendrecv_perf", "sendrecv"},
                                                         {"broadcast_perf", "broadcast"}}};

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(" \t\r"); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(" \t\r", end);
  }
  return words;
}

/// What the comment lines say.
struct Header {
  std::string collective;
  int ranks = 0;
};

/// The collective that a text names, as "all_reduce_perf", "AllReduce" or "all-reduce"; empty where it names none.
std::string collective_in(std::string_view text) {
  std::string letters;
  for (const char c : lower_case(text))
    if (c != '_' && c != '-' && c != ' ') letters += c;
  for (const CollectiveName& known : kCollectives)
    if (letters.find(known.probe) != std::string::npos) return std::string(known.probe);
  return "";
}

void read_comment(std::string_view line, Header& header) {
  for (const CollectiveName& known : kCollectives)
    if (line.find(known.program) != std::string_view::npos) header.collective = known.probe;
  const std::vector<std::string_view> words = columns_of(line);
  if (words.size() > 2 && words[1] == "Rank") ++header.ranks;
}

/// size count type redop root, then time (us) algbw busbw #wrong_nccl_tests_line out of place, and the same in place.
Result<ProbeResult> read_row(const std::vector<std::string_view>& words, int line) {
  const auto size = number_of_text(words[0]);
  if (words.size() < 9)
    return failure(wrong_nccl_tests_line(
        "missing", line,
        "A row of the table has " + std::to_string(words.size()) + " columns, at least 9 are expected."));
  const auto time = number_of_text(words[5]);
  if (!size || *size < 0 || !time || *time <= 0)
    return failure(wrong_nccl_tests_line("wrong-type", line, "Size and time are not positive numbers."));
  ProbeResult result;
  result.dtype = words[2] == "float" ? "fp32" : words[2] == "half" ? "fp16" : words[2] == "bfloat16" ? "bf16" : "";
  result.size.bytes = *size;
  result.counted.bytes = *size;
  const auto errors = number_of_text(words[8]);
  result.check.status = !errors ? CheckStatus::not_checked : *errors == 0 ? CheckStatus::pass : CheckStatus::fail;
  if (result.check.status == CheckStatus::fail) {
    result.flags.push_back({FlagKind::wrong_result, std::string(words[8]) + " wrong values"});
  } else {
    result.time_s = summary_of(std::array<double, 1>{*time * 1e-6});
  }
  return result;
}

}  // namespace

Result<HardwareProfile> import_nccl_tests(std::string_view text, std::string_view file_name) {
  Header header;
  std::vector<ProbeResult> rows;
  int line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    const std::vector<std::string_view> words = columns_of(line);
    if (words.empty()) continue;
    if (words[0].front() == '#') {
      read_comment(line, header);
      continue;
    }
    if (!number_of_text(words[0])) continue;  // other programs write between the rows
    auto row = read_row(words, line_number);
    if (!row) return failure(row.error());
    if (*row->size.bytes > 0) rows.push_back(std::move(*row));
  }
  if (header.collective.empty()) header.collective = collective_in(file_name);
  if (rows.empty()) return failure(wrong_nccl_tests_line("missing", line_number, "There is no row of measured times."));
  if (header.ranks == 0)
    return failure(
        wrong_nccl_tests_line("missing", line_number, "No line \"#  Rank ...\" says how many devices took part."));
  if (header.collective.empty())
    return failure({"missing", "/collective", "The text does not say which collective was measured.",
                    "Name the file after it: all_reduce_perf.txt, or all_gather, reduce_scatter, alltoall, sendrecv "
                    "or broadcast; or begin the text with a line \"# all_reduce_perf\"."});
  HardwareProfile profile = imported_profile("nccl-tests");
  profile.limits.push_back("Times are means of a loop, not medians.");
  std::vector<std::string> devices;
  for (int rank = 0; rank < header.ranks; ++rank) devices.push_back(imported_device(profile, rank).id);
  for (ProbeResult& row : rows) {
    row.probe = "coll." + header.collective;
    row.size.ranks = header.ranks;
    row.devices = devices;
    profile.results.push_back(std::move(row));
  }
  return profile;
}

FileFields nccl_tests_fields(std::string_view) {
  return {{"# Rank", "size", "type", "time", "#wrong"},
          {"count", "redop", "root", "algbw", "busbw", "time in place", "algbw in place", "busbw in place"},
          {}};
}

}  // namespace podwright
