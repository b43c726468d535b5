#pragma once
/// Cells of a table of measured runs: numbers, yes or no, and the words that sources use for precisions, recompute and
/// schedules.
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_read.h"
#include "base/lower_case.h"
#include "base/result.h"
#include "memory/training_run.h"

namespace podwright {

bool has_word(const std::vector<std::string>& words, std::initializer_list<std::string_view> wanted);
/// True where `part` stands anywhere in `text`.
inline bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
/// True for a cell that says nothing: empty, or "-", "n/a", "none given" and the like.
bool blank_cell(std::string_view text);
/// A number as tables print it ("8", "1,024", "0.9"); absent for any other text.
std::optional<double> cell_number(std::string_view text);
std::optional<bool> cell_flag(std::string_view text);

struct WrittenPrecision {
  Precision precision = Precision::bf16;
  std::optional<Fp8Recipe> recipe;  ///< where the spelling tells it: "fp8-cs", "fp8-delayed", "fp8 blockwise"
};
/// "bf16-mixed", "amp_fp16", "FP8-MX", "float8 rowwise"; absent where no precision is named.
std::optional<WrittenPrecision> written_precision(std::string_view text);
/// "full", "selective", "none" and their relatives; a list of modules is selective.
std::optional<Recompute> written_recompute(std::string_view text);
struct WrittenSchedule {
  Schedule schedule = Schedule::one_f_one_b;
  bool exact = true;  ///< false: the nearest of the schedules that are known
};
std::optional<WrittenSchedule> written_schedule(std::string_view text);
/// "full", "sft", "pretraining", "lora", "qlora".
std::optional<TrainingMethod> written_method(std::string_view text);
/// The first number with a point between digits: "24.07" of "NeMo 24.07 / Megatron-Core", "0.8.0" of "r0.8.0".
std::string version_in(std::string_view text);

/// The number in front of a phrase: 4 of "4 GPUs per node".
std::optional<double> number_before(std::string_view text, std::string_view phrase);
/// "inf" and its relatives: no number, and no mistake either.
bool unbounded(std::string_view text);

/// True where so many parts of this size make up the whole.
bool divides(double part, double whole);
double common_divisor(double a, double b);
/// The largest whole number up to `most` that divides `whole`; 1 where that is below 1.
double largest_divisor(double whole, double most);

/// One line of a table. A cell that should be a number and is not becomes an error with the line's number.
class MeasuredCells {
 public:
  MeasuredCells(const CsvTable& table, const CsvTable::Row& row, std::string_view file, Errors& errors)
      : table_(table), row_(row), file_(file), errors_(errors) {}

  bool has(std::string_view column) const { return table_.column(column) >= 0; }
  /// Empty where the column is missing or the cell says nothing.
  std::string text(std::string_view column) const;
  std::optional<double> number(std::string_view column) const;
  /// A whole number of 1 to 100 million.
  std::optional<double> size(std::string_view column) const;
  /// A number; absent where it is unbounded().
  std::optional<double> rate(std::string_view column) const;
  std::optional<bool> flag(std::string_view column) const;

 private:
  void wrong(std::string_view column, std::string_view expected) const;

  const CsvTable& table_;
  const CsvTable::Row& row_;
  std::string_view file_;
  Errors& errors_;
};

}  // namespace podwright
