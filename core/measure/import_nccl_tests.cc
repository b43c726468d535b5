#include <algorithm>
#include <vector>

#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"
#include "measure/nccl_rows.h"

namespace podwright {
namespace {

constexpr std::string_view kNcclTestsProgram = "an nccl-tests program";

Error wrong_nccl_tests_line(std::string code, int line, std::string message) {
  return foreign_error(std::move(code), ":" + std::to_string(line), std::move(message), kNcclTestsProgram);
}

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
  std::vector<NcclRank> ranks;
  bool host_time = false;  ///< -C: time of the processor
};

/// 0 where it is not one.
int small_number(std::string_view word) {
  const double number = number_of_text(word).value_or(0);
  return number >= 0 && number < 1e6 ? static_cast<int>(number) : 0;
}

/// "#  Rank  0 Group  0 Pid 100 on host device  0 [0000:1b:00] NVIDIA H100 80GB HBM3"
NcclRank rank_in(std::string_view line, const std::vector<std::string_view>& words) {
  NcclRank rank;
  rank.rank = small_number(words[2]);
  for (std::size_t i = 3; i + 1 < words.size(); ++i) {
    if (words[i] == "Group") rank.group = small_number(words[i + 1]);
    if (words[i] == "on") rank.host = words[i + 1];
  }
  if (const std::size_t name = line.find("] "); name != std::string_view::npos)
    rank.name = beginning_of(trimmed(line.substr(name + 2)), 80);
  return rank;
}

void read_comment(std::string_view line, Header& header) {
  if (const std::size_t at = line.find("_perf"); at != std::string_view::npos && header.collective.empty()) {
    std::size_t begin = at;
    while (begin > 0 && (is_word(line[begin - 1]))) --begin;
    header.collective = nccl_collective_in(line.substr(begin, at - begin));
  }
  const std::vector<std::string_view> words = columns_of(line);
  if (words.size() > 2 && words[1] == "Rank" && number_of_text(words[2])) header.ranks.push_back(rank_in(line, words));
  header.host_time = header.host_time || std::find(words.begin(), words.end(), "cputime") != words.end();
}

/// "0", "N/A"
std::optional<double> wrong_values(std::string_view word) {
  const auto count = number_of_text(word);
  return count && *count >= 0 ? count : std::nullopt;
}

/// size count type redop root, then time (us) algbw busbw #wrong out of place, and the same in place.
Result<NcclRow> read_row(const std::vector<std::string_view>& words, int line) {
  constexpr std::size_t kOneHalf = 9, kBoth = 13;
  const auto size = number_of_text(words[0]);
  const auto inside = [](double x, Range range) { return x >= range.min && x <= range.max; };
  if (words.size() < kOneHalf)
    return failure(wrong_nccl_tests_line(
        "missing", line,
        "A row of the table has " + std::to_string(words.size()) + " columns, at least 9 are expected."));
  const auto time = number_of_text(words[5]);
  if (!size || *size < 0 || !time || *time <= 0)
    return failure(wrong_nccl_tests_line("wrong-type", line, "Size and time are not positive numbers."));
  if (!inside(*size, kNcclBytes) || !inside(*time, kNcclMicroseconds))
    return failure(wrong_nccl_tests_line("out-of-range", line,
                                         "The size is not " + range_text(kNcclBytes) + " bytes, or the time not " +
                                             range_text(kNcclMicroseconds) + " us."));
  NcclRow row;
  row.bytes = *size;
  row.dtype = nccl_dtype(words[2]);
  row.times_s = {*time * 1e-6};
  row.wrong = wrong_values(words[8]);
  if (words.size() == kBoth)
    if (const auto in_place = wrong_values(words[12])) row.wrong = row.wrong.value_or(0) + *in_place;
  return row;
}

}  // namespace

Result<HardwareProfile> import_nccl_tests(std::string_view text, std::string_view file_name) {
  if (!trimmed(text).empty() && trimmed(text).front() == '{') return import_nccl_json(text, file_name);
  Header header;
  std::vector<NcclRow> rows;
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
    if (row->bytes > 0) rows.push_back(std::move(*row));
  }
  if (header.collective.empty()) header.collective = nccl_collective_in(file_name);
  if (rows.empty()) return failure(wrong_nccl_tests_line("missing", line_number, "There is no row of measured times."));
  if (header.ranks.empty())
    return failure(
        wrong_nccl_tests_line("missing", line_number, "No line \"#  Rank ...\" says how many devices took part."));
  if (header.host_time)
    return failure(wrong_nccl_tests_line("out-of-range", line_number,
                                         "The times are those of the processor (-C), not of the collective."));
  if (header.collective.empty())
    return failure({"missing", "/collective", "The text does not say which collective was measured.",
                    "Name the file after it: all_reduce_perf.txt, or all_gather, reduce_scatter, alltoall, sendrecv "
                    "or broadcast; or begin the text with a line \"# all_reduce_perf\"."});
  return nccl_profile(header.collective, header.ranks, rows, ":" + std::to_string(line_number));
}

}  // namespace podwright
