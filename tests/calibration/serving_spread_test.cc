#include "calibration/serving_spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "calibration/calibration.h"

namespace podwright::serving_spread_test {
namespace {

constexpr ServingWidth kAll[] = {ServingWidth::ttft, ServingWidth::tpot, ServingWidth::throughput,
                                 ServingWidth::prompt};

/// 0.01, -0.02, 0.03 ... times `unit`: the 90 % quantile of 20 such sizes is 0.19 (the 19th).
std::vector<double> misses_of(int count, double unit) {
  std::vector<double> misses;
  for (int i = 1; i <= count; ++i) misses.push_back((i % 2 == 0 ? -0.01 : 0.01) * i * unit);
  return misses;
}

ServingMisses all_of(int dense, int moe, double unit) {
  ServingMisses misses;
  for (const ServingWidth width : kAll) {
    misses[{width, false}] = misses_of(dense, unit);
    misses[{width, true}] = misses_of(moe, 2 * unit);
  }
  return misses;
}

const ServingSpread& find(const std::vector<ServingSpread>& spreads, const std::string& metric,
                          const std::string& level, const std::string& architecture) {
  for (const ServingSpread& spread : spreads)
    if (spread.metric == metric && spread.knowledge == level && spread.architecture == architecture) return spread;
  ADD_FAILURE() << metric << " " << level << " " << architecture;
  return spreads.front();
}

TEST(ServingSpreads, HoldNineTenthsOfTheMisses) {
  const auto spreads = serving_spreads({{"run", all_of(20, 20, 1)}, {"engine", all_of(20, 20, 1.5)}});
  ASSERT_TRUE(spreads);
  EXPECT_EQ(spreads->size(), 16u);
  EXPECT_NEAR(find(*spreads, "tpot", "run", "dense").half_width, 0.19, 1e-12);
  EXPECT_NEAR(find(*spreads, "tpot", "run", "moe").half_width, 0.38, 1e-12);
  EXPECT_NEAR(find(*spreads, "prompt", "engine", "dense").half_width, 0.285, 1e-12);
  EXPECT_EQ(find(*spreads, "prompt", "engine", "dense").rows, 20);
  EXPECT_EQ(find(*spreads, "prompt", "engine", "dense").note, "");
}

TEST(ServingSpreads, AreNeverBelowTheLevelBefore) {
  const auto spreads = serving_spreads({{"run", all_of(20, 20, 2)}, {"none", all_of(20, 20, 1)}});
  ASSERT_TRUE(spreads);
  const ServingSpread& none = find(*spreads, "ttft", "none", "dense");
  EXPECT_NEAR(none.half_width, 0.38, 1e-12);
  EXPECT_EQ(none.note, "not below the level before");
}

TEST(ServingSpreads, AreNeverZero) {
  const auto spreads = serving_spreads({{"run", all_of(20, 20, 0)}});
  ASSERT_TRUE(spreads);
  for (const ServingSpread& spread : *spreads) EXPECT_EQ(spread.half_width, 0.05) << spread.metric;
}

TEST(ServingSpreads, OfFewRowsAreThoseOfTheOtherKindOfModels) {
  const auto spreads = serving_spreads({{"run", all_of(20, 14, 1)}});
  ASSERT_TRUE(spreads);
  const ServingSpread& moe = find(*spreads, "throughput", "run", "moe");
  EXPECT_NEAR(moe.half_width, 0.19, 1e-12);
  EXPECT_EQ(moe.rows, 20);
  EXPECT_NE(moe.note.find("other kind"), std::string::npos);
}

TEST(ServingSpreads, OfTooFewRowsOfBothKindsAreThoseOfTheLevelBefore) {
  const auto spreads = serving_spreads({{"run", all_of(20, 20, 1)}, {"none", all_of(3, 2, 9)}});
  ASSERT_TRUE(spreads);
  const ServingSpread& none = find(*spreads, "tpot", "none", "dense");
  EXPECT_NEAR(none.half_width, 0.19, 1e-12);
  EXPECT_EQ(none.rows, 0);
  EXPECT_NE(none.note.find("level before"), std::string::npos);
}

TEST(ServingSpreads, AreRefusedWhereNothingTellsOne) {
  ServingMisses misses = all_of(20, 20, 1);
  misses.erase({ServingWidth::prompt, false});
  misses[{ServingWidth::prompt, true}] = misses_of(14, 1);
  const auto spreads = serving_spreads({{"run", misses}});
  ASSERT_FALSE(spreads);
  EXPECT_EQ(spreads.error().front().code, "missing");
  EXPECT_NE(spreads.error().front().message.find("\"prompt\""), std::string::npos);
}

TEST(ServingMissesOfABacktest, CountARowsRatesOnceAndByTheWidthOfAnswers) {
  MeasuredServingRow clients;
  clients.id = "a";
  clients.run.load = {LoadKind::concurrency, 8};
  clients.run.output_tokens = 100;
  MeasuredServingRow batch = clients;
  batch.id = "b";
  batch.run.load.kind = LoadKind::static_batch;
  MeasuredServingRow other = clients;
  other.id = "c";
  other.other_scheduler = true;
  Backtest backtest;
  for (const char* id : {"a", "b", "c"})
    for (const char* metric : {"ttft_ms", "output_tokens_per_s", "total_tokens_per_s"}) {
      BacktestCell cell;
      cell.id = id;
      cell.labels.resize(backtest_keys().size());
      cell.metric = metric;
      cell.measured = 1;
      cell.predicted = std::string(id) == "a" ? 2 : 4;
      backtest.cells.push_back(cell);
    }
  const ServingMisses misses = serving_misses({&clients, &batch, &other}, backtest);
  EXPECT_EQ(misses.size(), 4u);
  const auto only = [&](ServingWidth width) {
    const auto found = misses.find({width, false});
    return found != misses.end() && found->second.size() == 1 ? std::exp(found->second.front()) : 0;
  };
  EXPECT_NEAR(only(ServingWidth::ttft), 2, 1e-9);
  EXPECT_NEAR(only(ServingWidth::tpot), 2, 1e-9);
  EXPECT_NEAR(only(ServingWidth::prompt), 4, 1e-9);
  EXPECT_NEAR(only(ServingWidth::throughput), 4, 1e-9);
}

TEST(ServingFitRefusal, IsOfTpotThatTheFitDidNotSee) {
  const std::vector<double> good(20, std::log(1.24));
  const std::vector<double> bad(20, std::log(1.26));
  EXPECT_EQ(serving_fit_refusal({{{ServingWidth::tpot, false}, good}, {{ServingWidth::ttft, false}, bad}}), "");
  const std::string refusal =
      serving_fit_refusal({{{ServingWidth::tpot, false}, good}, {{ServingWidth::tpot, true}, bad}});
  EXPECT_NE(refusal.find("moe"), std::string::npos);
  EXPECT_NE(refusal.find("26 %, over 25 %"), std::string::npos) << refusal;
}

TEST(CalibrateServing, RefusesFewRows) {
  const Calibration calibration = calibrate_serving(embedded_catalog_facts(), {}, [](const std::string&) {});
  EXPECT_NE(calibration.refused.find("200 rows"), std::string::npos);
  EXPECT_TRUE(calibration.tables.empty());
}

}  // namespace
}  // namespace podwright::serving_spread_test
