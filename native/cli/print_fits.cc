#include "cli/print_fits.h"

#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kFitIndent = 12;

std::string percent_or_dash(const std::optional<double>& share) { return share ? percent_cell(*share) : "-"; }

/// A number of an answer with the unit that its key ends in.
std::string with_unit(std::string_view key, double value) {
  if (key.ends_with("_us")) return human_number(value) + " us";
  if (key.ends_with("_gb_per_s")) return human_number(value, 4) + " GB/s";
  if (key.ends_with("_mib")) return human_number(value, 4) + " MiB";
  if (key.ends_with("_efficiency") || key.ends_with("_share") || key.ends_with("_error")) return percent_cell(value);
  return human_number(value, 4);
}

/// "compute efficiency" of "compute_efficiency": without the unit, which stands at the number.
std::string words_of_fit(std::string_view key) {
  for (const std::string_view unit : {"_us", "_gb_per_s", "_mib"})
    if (key.ends_with(unit)) key.remove_suffix(unit.size());
  std::string label(key);
  std::replace(label.begin(), label.end(), '_', ' ');
  return label;
}

std::string numbers_text(const FitRow& row) {
  std::string text;
  for (const FitNumber& one : row.numbers)
    text += (text.empty() ? "" : ", ") + words_of_fit(one.key) + " " + with_unit(one.key, one.value);
  if (row.sustained_is_measured) text += *row.sustained_is_measured ? " (measured)" : " (published)";
  return text;
}

std::string size_text(std::string_view key, double size) {
  if (!key.ends_with("_bytes")) return fixed_number(size, 0);
  for (const auto& [unit, bytes] : {std::pair{" GiB", 1073741824.0}, {" MiB", 1048576.0}, {" KiB", 1024.0}})
    if (size >= bytes) return human_number(size / bytes) + unit;
  return human_number(size) + " B";
}

std::string curve_text(const FitRow& row) {
  std::string text;
  for (const auto& [x, y] : row.curve->points)
    text +=
        (text.empty() ? "" : ", ") + size_text(row.curve->x, x) + ": " + with_unit("_" + std::string(row.curve->y), y);
  return text;
}

std::string use_text(FitUse use) { return use == FitUse::rate ? "its rate" : "nothing"; }

}  // namespace

std::string fit_text(const std::vector<FitRow>& rows) {
  if (rows.empty()) return "";
  std::vector<std::vector<std::string>> table{{"fit", "unseen", "90 %", "interval", "plans take", "parameters"}};
  for (const FitRow& row : rows)
    table.push_back({row.parameter, percent_or_dash(row.left_out_median), percent_or_dash(row.left_out_90),
                     row.half_width ? "+-" + percent_cell(*row.half_width) : "-", use_text(row.use),
                     numbers_text(row)});
  std::string text = text_table(table);
  for (const FitRow& row : rows)
    if (row.curve) text += labelled("measured", row.parameter + ": " + curve_text(row), kFitIndent);
  const auto tell = [&](const std::string& label, FitUse use, const std::string FitRow::*sentence) {
    std::map<std::string, std::string> of_sentence;
    for (const FitRow& row : rows)
      if (row.use == use && !(row.*sentence).empty()) {
        std::string& of = of_sentence[row.*sentence];
        of += (of.empty() ? "" : ", ") + row.parameter;
      }
    for (const auto& [why, of] : of_sentence) text += labelled(label, of + ": " + why, kFitIndent);
  };
  tell("left out", FitUse::rate, &FitRow::left_out);
  tell("not taken", FitUse::none, &FitRow::why_not);
  return text;
}

}  // namespace podwright::cli
