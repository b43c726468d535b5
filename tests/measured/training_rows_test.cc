// Every published training run can be read and laid out.
#include <gtest/gtest.h>

#include "calibration/measured_training.h"
#include "perf/layout_rules.h"
#include "support/test_data.h"

namespace podwright::training_rows_test {
namespace {

class MeasuredTrainingFile : public ::testing::TestWithParam<std::pair<const char*, std::size_t>> {};

TEST_P(MeasuredTrainingFile, EveryRowIsReadAndIsALegalLayout) {
  const auto [file, rows] = GetParam();
  const auto read = read_measured_training(embedded_catalog_facts(),
                                           podwright_test_data(std::string("tests/measured/data/") + file), file);
  ASSERT_TRUE(read) << read.error().front().path << ": " << read.error().front().message;
  EXPECT_EQ(read->rows.size(), rows);
  for (const SkippedRow& skipped : read->skipped) ADD_FAILURE() << skipped.id << ": " << skipped.reason;
  for (const MeasuredTrainingRow& row : read->rows) {
    EXPECT_TRUE(legal_layout(row.model, row.run)) << row.id;
    EXPECT_EQ(gpus_of(row.run.parallelism), row.gpu_count) << row.id;
    EXPECT_TRUE(row.catalog_framework) << row.id << " " << row.framework_text;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, MeasuredTrainingFile,
                         ::testing::Values(std::pair<const char*, std::size_t>("training.csv", 530),
                                           std::pair<const char*, std::size_t>("training_adapters.csv", 29),
                                           std::pair<const char*, std::size_t>("training_nanotron.csv", 293),
                                           std::pair<const char*, std::size_t>("training_single_node.csv", 540)));

}  // namespace
}  // namespace podwright::training_rows_test
