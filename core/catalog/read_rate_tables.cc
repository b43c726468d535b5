#include "base/number_text.h"
#include "catalog/catalog_table.h"

namespace podwright {
namespace {

constexpr double kLeastRate = 1e-12;

void read_kernel_rate(TableReader& table, KernelRate& rate) {
  rate.gpu_id = table.text("gpu_id");
  rate.operation = table.text("operation");
  rate.precision = table.text("precision");
  rate.key = kernel_rate_key(rate.gpu_id, rate.operation, rate.precision);
  const std::string id = rate.gpu_id + "/" + rate.operation + "/" + rate.precision + "/" + table.text("ranks");
  table.head(rate, id, id);
  rate.called = rate.operation;
  const double unit = table.unit({"TFLOP/s", "TB/s", "GB/s", "us", "1"});
  rate.ranks = table.needed("ranks", kLeastRate);
  rate.low = table.needed("low", kLeastRate) * unit;
  rate.typical = table.needed("typical", kLeastRate) * unit;
  rate.high = table.needed("high", kLeastRate) * unit;
  table.check_range(rate.low, rate.typical, rate.high);
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

/// "gpu/probe/way/dtype/mode/m8192/n8192/k8192/v1".
std::string reference_id(const ReferenceRate& rate) {
  std::string id = rate.gpu_id + "/" + rate.probe + "/" + rate.way + "/" + rate.dtype + "/" +
                   std::string(word_of(rate.mode, kProbeModeWords));
  for (const ProbeSizeField& field : kProbeSizeFields)
    if (const auto& size = rate.size.*field.value; size) id += "/" + std::string(field.word) + shortest_number(*size);
  return id + "/v" + std::to_string(rate.probe_version);
}

void read_probe_norm(TableReader& table, ProbeNorm& norm) {
  norm.gpu_id = table.needed_text("gpu_id");
  norm.probe = table.needed_text("probe");
  norm.dtype = table.text("dtype");
  norm.note = table.text("note");
  table.head(norm, norm.gpu_id + "/" + norm.probe + "/" + table.text("mode") + "/" + table.text("sizes"), norm.probe);
  norm.kind = table.word<NormKind>("kind", kNormKindWords);
  norm.mode = table.word<ProbeMode>("mode", kProbeModeWords);
  norm.sizes = table.word<NormSizes>("sizes", kNormSizesWords);
  norm.denominator = table.word<NormDenominator>("denominator", kNormDenominatorWords);
  norm.is_time = table.text("unit") == "us";
  norm.least_bytes = table.number("least_bytes", 1);
  norm.ranks = table.number("ranks", 2, 1e6);
  norm.link_generation = table.number("link_generation", 1, 20);
  const double unit = table.unit({"share", "TFLOP/s", "GB/s", "us"});
  norm.p10 = scaled(table, "p10", unit);
  norm.p50 = scaled(table, "p50", unit);
  norm.p90 = scaled(table, "p90", unit);
  norm.ok = scaled(table, "ok", unit);
  norm.low = scaled(table, "low", unit);
  check_numbers(table, norm);
  check_unit(table, norm);
}

void read_reference_rate(TableReader& table, ReferenceRate& rate) {
  rate.gpu_id = table.needed_text("gpu_id");
  rate.probe = table.needed_text("probe");
  rate.way = table.text("way");
  rate.dtype = table.text("dtype");
  rate.mode = table.word<ProbeMode>("mode", kProbeModeWords);
  for (const ProbeSizeField& field : kProbeSizeFields) rate.size.*field.value = table.number(field.word);
  rate.unit = table.text("unit");
  const double unit = table.unit({"TFLOP/s", "GB/s", "us"});
  rate.low = table.needed("low", 1e-9, 1e9) * unit;
  rate.rate = table.needed("rate", 1e-9, 1e9) * unit;
  rate.high = table.needed("high", 1e-9, 1e9) * unit;
  table.check_range(rate.low, rate.rate, rate.high);
  rate.probe_version = static_cast<int>(table.needed("probe_version", 1, 1e6));
  table.needed_text("source");
  table.head(rate, reference_id(rate), rate.probe);
}

void read_training_rate(TableReader& table, TrainingRate& rate) {
  rate.gpu_id = table.needed_text("gpu_id");
  rate.precision = table.needed_text("precision");
  table.head(rate, rate.gpu_id + "/" + rate.precision, rate.gpu_id + " in " + rate.precision);
  rate.rows = table.needed("rows", 1);
  rate.row_sources = table.needed("sources", 1);
  rate.lowest = tflops(table.needed("lowest_tflops"));
  rate.median = tflops(table.needed("median_tflops"));
  rate.best = tflops(table.needed("best_tflops"));
  table.check_range(rate.lowest, rate.median, rate.best);
  rate.best_run = table.needed_text("best_run");
}

constexpr CatalogTable kRateTables[] = {
    {"kernel_rates.csv", read_rows<read_kernel_rate, &Catalog::kernel_rates>},
    {"probe_norms.csv", read_rows<read_probe_norm, &Catalog::probe_norms>},
    {"reference_rates.csv", read_rows<read_reference_rate, &Catalog::reference_rates>},
    {"training_rates.csv", read_rows<read_training_rate, &Catalog::training_rates>},
};

}  // namespace

std::span<const CatalogTable> rate_tables() { return kRateTables; }

}  // namespace podwright
