#include <gtest/gtest.h>

#include "cost/resale.h"
#include "cost/tax.h"

namespace podwright::tax_and_resale_test {
namespace {

TaxNumbers<NoTrace> tax_of(double basis, TaxSchedule schedule, std::optional<double> bonus = {},
                           double discount = 0.08) {
  NoTrace trace;
  return tax_numbers<NoTrace>(trace, usd(basis), discount,
                              {.schedule = schedule, .tax_rate = 0.21, .life_years = 5, .bonus_fraction = bonus});
}

TEST(Tax, FiveYearScheduleOfTheTaxGuides) {
  const TaxNumbers<NoTrace> tax = tax_of(250000, TaxSchedule::declining_balance);
  const double expected[] = {50000, 80000, 48000, 28800, 28800, 14400};
  ASSERT_EQ(tax.years.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(tax.years[i].deduction / usd(1), expected[i], 1e-6) << i;
}

TEST(Tax, EverythingAtOnce) {
  EXPECT_NEAR(tax_of(250000, TaxSchedule::declining_balance, 1.0, 0.0).shield / usd(1), 52500, 1e-6);
  EXPECT_NEAR(tax_of(250000, TaxSchedule::declining_balance, 1.0).shield / usd(1), 48611.11, 0.005);
}

TEST(Tax, ValueTodayOfTheSchedules) {
  EXPECT_NEAR(tax_of(250000, TaxSchedule::declining_balance).shield / usd(1), 42594.60, 0.005);
  EXPECT_NEAR(tax_of(250000, TaxSchedule::straight_line).shield / usd(1), 41923.46, 0.005);
}

TEST(Tax, DeductionsAddUpToTheBasis) {
  NoTrace trace;
  for (const double life : {1.0, 3.0, 5.0, 7.0, 10.0, 15.0})
    for (const std::optional<double> bonus : {std::optional<double>(), std::optional<double>(0.4)})
      for (const TaxSchedule schedule : {TaxSchedule::declining_balance, TaxSchedule::straight_line}) {
        const TaxNumbers<NoTrace> tax =
            tax_numbers<NoTrace>(trace, usd(1000), 0.1,
                                 {.schedule = schedule, .tax_rate = 0.21, .life_years = life, .bonus_fraction = bonus});
        Usd sum;
        for (const TaxYear<NoTrace>& year : tax.years) sum += year.deduction;
        EXPECT_NEAR(sum / usd(1), 1000, 1e-9) << life;
        EXPECT_LT(tax.shield, usd(210));
      }
}

double left(double age, BandEdge edge, std::optional<double> next = {}) {
  NoTrace trace;
  return resale_fraction<NoTrace>(trace, resale_curve(embedded_catalog_facts()), age, next, edge);
}

TEST(Resale, GoesThroughTheRows) {
  EXPECT_EQ(left(0, BandEdge::middle), 1);
  EXPECT_NEAR(left(6, BandEdge::low), 0.85, 1e-12);
  EXPECT_NEAR(left(15, BandEdge::high), 0.85, 1e-12);
  EXPECT_NEAR(left(36, BandEdge::low), 0.25, 1e-12);
  EXPECT_NEAR(left(36, BandEdge::middle), 0.30, 1e-12);
  EXPECT_NEAR(left(36, BandEdge::high), 0.35, 1e-12);
  EXPECT_NEAR(left(60, BandEdge::low), 0.10, 1e-12);
  EXPECT_NEAR(left(60, BandEdge::middle), 0.15, 1e-12);
  EXPECT_NEAR(left(60, BandEdge::high), 0.20, 1e-12);
  EXPECT_EQ(left(200, BandEdge::high), left(60, BandEdge::high));
}

TEST(Resale, FallsWithAgeAndMostAtTheNextGeneration) {
  double steepest = 0;
  double at = 0;
  for (double age = 0; age < 80; age += 0.5) {
    EXPECT_LE(left(age + 0.5, BandEdge::middle), left(age, BandEdge::middle));
    EXPECT_LE(left(age, BandEdge::low), left(age, BandEdge::high));
    const double fall = left(age, BandEdge::middle) - left(age + 0.5, BandEdge::middle);
    if (fall > steepest + 1e-12) {
      steepest = fall;
      at = age;
    }
  }
  EXPECT_GE(at, 15);
  EXPECT_LE(at, 21);
}

TEST(Resale, ALaterNextGenerationKeepsValueLonger) {
  EXPECT_NEAR(left(36, BandEdge::middle, 18.0), left(36, BandEdge::middle), 1e-12);
  EXPECT_GT(left(36, BandEdge::middle, 30.0), left(36, BandEdge::middle));
  EXPECT_LT(left(12, BandEdge::middle, 6.0), left(12, BandEdge::middle));
  // Bought when the next generation is already out.
  EXPECT_NEAR(left(0, BandEdge::middle, 0.0), left(18, BandEdge::middle), 1e-12);
}

TEST(Resale, WithoutARowThereIsNoCurve) {
  Catalog catalog;
  const ResaleCurve curve = resale_curve(catalog);
  EXPECT_TRUE(curve.points.empty());
  EXPECT_EQ(curve.absence, "The catalog has no resale value of \"generic A\" from month 0 to 12.");
}

TEST(Resale, IsTracedToTheRows) {
  Trace trace;
  const auto share = resale_fraction<Trace>(trace, resale_curve(embedded_catalog_facts()), trace.input("/age", 40.0),
                                            std::optional<Traced<double>>(), BandEdge::middle);
  EXPECT_EQ(share.value, left(40, BandEdge::middle));
  EXPECT_EQ(trace.nodes()[static_cast<std::size_t>(share.node)].inputs.size(), 3u);
}

}  // namespace
}  // namespace podwright::tax_and_resale_test
