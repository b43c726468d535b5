/// The equation of weight reads against published medians by size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/csv_read.h"
#include "calibration/machine_formulas.h"
#include "calibration/product_fit.h"
#include "support/test_data.h"

namespace podwright::published_rates_test {
namespace {

struct PublishedReads {
  std::string gpu;
  double datasheet;  ///< bytes/s
  double cached;     ///< rows of at most this many bytes come from the cache
};

double published(const CsvTable& table, const std::string& gpu, const std::string& metric, const std::string& size) {
  for (const CsvTable::Row& row : table.rows)
    if (table.cell(row, "gpu_id") == gpu && table.cell(row, "metric") == metric && table.cell(row, "size") == size)
      return std::stod(table.cell(row, "measured"));
  return 0;
}

/// |ln| errors of the shares of the datasheet's bandwidth that reads of some sizes reach, beyond the cache.
std::vector<double> errors_of(const CsvTable& table, const PublishedReads& reads) {
  const double start = published(table, reads.gpu, "gemv_fit_t0", "M=1") * 1e-6;
  double bandwidth = published(table, reads.gpu, "gemv_fit_asymptote", "M=1") * 1e12;
  if (bandwidth == 0) bandwidth = published(table, reads.gpu, "gemv_fit_half_size", "M=1") * 1e6 / start;
  const struct {
    const char* size;
    double low, high;
  } bins[] = {{"16-64 MB median", 16e6, 64e6},
              {"64-256 MB median", 64e6, 256e6},
              {"256-1024 MB median", 256e6, 1024e6},
              {"1-5 GB median", 1e9, 5e9}};
  std::vector<double> errors;
  for (const auto& bin : bins) {
    if (bin.low < reads.cached && bin.high <= reads.cached * 1.25) continue;
    const double bytes = std::sqrt(bin.low * bin.high);
    const double time = raw(started_transfer_time(Seconds(start), Bytes(bytes), BytesPerSecond(bandwidth)));
    const double share = published(table, reads.gpu, "gemv_bw_fraction_by_weight_bytes", bin.size);
    EXPECT_GT(share, 0) << reads.gpu << bin.size;
    errors.push_back(std::fabs(std::log(bytes / time / reads.datasheet / share)));
  }
  return errors;
}

TEST(PublishedRates, OfWeightReadsFollowStartAndBandwidth) {
  const auto table = parse_csv(podwright_test_data("tests/calibration/data/probes.csv"));
  ASSERT_TRUE(table);
  const struct {
    PublishedReads reads;
    double limit;
  } rows[] = {{{"h200-sxm5-141gb", 4.8e12, 50e6}, 0.05},
              {{"a100-sxm4-80gb", 2.039e12, 40e6}, 0.07},
              {{"b200-sxm", 8e12, 126e6}, 0.07}};
  for (const auto& row : rows) {
    const std::vector<double> errors = errors_of(*table, row.reads);
    ASSERT_GE(errors.size(), 3U) << row.reads.gpu;
    EXPECT_LE(error_at(errors, 0.5), row.limit) << row.reads.gpu;
  }
}

}  // namespace
}  // namespace podwright::published_rates_test
