/// Tables of published all-reduce times at the probe's sizes predict the sizes between them.
/// data/published_sources.csv says where the rows come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/csv_read.h"
#include "calibration/collective_times.h"
#include "calibration/product_fit.h"
#include "calibration/transfer_fit.h"
#include "support/test_data.h"

namespace podwright::published_collectives_test {
namespace {

constexpr double kKib = 1024;
constexpr double kMib = 1024 * 1024;

struct PublishedCollective {
  std::string gpu;
  std::string ranks;
  double limit;                    ///< of the median error of sizes that are no knots
  std::vector<double> knot_bytes;  ///< the probe's sizes, or the table's nearest where it ends before them
};

std::vector<PublishedCollective> published_collectives() {
  const std::vector<double> probe = {kKib,     8 * kKib, 32 * kKib, 128 * kKib, 512 * kKib,
                                     2 * kMib, 8 * kMib, 32 * kMib, 128 * kMib, 512 * kMib};
  return {{"h100-sxm5-80gb", "2", 0.05, probe},
          {"h100-sxm5-80gb", "4", 0.05, probe},
          {"a100-sxm4-80gb", "2", 0.07, {64 * kKib, 128 * kKib, 512 * kKib, 2 * kMib, 8 * kMib, 32 * kMib, 76 * kMib}}};
}

struct Split {
  std::vector<TransferPoint> knots;
  std::vector<TransferPoint> held_out;
};

Split rows_of(const CsvTable& table, const PublishedCollective& one) {
  Split split;
  for (const CsvTable::Row& row : table.rows) {
    if (table.cell(row, "gpu_id") != one.gpu || table.cell(row, "ranks") != one.ranks) continue;
    const double bytes = std::stod(table.cell(row, "bytes"));
    const bool knot = std::find(one.knot_bytes.begin(), one.knot_bytes.end(), bytes) != one.knot_bytes.end();
    (knot ? split.knots : split.held_out)
        .push_back({Bytes(bytes), Seconds(std::stod(table.cell(row, "time_us")) * 1e-6)});
  }
  return split;
}

TEST(PublishedCollectives, BetweenKnotsOfTheProbe) {
  const auto table = parse_csv(podwright_test_data("tests/calibration/data/published_collectives.csv"));
  ASSERT_TRUE(table);
  std::printf("gpu              ranks unseen  median    p90\n");
  for (const PublishedCollective& one : published_collectives()) {
    const Split split = rows_of(*table, one);
    ASSERT_EQ(split.knots.size(), one.knot_bytes.size()) << one.gpu << " " << one.ranks;
    ASSERT_GE(split.held_out.size(), 12U) << one.gpu << " " << one.ranks;
    const CollectiveTable collective = collective_table(split.knots);
    std::vector<double> errors;
    for (const TransferPoint& point : split.held_out)
      errors.push_back(std::fabs(std::log(collective.predict(point.bytes) / point.time)));
    std::printf("%-16s %5s %6zu  %5.1f%% %5.1f%%\n", one.gpu.c_str(), one.ranks.c_str(), errors.size(),
                100 * error_at(errors, 0.5), 100 * error_at(errors, 0.9));
    EXPECT_LE(error_at(errors, 0.5), one.limit) << one.gpu << " " << one.ranks;
  }
}

}  // namespace
}  // namespace podwright::published_collectives_test
