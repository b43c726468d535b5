#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "cost/break_even.h"
#include "cost/cloud_cost.h"
#include "cost/cloud_data.h"
#include "cost/cloud_market.h"
#include "cost/hosted.h"
#include "cost/own_or_rent.h"
#include "cost/rates_of_money.h"
#include "cost/work.h"

namespace podwright::cloud_test {
namespace {

/// Relative tolerance.
void expect_share(double value, double expected, double share) { EXPECT_NEAR(value, expected, expected * share); }

// Lenovo LP2368: break-even after 6, 9.3 and 10.4 months of 730 h. Tolerance 1 %.
TEST(PublishedBreakEven, GivesThePriceItWasMadeWith) {
  const auto rate = [](double months) {
    return hourly(implied_rent(usd(250141.8), time_of_months(months, 730.0), usd_per_hour(6.37)));
  };
  expect_share(rate(6), 63.48, 0.01);
  expect_share(rate(9.3), 43.22, 0.01);
  expect_share(rate(10.4), 39.32, 0.01);
}

TEST(PublishedBreakEven, IsTheInverseOfTheBreakEvenTime) {
  for (const double cloud : {7.0, 40.0, 98.32}) {
    const Seconds time = break_even_time(usd(250141.8), usd_per_hour(cloud), usd_per_hour(6.37));
    expect_share(hourly(implied_rent(usd(250141.8), time, usd_per_hour(6.37))), cloud, 1e-12);
  }
}

TEST(Work, PublishedPriceOfAThousandRequests) {
  EXPECT_NEAR(raw(thousand_request_price(usd_per_hour(2.69), per_second(129.23401451464562))), 0.00578193, 1.1e-8);
}

// RunPod: 4 GPUs for three years. Tolerance 0.01 %.
TEST(Work, PublishedTotalsOfThreeYears) {
  EXPECT_EQ(usd(246624) - usd(122478), usd(124146));
  expect_share(hourly(gpu_hour_price(usd(122478) / hours(26280), 4.0)), 1.1651, 1e-4);
}

// Solidigm and VAST, 1 EB over ten years, million USD. Tolerance 0.01 %.
TEST(Work, PublishedTotalsOfStorage) {
  NoTrace trace;
  const double flash = trace.sum("flash", std::vector{29.06, 3.13, 3.00});
  const double disks = trace.sum("disks", std::vector{40.77, 13.65, 31.20});
  expect_share(flash, 35.19, 1e-4);
  expect_share(disks, 85.62, 1e-4);
}

double blended(double input, double cached, double output, double output_share, double cached_share) {
  return raw(
      blended_token_price(input_token_price(usd(input), usd(cached), cached_share), usd(output), output_share, 0.0));
}

TEST(Hosted, BlendsInputCacheAndOutput) {
  EXPECT_NEAR(blended(1.32, 0.044, 3.96, 0.25, 0.25), 1.740750, 1.8e-6);
  EXPECT_NEAR(blended(1.32, 0.132, 3.96, 0.25, 0.25), 1.757250, 1.8e-6);
  EXPECT_NEAR(blended(1.30, 0.10, 2.60, 0.25, 0.25), 1.400000, 1.4e-6);
}

TEST(Hosted, ThousandRequests) {
  EXPECT_NEAR(raw(thousand_requests_of_tokens(500.0, usd(1.5), 200.0, usd(2))), 1.15, 1e-12);
}

// Pan and Wang: 200 tokens/s for 160 h a month, a third of them input; a card of 2,000 USD with 13.20 USD of
// electricity a month. Tolerance 0.5 %.
TEST(Hosted, BreakEvenOfACardAgainstAnInterface) {
  const double tokens_per_month = per_second(200) * hours(160);
  EXPECT_EQ(tokens_per_month, 115.2e6);
  const PerSecond flow = monthly_flow(tokens_per_month);
  const auto months = [&](Usd million) {
    return break_even_time(usd(2000), token_bill(million, flow), usd_per_month(13.20)) / kMonth;
  };
  const Usd gpt = usd(blended(1.25, 1.25, 10, 2.0 / 3, 0));
  expect_share(raw(token_bill(gpt, flow) * kMonth), 816, 0.005);
  expect_share(months(gpt), 2.49, 0.005);
  const Usd opus = usd(blended(15, 15, 75, 2.0 / 3, 0));
  expect_share(raw(opus), 55, 0.005);
  expect_share(raw(token_bill(opus, flow) * kMonth), 6336, 0.005);
  expect_share(months(opus), 0.316, 0.005);
}

RentedTerms<NoTrace> eight_gpus(double usd_per_gpu_hour, double utilization) {
  RentedTerms<NoTrace> in;
  in.gpu_count = in.billed_gpus = 8;
  in.utilization = utilization;
  in.price_per_gpu = usd_per_hour(usd_per_gpu_hour);
  return in;
}

// 2 USD per GPU-hour, an interruption every 20 h, 3 min to write a checkpoint, 10 min until work goes on.
TEST(Spot, InterruptionsMakeTheHourDearer) {
  NoTrace trace;
  RentedTerms<NoTrace> in = eight_gpus(2, 0.6);
  in.term = RentTerm::spot;
  in.interruptions =
      Interruptions<NoTrace>{.mean_time_between_failures = time_between_interruptions(PerSecond(0.05 / 3600)),
                             .restart = Seconds(600),
                             .write = Seconds(180),
                             .pause = Seconds(180),
                             .interval = {}};
  const CloudCost<NoTrace> cost = cloud_cost(trace, in);
  ASSERT_TRUE(cost.spot && cost.effective_price_per_gpu && cost.total_per_used);
  EXPECT_NEAR(cost.spot->interval / hours(1), 1.414, 5e-4);
  EXPECT_NEAR(1 - cost.spot->share, 0.07904, 5e-6);
  EXPECT_NEAR(hourly(*cost.effective_price_per_gpu), 2.1717, 5e-5);
  EXPECT_NEAR(interrupted_time(hours(1000), cost.spot->share) / hours(1), 1085.8, 0.05);
  // The bill of the year follows the effective price.
  EXPECT_NEAR(hourly(*cost.total_per_used), 2.1717, 5e-5);
  EXPECT_NEAR(*cost.spot_share_of_time, 0.6 / (1 - 0.07904), 1e-5);
}

TEST(CloudCost, ByTheHourOnlyUseIsPaid) {
  NoTrace trace;
  const CloudCost<NoTrace> cost = cloud_cost(trace, eight_gpus(3.99, 0.6));
  EXPECT_NEAR(yearly(*cost.total), 3.99 * 8 * 8760 * 0.6, 1e-6);
  EXPECT_NEAR(hourly(*cost.total_per_used), 3.99, 1e-12);
  EXPECT_FALSE(cost.idle.has_value());
}

TEST(CloudCost, ACommitmentIsPaidAllTheTimeAndIdleHoursAreNamed) {
  NoTrace trace;
  RentedTerms<NoTrace> in = eight_gpus(2, 0.4);
  in.commitment_years = 3;
  const CloudCost<NoTrace> cost = cloud_cost(trace, in);
  EXPECT_NEAR(yearly(*cost.total), 2 * 8 * 8760, 1e-6);
  EXPECT_NEAR(hourly(*cost.total_per_used), 2 / 0.4, 1e-12);
  EXPECT_NEAR(yearly(*cost.idle), 2 * 8 * 8760 * 0.6, 1e-6);
}

TEST(CloudCost, PartsSumToTheBill) {
  NoTrace trace;
  RentedTerms<NoTrace> in = eight_gpus(4, 0.5);
  in.discount = 0.25;
  in.license_per_gpu = usd_per_hour(1);
  in.storage = usd_per_month(700);
  in.egress = usd_per_month(900);
  in.support_fraction = 0.1;
  in.support_fixed = usd_per_month(100);
  const CloudCost<NoTrace> cost = cloud_cost(trace, in);
  EXPECT_NEAR(yearly(*cost.compute), 3 * 8 * 8760 * 0.5, 1e-6);
  EXPECT_NEAR(yearly(*cost.license), 8 * 8760 * 0.5, 1e-6);
  const double without_support = 105120 + 35040 + 12 * 1600;
  EXPECT_NEAR(yearly(*cost.support), 0.1 * without_support + 1200, 1e-6);
  EXPECT_NEAR(yearly(*cost.total), 1.1 * without_support + 1200, 1e-6);
  EXPECT_NEAR(yearly(*cost.total), yearly(*cost.compute + *cost.license + *cost.storage + *cost.egress + *cost.support),
              1e-6);
}

TEST(CloudCost, AMissingPartLeavesNoSum) {
  NoTrace trace;
  RentedTerms<NoTrace> in = eight_gpus(4, 0.5);
  in.missing = {"No dated source for the price of data leaving the cloud."};
  EXPECT_FALSE(cloud_cost(trace, in).total.has_value());
  in = eight_gpus(4, 0.5);
  in.price_per_gpu.reset();
  EXPECT_FALSE(cloud_cost(trace, in).total.has_value());
}

TEST(CloudCost, MoreUseNeverRaisesThePriceOfAUsedHour) {
  NoTrace trace;
  for (const double term : {0.0, 1.0, 3.0}) {
    double before = 1e18;
    for (double utilization = 0.05; utilization <= 1.0; utilization += 0.05) {
      RentedTerms<NoTrace> in = eight_gpus(3, utilization);
      in.commitment_years = term;
      in.storage = usd_per_month(500);
      const double used = hourly(*cloud_cost(trace, in).total_per_used);
      EXPECT_LE(used, before * (1 + 1e-12));
      before = used;
    }
  }
}

CloudYears<NoTrace> over(const RentedTerms<NoTrace>& in, double horizon, double change, double rate = 0.08) {
  NoTrace trace;
  return cloud_years(trace, in, cloud_cost(trace, in), horizon, change, rate);
}

TEST(CloudYears, SumAtSteadyPrices) {
  const CloudYears<NoTrace> bills = over(eight_gpus(3.99, 0.6), 5, 0);
  ASSERT_EQ(bills.years.size(), 5u);
  const double year = 3.99 * 8 * 8760 * 0.6;
  EXPECT_NEAR(raw(bills.total), 5 * year, 1e-5);
  // Year-end payments of an annuity: present value = payment / recovery.
  EXPECT_NEAR(raw(bills.present_value), year / capital_recovery(0.08, discount_factor(0.08, 5.0)), 1e-5);
}

TEST(CloudYears, DriftIsTheIntegralOfThePrice) {
  // Falling by 20 % a year, all the time: the integral of 0.8^t over three years.
  const double k = -math::log(0.8);
  const double expected = 3.99 * 8 * 8760 * 0.6 * (1 - 0.8 * 0.8 * 0.8) / k;
  expect_share(raw(over(eight_gpus(3.99, 0.6), 3, -0.2).total), expected, 1e-12);
  EXPECT_GT(over(eight_gpus(3.99, 0.6), 3, 0.3).total, over(eight_gpus(3.99, 0.6), 3, 0).total);
  // Vanishing drift comes to the same as none.
  expect_share(raw(over(eight_gpus(3.99, 0.6), 3, 1e-7).total), raw(over(eight_gpus(3.99, 0.6), 3, 0).total), 1e-6);
}

TEST(CloudYears, ACommitmentKeepsItsPriceAndItsLastTermIsBilledInFull) {
  RentedTerms<NoTrace> in = eight_gpus(2, 0.5);
  in.commitment_years = 3;
  const double year = 2 * 8 * 8760;
  const CloudYears<NoTrace> steady = over(in, 5, 0);
  EXPECT_EQ(steady.billed_beyond, 1);
  EXPECT_NEAR(raw(steady.total), 6 * year, 1e-5);
  EXPECT_NEAR(raw(steady.years[4].bill), 2 * year, 1e-5);
  const CloudYears<NoTrace> falling = over(in, 6, -0.1);
  EXPECT_NEAR(raw(falling.years[2].bill), year, 1e-5);
  EXPECT_NEAR(raw(falling.years[3].bill), year * 0.9 * 0.9 * 0.9, 1e-5);
}

TEST(CloudYears, PartOfAYearIsBilledInPart) {
  EXPECT_NEAR(raw(over(eight_gpus(1, 1), 2.5, 0).total), 8 * 8760 * 2.5, 1e-5);
}

TEST(CloudYears, TracedNumbersAreThePlainOnes) {
  Trace trace;
  RentedTerms<Trace> in;
  in.gpu_count = in.billed_gpus = trace.input("/gpu_count", 8.0);
  in.utilization = trace.input("/utilization", 0.6);
  in.price_per_gpu = trace.input("/cloud/usd_per_gpu_hour", usd_per_hour(3.99));
  const auto bills = cloud_years(trace, in, cloud_cost(trace, in), 5, trace.input("/change", -0.2),
                                 trace.input("/discount_rate", 0.08));
  const CloudYears<NoTrace> plain = over(eight_gpus(3.99, 0.6), 5, -0.2);
  EXPECT_EQ(bills.total.value, plain.total);
  EXPECT_EQ(bills.present_value.value, plain.present_value);
}

TEST(Egress, StepsByVolume) {
  NoTrace trace;
  const std::vector<EgressTier<NoTrace>> tiers{{.to = gb(10000), .price = usd_per_gb(0.09)},
                                               {.to = gb(50000), .price = usd_per_gb(0.085)},
                                               {.to = {}, .price = usd_per_gb(0.07)}};
  const auto month = [&](double volume) { return raw(tiered_egress(trace, gb(volume), tiers) * kMonth); };
  EXPECT_NEAR(month(0), 0, 1e-12);
  EXPECT_NEAR(month(4000), 360, 1e-9);
  EXPECT_NEAR(month(10000), 900, 1e-9);
  EXPECT_NEAR(month(60000), 900 + 40000 * 0.085 + 10000 * 0.07, 1e-8);
  double before = 0;
  for (double volume = 1000; volume < 2e5; volume *= 1.7) {
    EXPECT_GT(month(volume), before);
    before = month(volume);
  }
}

TEST(Egress, PricesOfTheCatalogAndNamedAbsence) {
  const Catalog& catalog = embedded_catalog_facts();
  EXPECT_EQ(egress_prices(catalog, "aws").steps.size(), 5u);
  EXPECT_EQ(egress_prices(catalog, "aws").steps[1]->usd_per_gb, 0.09);
  EXPECT_EQ(egress_prices(catalog, "coreweave").steps.front()->usd_per_gb, 0);
  EXPECT_TRUE(egress_prices(catalog, "aws").caution.empty());
  const DataPrices unknown = egress_prices(catalog, "verda");
  EXPECT_FALSE(unknown.caution.empty());
  for (const CloudDataPrice& row : catalog.cloud_data_prices)
    if (!row.stored) {
      EXPECT_TRUE(std::any_of(unknown.steps.begin(), unknown.steps.end(),
                              [&](const CloudDataPrice* step) { return step->usd_per_gb >= row.usd_per_gb; }));
    }

  EXPECT_EQ(cloud_storage_prices(catalog, "coreweave").steps.front()->usd_per_gb, 0.06);
  EXPECT_FALSE(cloud_storage_prices(catalog, "").absence.empty());
}

RentFilter eight(std::string gpu, RentTerm term) {
  RentFilter filter;
  filter.gpu_id = std::move(gpu);
  filter.gpu_count = 8;
  filter.term = term;
  return filter;
}

TEST(CloudMarket, RanksEveryOfferOfEveryTerm) {
  const auto& rows = embedded_catalog_facts().cloud_prices;
  for (std::size_t i = 0; i < kRentTermWords.size(); ++i) {
    const CloudMarket market = cloud_market(rows, eight("h100-sxm5-80gb", static_cast<RentTerm>(i)));
    SCOPED_TRACE(std::string(kRentTermWords[i]));
    ASSERT_FALSE(market.offers.empty());
    EXPECT_EQ(static_cast<double>(market.offers.size()), market.summary.offers);
    EXPECT_EQ(market.offers.front().row, market.summary.lowest);
    for (std::size_t k = 1; k < market.offers.size(); ++k) EXPECT_LE(market.offers[k - 1].rent, market.offers[k].rent);
    for (const CloudOffer& offer : market.offers)
      EXPECT_LE(offer.per_gpu, gpu_hour_price(*price_of(*market.highest, market.term), market.highest->gpu_count));
  }
}

TEST(CloudMarket, LongerCommitmentsOfARowAreNotDearer) {
  for (const CloudPrice& row : embedded_catalog_facts().cloud_prices)
    if (row.on_demand && row.reserved_1y && row.reserved_3y) {
      EXPECT_LE(*row.reserved_3y, *row.reserved_1y) << row.origin;
      EXPECT_LE(*row.reserved_1y, *row.on_demand) << row.origin;
    }
}

TEST(CloudMarket, AgesCountFromTheEarliestDayOfADate) {
  EXPECT_EQ(price_age_days("2026-07-20", "2026-11-21"), 124);
  EXPECT_EQ(price_age_days("2025-11", "2026-11-21"), 385);
  EXPECT_EQ(price_age_days("2024-02-28", "2024-03-01"), 2);
  EXPECT_FALSE(price_age_days("2026-07-20", "").has_value());
}

RentedTerms<NoTrace> four_gpus(double term) {
  RentedTerms<NoTrace> in;
  in.gpu_count = in.billed_gpus = 4;
  in.utilization = 0.4;
  in.price_per_gpu = usd_per_hour(3);
  in.commitment_years = term;
  in.storage = usd(1000) / years(1);
  return in;
}

double yearly(const RentedTerms<NoTrace>& in, double horizon_years, double change, double rate = 0.08) {
  NoTrace trace;
  const auto horizon = horizon_of<NoTrace>(horizon_years, rate);
  return level_rent(trace, in, cloud_cost(trace, in), horizon, change) * years(1) / usd(1);
}

/// What the draws take for the same.
double drawn(const RentedTerms<NoTrace>& in, double horizon_years, double change, double rate = 0.08) {
  UncertainCosts costs;
  costs.gpu_count = in.gpu_count;
  costs.commitment_years = in.commitment_years;
  costs[CostInput::utilization] = certain(in.utilization);
  costs[CostInput::life_years] = certain(horizon_years);
  costs[CostInput::discount_rate] = certain(rate);
  costs[CostInput::rent_per_gpu] = certain(*in.price_per_gpu);
  costs[CostInput::rent_growth] = certain(change);
  costs[CostInput::rent_other] = certain(*in.storage);
  return own_or_rent_typical(costs).rent * years(1) / usd(1);
}

TEST(LevelRent, IsTheOneThatTheDrawsTake) {
  for (const double change : {-0.4, -0.1, 0.0, 0.08, 0.5})
    for (const double rate : {0.0, 0.08, 0.3}) {
      for (const double horizon : {1.0, 4.0, 9.0})
        EXPECT_NEAR(yearly(four_gpus(0), horizon, change, rate) / drawn(four_gpus(0), horizon, change, rate), 1, 1e-9);
      for (const double horizon : {3.0, 6.0})
        EXPECT_NEAR(yearly(four_gpus(3), horizon, change, rate) / drawn(four_gpus(3), horizon, change, rate), 1, 1e-9);
      // In a last part of a year the bill of that part stands for its drift within.
      EXPECT_NEAR(yearly(four_gpus(0), 2.5, change, rate) / drawn(four_gpus(0), 2.5, change, rate), 1, 0.01);
    }
}

TEST(LevelRent, ALevelBillIsItsOwnLevel) {
  for (const double horizon : {0.1, 0.5, 1.0, 2.5, 7.25}) {
    const double start = 0.4 * 4 * 3 * 8760 + 1000;
    EXPECT_NEAR(yearly(four_gpus(0), horizon, 0), start, 1e-6);
    EXPECT_NEAR(yearly(four_gpus(0), horizon, 1e-9), start, 1e-3);
  }
}

TEST(LevelRent, RisesWithThePriceAndWithTermsThatOutlastTheHorizon) {
  double before = 0;
  for (double change = -0.8; change < 1; change += 0.1) {
    const double now = yearly(four_gpus(0), 4, change);
    EXPECT_GT(now, before);
    before = now;
  }
  EXPECT_GT(yearly(four_gpus(3), 4, 0), yearly(four_gpus(3), 6, 0));
  EXPECT_NEAR(yearly(four_gpus(3), 6, 0), yearly(four_gpus(1), 6, 0), 1e-6);
  EXPECT_GT(yearly(four_gpus(1), 3.5, 0), yearly(four_gpus(1), 3, 0));
}

}  // namespace
}  // namespace podwright::cloud_test
