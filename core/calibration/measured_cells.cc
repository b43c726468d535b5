#include "calibration/measured_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/words.h"
#include "measure/foreign_parts.h"

namespace podwright {
namespace {

/// Of a model, a layout or a batch.
constexpr Range kMeasuredSize{1, 1e8};

std::optional<Fp8Recipe> fp8_recipe_of(const std::vector<std::string>& words, std::string_view lower) {
  if (has_word(words, {"cs", "current", "tensorwise", "rowwise", "tw", "rw", "dynamic"})) return Fp8Recipe::current;
  if (has_word(words, {"ds", "delayed"})) return Fp8Recipe::delayed;
  if (has_word(words, {"sc", "subchannel", "fine"}) || holds(lower, "block")) return Fp8Recipe::block;
  return {};
}

}  // namespace

bool has_word(const std::vector<std::string>& words, std::initializer_list<std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

bool divides(double part, double whole) { return part > 0 && std::fmod(whole, part) == 0; }

double common_divisor(double a, double b) {
  return static_cast<double>(std::gcd(static_cast<long long>(a), static_cast<long long>(b)));
}

double largest_divisor(double whole, double most) {
  double largest = 1;
  for (double part = 1; part * part <= whole && part <= most; ++part) {
    if (!divides(part, whole)) continue;
    largest = std::max(largest, part);
    if (whole / part <= most) return whole / part;
  }
  return largest;
}

bool blank_cell(std::string_view text) {
  const std::string word = lower_case(trimmed(text));
  for (const std::string_view blank :
       {"", "-", "--", "?", "n/a", "na", "nan", "null", "unknown", "not given", "not printed", "unspecified", "auto"})
    if (word == blank) return true;
  return false;
}

std::optional<double> cell_number(std::string_view text) {
  std::string digits;
  const std::string_view cell = trimmed(text);
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const bool thousands = cell[i] == ',' && i > 0 && i + 3 < cell.size();
    if (!thousands) digits += cell[i];
  }
  return number_of_text(digits);
}

std::optional<bool> cell_flag(std::string_view text) {
  const std::string word = lower_case(trimmed(text));
  if (word == "true" || word == "yes" || word == "on" || word == "1" || word == "y") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0" || word == "n" || word == "none") return false;
  return {};
}

std::optional<WrittenPrecision> written_precision(std::string_view text) {
  const std::string lower = lower_case(text);
  const std::vector<std::string> words = words_of(text);
  const auto narrow = [&](std::string_view part) { return holds(lower, part); };
  if (narrow("fp4")) return WrittenPrecision{.precision = Precision::nvfp4, .recipe = {}};
  const bool eight_bits = narrow("fp8") || narrow("float8") || has_word(words, {"e4m3", "hybrid"});
  if (narrow("mxfp8") || (eight_bits && has_word(words, {"mx", "mxfp8"})))
    return WrittenPrecision{.precision = Precision::mxfp8, .recipe = {}};
  if (eight_bits) return WrittenPrecision{.precision = Precision::fp8, .recipe = fp8_recipe_of(words, lower)};
  if (narrow("bf16") || narrow("bfloat16")) return WrittenPrecision{.precision = Precision::bf16, .recipe = {}};
  if (narrow("fp16") || narrow("float16") || has_word(words, {"half"}))
    return WrittenPrecision{.precision = Precision::fp16, .recipe = {}};
  if (narrow("tf32")) return WrittenPrecision{.precision = Precision::tf32, .recipe = {}};
  if (narrow("fp32") || narrow("float32")) return WrittenPrecision{.precision = Precision::fp32, .recipe = {}};
  return {};
}

std::optional<Recompute> written_recompute(std::string_view text) {
  const std::string lower = lower_case(trimmed(text));
  if (lower.empty()) return {};
  if (cell_flag(lower)) return *cell_flag(lower) ? Recompute::full : Recompute::none;
  const std::vector<std::string> words = words_of(lower);
  if (has_word(words, {"none", "without", "disabled"})) return Recompute::none;
  if (has_word(words, {"selective", "sac", "op", "core", "partial"}) || holds(lower, "selective"))
    return Recompute::selective;
  if (has_word(words, {"full", "all", "uniform", "block", "layer", "enabled"})) return Recompute::full;
  return Recompute::selective;
}

std::optional<WrittenSchedule> written_schedule(std::string_view text) {
  const std::string lower = lower_case(trimmed(text));
  if (lower.empty()) return {};
  if (const auto schedule = of_word<Schedule>(lower, kScheduleWords))
    return WrittenSchedule{.schedule = *schedule, .exact = true};
  std::string letters;
  for (const std::string& word : words_of(lower)) letters += word;
  if (holds(letters, "zb2p") || holds(letters, "zbv")) return WrittenSchedule{Schedule::zb_2p, holds(letters, "zb2p")};
  if (holds(letters, "zb1p")) return WrittenSchedule{Schedule::zb_1p, true};
  if (holds(letters, "zbh1")) return WrittenSchedule{Schedule::zb_h1, true};
  if (holds(letters, "zerobubble") || holds(letters, "dualpipe")) return WrittenSchedule{Schedule::zb_h1, false};
  if (holds(letters, "interleav") || holds(letters, "vpp") || holds(letters, "looped"))
    return WrittenSchedule{Schedule::interleaved, true};
  if (holds(letters, "1f1b")) return WrittenSchedule{Schedule::one_f_one_b, true};
  if (holds(letters, "gpipe") || holds(letters, "afab")) return WrittenSchedule{Schedule::gpipe, true};
  return {};
}

std::optional<TrainingMethod> written_method(std::string_view text) {
  const std::string lower = lower_case(text);
  if (holds(lower, "qlora")) return TrainingMethod::qlora;
  if (holds(lower, "lora") || holds(lower, "peft") || holds(lower, "adapter")) return TrainingMethod::lora;
  if (holds(lower, "full") || holds(lower, "sft") || holds(lower, "train") || holds(lower, "tuning"))
    return TrainingMethod::full;
  return {};
}

std::string version_in(std::string_view text) {
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!digit(begin)) continue;
    std::size_t end = begin;
    bool pointed = false;
    while (digit(end) || (end < text.size() && text[end] == '.' && digit(end + 1))) {
      pointed = pointed || text[end] == '.';
      ++end;
    }
    if (pointed) return std::string(text.substr(begin, end - begin));
    begin = end;
  }
  return "";
}

