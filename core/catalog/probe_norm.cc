#include "catalog/probe_norm.h"

#include "base/nearest.h"
#include "base/words.h"
#include "catalog/table_reader.h"

namespace podwright {
namespace {

struct NormUnit {
  std::string_view sign;
  double base_units;
};
constexpr NormUnit kNormUnits[] = {{"share", 1}, {"TFLOP/s", 1e12}, {"GB/s", 1e9}, {"us", 1e-6}};

std::string listed(const std::vector<std::string>& words) { return "One of: " + joined(words) + "."; }

/// The value of a cell that holds one of the words; the first value and an error where it does not.
template <class Enum, std::size_t N>
Enum word_in(TableReader& table, std::string_view column, const std::array<std::string_view, N>& words) {
  const std::string& cell = table.text(column);
  const auto value = of_word<Enum>(cell, words);
  if (!value)
    table.error("out-of-range", "The column \"" + std::string(column) + "\" holds \"" + cell.substr(0, 60) + "\".",
                listed({words.begin(), words.end()}));
  return value.value_or(Enum{});
}

double unit_in(TableReader& table) {
  for (const NormUnit& unit : kNormUnits)
    if (table.text("unit") == unit.sign) return unit.base_units;
  table.error("out-of-range", "The unit \"" + table.text("unit").substr(0, 60) + "\" is not known.",
              "share, TFLOP/s, GB/s or us");
  return 1;
}

std::optional<double> scaled(TableReader& table, std::string_view column, double unit) {
  const auto value = table.number(column, 1e-9, 1e9);
  return value ? std::optional<double>(*value * unit) : std::nullopt;
}

/// Every kind has its own numbers, in their order; a time is better the smaller it is.
void check_numbers(TableReader& table, const ProbeNorm& norm) {
  const bool band = norm.p10 && norm.p90 && !norm.ok && !norm.low;
  const bool floor = norm.ok && norm.low && !norm.p10 && !norm.p50 && !norm.p90;
  const bool landmark = norm.p50 && !norm.p10 && !norm.p90 && !norm.ok && !norm.low;
  const bool complete = norm.kind == NormKind::band ? band : norm.kind == NormKind::floor ? floor : landmark;
  if (!complete)
    return table.error("missing", "A row of this kind lacks one of its numbers, or has those of another kind.",
                       "A band has p10 and p90 (and p50), a floor ok and low, a landmark p50.");
  const double middle = norm.p50.value_or(norm.p10.value_or(0));
  if (band && !(*norm.p10 <= middle && middle <= *norm.p90))
    table.error("out-of-range", "The quantiles are not in their order.", "p10 <= p50 <= p90");
  if (floor && !(norm.is_time ? *norm.ok < *norm.low : *norm.low < *norm.ok))
    table.error("out-of-range", "The floors are not in their order.",
                norm.is_time ? "Of times, ok < low." : "low < ok");
}

void check_unit(TableReader& table, const ProbeNorm& norm) {
  const bool share = table.text("unit") == "share";
  if (share != (norm.denominator != NormDenominator::none))
    table.error("conflict", "Shares need a denominator, and other units have none.", "");
  if (share && norm.kind != NormKind::floor)
    table.error("conflict", "Only floors are shares.", "Give published rates in their unit.");
  if (share && norm.ok && *norm.ok > 1) table.error("out-of-range", "The share is above 1.", "");
  const bool by_bytes = norm.sizes == NormSizes::bytes || norm.sizes == NormSizes::one_row;
  if (by_bytes != norm.least_bytes.has_value())
    table.error("conflict", "\"least_bytes\" goes with the sizes bytes and one-row, and with no others.", "");
}

}  // namespace

void read_probe_norms(const std::string& path, std::string_view text, std::vector<ProbeNorm>& norms, Errors& errors) {
  TableReader table(path, text,
                    {"kind", "gpu_id", "probe", "dtype", "mode", "sizes", "least_bytes", "ranks", "link_generation",
                     "p10", "p50", "p90", "ok", "low", "unit", "denominator", "source", "note"},
                    errors);
  std::vector<ProbeNorm> read;
  while (table.next()) {
    ProbeNorm norm;
    norm.gpu_id = table.needed_text("gpu_id");
    norm.probe = table.needed_text("probe");
    norm.dtype = table.text("dtype");
    norm.note = table.text("note");
    table.head(norm, norm.gpu_id + "/" + norm.probe + "/" + table.text("mode") + "/" + table.text("sizes"), norm.probe);
    norm.kind = word_in<NormKind>(table, "kind", kNormKindWords);
    norm.mode = word_in<ProbeMode>(table, "mode", kProbeModeWords);
    norm.sizes = word_in<NormSizes>(table, "sizes", kNormSizesWords);
    norm.denominator = word_in<NormDenominator>(table, "denominator", kNormDenominatorWords);
    norm.is_time = table.text("unit") == "us";
    norm.least_bytes = table.number("least_bytes", 1);
    norm.ranks = table.number("ranks", 2, 1e6);
    norm.link_generation = table.number("link_generation", 1, 20);
    const double unit = unit_in(table);
    norm.p10 = scaled(table, "p10", unit);
    norm.p50 = scaled(table, "p50", unit);
    norm.p90 = scaled(table, "p90", unit);
    norm.ok = scaled(table, "ok", unit);
    norm.low = scaled(table, "low", unit);
    check_numbers(table, norm);
    check_unit(table, norm);
    read.push_back(std::move(norm));
  }
  norms = std::move(read);
}

}  // namespace podwright
