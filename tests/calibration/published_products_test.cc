/// Fits of 48 published products predict the other published products of the same GPU. Which rows are fitted follows
/// from their sizes alone, as in the grid of the probe. data/published_sources.csv says where the rows come from. None
/// of them is of an H200.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/csv_read.h"
#include "calibration/product_fit.h"
#include "support/test_data.h"

namespace podwright::published_products_test {
namespace {

struct Factors {
  double n;
  double k;
};

struct PublishedGpu {
  std::string id;
  MachinePeaks peaks;            ///< of the datasheet
  double limit;                  ///< of the median error of rows that the fit did not see
  std::vector<double> fitted_m;  ///< those of the probe's 1, 8, 64, 256, 1024 and 4096 that the table has
  std::vector<Factors> fitted_pairs;
};

/// The four products of a layer of Llama 2 70B, on one GPU and on four.
const std::vector<Factors>& layer_pairs() {
  static const std::vector<Factors> pairs = {{10240, 8192}, {8192, 8192}, {57344, 8192}, {8192, 28672},
                                             {2560, 8192},  {8192, 2048}, {14336, 8192}, {8192, 7168}};
  return pairs;
}

std::vector<Factors> grid(const std::vector<double>& sizes) {
  std::vector<Factors> pairs;
  for (const double n : sizes)
    for (const double k : sizes) pairs.push_back({n, k});
  return pairs;
}

std::vector<PublishedGpu> published_gpus() {
  const std::vector<double> all_m = {1, 8, 64, 256, 1024, 4096};
  return {{"h100-sxm5-80gb", {tflops(989), BytesPerSecond(3.35e12)}, 0.05, all_m, layer_pairs()},
          {"a100-sxm4-80gb", {tflops(312), BytesPerSecond(2.039e12)}, 0.07, all_m, layer_pairs()},
          {"b200-sxm", {tflops(2250), BytesPerSecond(8e12)}, 0.07, {256, 1024, 4096}, grid({256, 1024, 2048, 4096})}};
}

bool is_fitted(const PublishedGpu& gpu, const ProductShape& shape) {
  const bool pair = std::any_of(gpu.fitted_pairs.begin(), gpu.fitted_pairs.end(),
                                [&](const Factors& one) { return one.n == shape.n && one.k == shape.k; });
  return pair && std::find(gpu.fitted_m.begin(), gpu.fitted_m.end(), shape.m) != gpu.fitted_m.end();
}

struct Split {
  std::vector<ProductPoint> fitted;
  std::vector<ProductPoint> held_out;
};

/// Both formats of the table, fp16 and bf16, have two bytes per value.
Split rows_of(const CsvTable& table, const PublishedGpu& gpu) {
  Split split;
  for (const CsvTable::Row& row : table.rows) {
    if (table.cell(row, "gpu_id") != gpu.id) continue;
    const auto number = [&](const char* column) { return std::stod(table.cell(row, column)); };
    ProductShape shape{number("m"), number("n"), number("k"), Bytes(0)};
    shape.bytes = Bytes(2 * (shape.m * shape.k + shape.k * shape.n + shape.m * shape.n));
    const ProductPoint point{shape, Seconds(number("time_us") * 1e-6)};
    (is_fitted(gpu, shape) ? split.fitted : split.held_out).push_back(point);
  }
  return split;
}

/// |ln| errors of the points whose first factor has between `least` and `most` rows.
std::vector<double> errors_of(const ProductFit& fit, const std::vector<ProductPoint>& points, double least = 0,
                              double most = 1e9) {
  std::vector<double> errors;
  for (const ProductPoint& point : points)
    if (point.shape.m >= least && point.shape.m <= most)
      errors.push_back(std::fabs(std::log(fit.predict(point.shape) / point.time)));
  return errors;
}

double share_below(const std::vector<double>& errors, double bound) {
  const auto count = std::count_if(errors.begin(), errors.end(), [&](double error) { return error <= bound; });
  return static_cast<double>(count) / static_cast<double>(errors.size());
}

std::string percent(const std::vector<double>& errors, double share) {
  char text[16] = "-";
  if (!errors.empty()) std::snprintf(text, sizeof text, "%.1f%%", 100 * error_at(errors, share));
  return text;
}

/// The roofline of the datasheet.
ProductFit without_measurement(const MachinePeaks& peaks) {
  ProductFit fit;
  fit.peaks = peaks;
  fit.compute_efficiency = 1;
  fit.bandwidth_efficiency = 1;
  return fit;
}

TEST(PublishedProducts, ThatAFitOf48DidNotSee) {
  const auto table = parse_csv(podwright_test_data("tests/calibration/data/published_products.csv"));
  ASSERT_TRUE(table);
  std::printf("gpu              unseen  median    p90  m<=80  m>=192  inside  datasheet\n");
  for (const PublishedGpu& gpu : published_gpus()) {
    const Split split = rows_of(*table, gpu);
    ASSERT_EQ(split.fitted.size(), 48U) << gpu.id;
    ASSERT_GE(split.held_out.size(), 77U) << gpu.id;
    const ProductFit fit = fit_products(split.fitted, gpu.peaks);
    EXPECT_EQ(fit.refused, "") << gpu.id;
    const std::vector<double> errors = errors_of(fit, split.held_out);
    const double inside = share_below(errors, fit.leave_one_out_90);
    const std::vector<double> datasheet = errors_of(without_measurement(gpu.peaks), split.held_out);
    std::printf("%-16s %6zu %7s %6s %6s %7s %7.3f %10s\n", gpu.id.c_str(), errors.size(), percent(errors, 0.5).c_str(),
                percent(errors, 0.9).c_str(), percent(errors_of(fit, split.held_out, 0, 80), 0.5).c_str(),
                percent(errors_of(fit, split.held_out, 192), 0.5).c_str(), inside, percent(datasheet, 0.5).c_str());
    EXPECT_LE(error_at(errors, 0.5), gpu.limit) << gpu.id;
    EXPECT_GE(inside, 0.84) << gpu.id;
    EXPECT_LE(inside, 0.98) << gpu.id;
    EXPECT_GE(error_at(datasheet, 0.5), 3 * error_at(errors, 0.5)) << gpu.id;
  }
}

// Every published row names a table whose place and licence are known.
TEST(PublishedProducts, AndCollectivesHaveSources) {
  const auto sources = parse_csv(podwright_test_data("tests/calibration/data/published_sources.csv"));
  ASSERT_TRUE(sources);
  for (const char* file : {"published_products.csv", "published_collectives.csv"}) {
    const auto table = parse_csv(podwright_test_data(std::string("tests/calibration/data/") + file));
    ASSERT_TRUE(table) << file;
    for (const CsvTable::Row& row : table->rows) {
      const std::string& name = table->cell(row, "source");
      const auto source = std::find_if(sources->rows.begin(), sources->rows.end(),
                                       [&](const CsvTable::Row& one) { return sources->cell(one, "source") == name; });
      ASSERT_NE(source, sources->rows.end()) << file << ":" << row.line << " " << name;
      for (const char* column : {"repository", "path", "commit", "licence", "timed"})
        EXPECT_FALSE(sources->cell(*source, column).empty()) << name << " " << column;
    }
  }
}

}  // namespace
}  // namespace podwright::published_products_test