std::optional<double> number_before(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  if (at == std::string_view::npos) return {};
  std::size_t end = at;
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  return cell_number(text.substr(begin, end - begin));
}

bool unbounded(std::string_view text) {
  const std::string lower = lower_case(text);
  return lower == "inf" || lower == "infinite" || lower == "infinity" || lower == "unlimited";
}

std::string MeasuredCells::text(std::string_view column) const {
  const std::string_view cell = trimmed(table_.cell(row_, column));
  return blank_cell(cell) ? "" : std::string(cell);
}

std::optional<double> MeasuredCells::number(std::string_view column) const {
  const std::string cell = text(column);
  if (cell.empty()) return {};
  const std::optional<double> value = cell_number(cell);
  if (!value) wrong(column, "a number");
  return value;
}

std::optional<double> MeasuredCells::size(std::string_view column) const {
  const std::optional<double> value = number(column);
  if (!value) return {};
  if (*value >= kMeasuredSize.min && *value <= kMeasuredSize.max && *value == std::floor(*value)) return value;
  if (*value != 0) wrong(column, "a whole number of " + range_text(kMeasuredSize));
  return {};
}

std::optional<double> MeasuredCells::rate(std::string_view column) const {
  return unbounded(text(column)) ? std::nullopt : number(column);
}

std::optional<bool> MeasuredCells::flag(std::string_view column) const {
  const std::string cell = text(column);
  if (cell.empty()) return {};
  const std::optional<bool> value = cell_flag(cell);
  if (!value) wrong(column, "true or false");
  return value;
}

void MeasuredCells::wrong(std::string_view column, std::string_view expected) const {
  errors_.push_back({"wrong-type", std::string(file_) + ":" + std::to_string(row_.line),
                     "The column \"" + std::string(column) + "\" holds \"" + text(column).substr(0, 60) +
                         "\", which is not " + std::string(expected) + ".",
                     "Write " + std::string(expected) + ", or leave the cell blank where the source does not say."});
}

}  // namespace podwright
