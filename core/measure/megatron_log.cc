#include "measure/megatron_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "measure/foreign_parts.h"
#include "measure/serving_figures.h"

namespace podwright {
namespace {

constexpr ForeignProgram kMegatron{"a log of Megatron-LM"};
constexpr std::string_view kRank = "[Rank ";
constexpr std::string_view kMemory = " memory (MB) | allocated: ";
constexpr std::string_view kTheory = "Theoretical memory footprints: weight and optimizer=";
constexpr std::string_view kFull = "CUDA out of memory";
constexpr std::string_view kScript = "pretrain_gpt.py";
/// The states of the optimizer are there after the first step, and the fullest moment comes after that.
constexpr double kFirstWholeStep = 2;
constexpr double kMostRanksOfRun = 1e7;

constexpr std::array<std::string_view, 11> kLayoutArguments{"tensor-model-parallel-size",
                                                            "pipeline-model-parallel-size",
                                                            "context-parallel-size",
                                                            "expert-model-parallel-size",
                                                            "expert-tensor-parallel-size",
                                                            "micro-batch-size",
                                                            "global-batch-size",
                                                            "seq-length",
                                                            "num-layers",
                                                            "hidden-size",
                                                            "world-size"};

/// What follows `before` in a text; absent where it is not there.
std::optional<std::string_view> after(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + before.size());
}

/// The number that a text begins with, without a sign.
std::optional<double> leading_number(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  return number_of_text(text.substr(0, end));
}

std::optional<double> number_after(std::string_view text, std::string_view before) {
  const auto rest = after(text, before);
  return rest ? leading_number(*rest) : std::nullopt;
}

class MegatronReader {
 public:
  explicit MegatronReader(std::string_view text) : text_(text) {}

  Result<MegatronLog> read() {
    for (const LogLine& line : lines_of(text_)) {
      read_arguments(line.text);
      log_.out_of_memory = log_.out_of_memory || line.text.find(kFull) != std::string_view::npos;
      if (auto read = read_theory(line); !read) return failure(read.error());
      if (auto read = read_memory(line); !read) return failure(read.error());
    }
    if (log_.ranks.empty() && !log_.out_of_memory)
      return failure(kMegatron.error(
          "missing", "",
          early_ ? "The log ends after the first step, when the optimizer had no states yet: the memory of the second "
                   "step counts."
                 : "No line \"[Rank N] (after 2 iterations) memory (MB) | ...\" says what a rank has allocated."));
    std::sort(log_.ranks.begin(), log_.ranks.end(),
              [](const MegatronRank& a, const MegatronRank& b) { return a.rank < b.rank; });
    return std::move(log_);
  }

 private:
  /// Of "[Rank 8] (after 2 iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 | reserved: 3.0 | max
  /// reserved: 4.0"; ranks that write at once may share a line.
  Result<void> read_memory(const LogLine& line) {
    std::string_view rest = line.text;
    for (std::size_t at = rest.find(kRank); at != std::string_view::npos; at = rest.find(kRank)) {
      rest.remove_prefix(at + kRank.size());
      const std::string_view report = rest.substr(0, rest.find(kRank));
      const std::size_t mark = report.find(kMemory);
      if (mark == std::string_view::npos) {
        if (report.find(" memory (MB)") != std::string_view::npos) return damaged(line);
        continue;
      }
      const auto rank = leading_number(report);
      const auto allocated = number_after(report, "| max allocated: ");
      if (!rank || *rank > kMostRanksOfRun || *rank != std::floor(*rank) || !allocated) return damaged(line);
      if (const auto steps = steps_of(report.substr(0, mark)); steps && *steps < kFirstWholeStep) {
        early_ = true;
        continue;
      }
      const bool has_reserved = report.find("| max reserved") != std::string_view::npos;
      const auto reserved = number_after(report, "| max reserved: ");
      if ((has_reserved && !reserved) || (reserved && *reserved < *allocated)) return damaged(line);
      keep(*rank, mib(*allocated), reserved);
    }
    return {};
  }

  /// "(after 2 iterations)", "(before save_checkpoint for iteration 10)".
  static std::optional<double> steps_of(std::string_view report) {
    const auto steps = number_after(report, "(after ");
    return steps ? steps : number_after(report, " iteration ");
  }

  void keep(double rank, Bytes allocated, const std::optional<double>& reserved) {
    const auto [place, added] = place_of_rank_.try_emplace(rank, log_.ranks.size());
    if (added) log_.ranks.push_back({.rank = rank, .max_allocated = allocated, .max_reserved = {}});
    MegatronRank& found = log_.ranks[place->second];
    found.max_allocated = std::max(found.max_allocated, allocated);
    if (reserved) found.max_reserved = std::max(found.max_reserved.value_or(Bytes(0)), mib(*reserved));
  }

  Result<void> read_theory(const LogLine& line) {
    const auto rest = after(line.text, kTheory);
    if (!rest) return {};
    const auto weights = leading_number(*rest);
    const auto activations = number_after(*rest, "activation=");
    const auto total = number_after(*rest, "total=");
    if (!weights || !activations || !total) return damaged(line);
    log_.theory = MegatronTheory{mib(*weights), mib(*activations), mib(*total)};
    return {};
  }

  static Result<void> damaged(const LogLine& line) {
    return failure(kMegatron.error("wrong-type", line.path, "The line of memory is cut off or damaged."));
  }

  /// Of a command, "--seq-length 8192", "--seq-length=8192" and "RANK=384", and of the printed arguments, "seq_length
  /// ..... 8192". The first counts: what is printed comes after the command.
  void read_arguments(std::string_view line) {
    const bool printed = line.find(" ....") != std::string_view::npos;
    if (printed) read_printed(trimmed(line));
    if (line.find(kScript) == std::string_view::npos) return;
    for (const std::string_view name : kLayoutArguments)
      for (const char* sign : {" ", "="})
        if (const auto value = number_after(line, "--" + std::string(name) + sign))
          log_.arguments.emplace(name, *value);
    for (const auto& [variable, name] : {std::pair{" WORLD_SIZE=", "world-size"}, std::pair{" RANK=", "rank"}})
      if (const auto value = number_after(line, variable)) log_.arguments.emplace(name, *value);
  }

  void read_printed(std::string_view line) {
    const std::size_t space = line.find(" ....");
    if (space == std::string_view::npos) return;
    std::string name(line.substr(line.rfind(' ', space - 1) + 1, space - line.rfind(' ', space - 1) - 1));
    std::replace(name.begin(), name.end(), '_', '-');
    const std::size_t number = line.find_first_not_of('.', space + 1);
    if (std::find(kLayoutArguments.begin(), kLayoutArguments.end(), name) == kLayoutArguments.end() ||
        number == std::string_view::npos || line[number] != ' ')
      return;
    if (const auto value = number_of_text(trimmed(line.substr(number)))) log_.arguments.emplace(name, *value);
  }

  std::string_view text_;
  MegatronLog log_;
  std::map<double, std::size_t> place_of_rank_;
  bool early_ = false;
};

}  // namespace

bool is_megatron_log(std::string_view text) {
  const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
  return (has(kRank) && has(" memory (MB)")) || has(kTheory) || (has(kScript) && has("--tensor-model-parallel-size"));
}

Result<MegatronLog> import_megatron_log(std::string_view text) { return MegatronReader(text).read(); }

}  // namespace podwright
