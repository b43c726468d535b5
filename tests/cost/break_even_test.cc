#include "cost/break_even.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cost/owning_example.h"
#include "cost/rent.h"

namespace podwright::break_even_test {
namespace {

constexpr double kMonth = 730;

// A GPU-hour of 2.3926 USD of one's own, used or not, against three rents: 2.3926 / 3.99, / 6.88 and / 12.29.
TEST(BreakEvenUtilisation, OfOneServer) {
  const UsdPerSecond available = usd_per_hour(2.392564);
  EXPECT_NEAR(break_even_utilization(available, usd_per_hour(3.99)), 0.5996, 5e-5);
  EXPECT_NEAR(break_even_utilization(available, usd_per_hour(6.88)), 0.3478, 5e-5);
  EXPECT_NEAR(break_even_utilization(available, usd_per_hour(12.29)), 0.1947, 5e-5);
}

// Lenovo LP2225 (2025) and LP2368 (2026): purchase, cloud rate, rate of running it.
TEST(BreakEvenTime, OfPublishedServers) {
  const auto hours_of = [](double capex, double cloud, double own) {
    return break_even_time(usd(capex), usd_per_hour(cloud), usd_per_hour(own)) / hours(1);
  };
  EXPECT_NEAR(hours_of(833806, 98.32, 0.87), 8556.24, 0.86);
  EXPECT_NEAR(hours_of(833806, 77.43, 0.87), 10890.88, 1.09);
  EXPECT_NEAR(hours_of(833806, 53.95, 0.87), 15708.48, 1.57);
  EXPECT_NEAR(hours_of(250141.8, 98.32, 6.37), 2720.41, 0.27);
}

// Lenovo LP2225: 8,556.24 h are 11.9 months of 720 h as printed, 11.7 of 730 h.
TEST(BreakEvenTime, MonthsOfAPublishedServer) {
  const double hours_needed = break_even_time(usd(833806), usd_per_hour(98.32), usd_per_hour(0.87)) / hours(1);
  EXPECT_NEAR(hours_needed, 8556.24, 0.86);
  EXPECT_NEAR(hours_needed / 720, 11.884, 0.0012);
  EXPECT_NEAR(hours_needed / kMonth, 11.721, 0.0012);
  EXPECT_NEAR(break_even_time(usd(250141.8), usd_per_hour(98.32), usd_per_hour(6.37)) / hours(kMonth), 3.7266, 4e-4);
}

// LP2368 gives months against commitments; the hourly rates follow.
TEST(BreakEvenTime, CommitmentsReadOutOfPublishedMonths) {
  const auto rent_of = [](double months) {
    return hourly(implied_rent(usd(250141.8), hours(months * kMonth), usd_per_hour(6.37)));
  };
  EXPECT_NEAR(rent_of(6), 63.48, 0.63);
  EXPECT_NEAR(rent_of(9.3), 43.22, 0.43);
  EXPECT_NEAR(rent_of(10.4), 39.32, 0.39);
}

// LP2368: five years of life, and what a million tokens cost on either side at the rate that makes them 0.11 owned.
TEST(BreakEvenTime, PublishedTokenPrices) {
  const UsdPerSecond own = straight_line(usd(250141.8), usd(0), 5.0) + usd_per_hour(6.37);
  EXPECT_NEAR(hourly(own), 12.081, 0.0121);
  EXPECT_NEAR(usd_per_hour(98.32) / own, 8.14, 0.0082);
  const PerSecond rate = per_second(30507.6);
  EXPECT_NEAR(million_token_price(own, rate) / usd(1), 0.11, 1.1e-4);
  EXPECT_NEAR(million_token_price(usd_per_hour(98.32), rate) / usd(1), 0.895, 9e-4);
}

// Pan and Wang: a card of 2,000 that makes 200 tokens/s for 160 h a month, a third of them input, at 13.20 of
// electricity a month, against two priced models.
TEST(BreakEvenTime, OfACardAgainstAPricedModel) {
  const double tokens = 200.0 * 3600 * 160;
  EXPECT_NEAR(tokens, 115.2e6, 1);
  const auto months = [&](double input, double output) {
    const double rent = tokens / 1e6 * (input / 3 + output * 2 / 3);
    return break_even_time(usd(2000), usd(rent) / hours(kMonth), usd(13.20) / hours(kMonth)) / hours(kMonth);
  };
  EXPECT_NEAR(tokens / 1e6 * (1.25 / 3 + 10 * 2.0 / 3), 816, 816 * 0.005);
  EXPECT_NEAR(tokens / 1e6 * (15.0 / 3 + 75 * 2.0 / 3), 6336, 6336 * 0.005);
  EXPECT_NEAR(months(1.25, 10), 2.49, 2.49 * 0.005);
  EXPECT_NEAR(months(15, 75), 0.316, 0.316 * 0.005);
}

/// The example's break-even against a rent of all its GPUs.
BreakEven<NoTrace> of_one_server(double rent_per_hour, double price_change = 0) {
  NoTrace trace;
  const OwningCost<NoTrace> cost = owned(one_server());
  BreakEvenTerms<NoTrace> terms{.capex = cost.capital->capex,
                                .own = cost.total->yearly,
                                .operation = cost.operation->yearly,
                                .rent = usd_per_hour(rent_per_hour),
                                .price_change = {},
                                .horizon_years = 5};
  if (price_change != 0) terms.price_change = price_change;
  return break_even(trace, terms);
}

TEST(BreakEven, OfOneServer) {
  EXPECT_NEAR(hourly(owned(one_server()).operation->yearly), 10.4716, 5e-5);
  EXPECT_NEAR(*of_one_server(8 * 3.99).utilization, 0.5996, 5e-5);
  EXPECT_NEAR(*of_one_server(8 * 6.88).utilization, 0.3478, 5e-5);
  EXPECT_NEAR(*of_one_server(8 * 12.29).utilization, 0.1947, 5e-5);
  EXPECT_NEAR(*of_one_server(55.04).time / hours(1), 7673.6, 0.05);
  EXPECT_NEAR(*of_one_server(98.32).time / hours(1), 3893.1, 0.05);
  EXPECT_NEAR(*of_one_server(8 * 3.99).time / hours(1), 15945.2, 0.05);
  EXPECT_NEAR(*of_one_server(8 * 3.99).time / hours(kMonth), 21.843, 5e-4);
}

TEST(BreakEven, OfOneServerWhileRentsFall) {
  EXPECT_NEAR(*of_one_server(8 * 3.99, -0.10).time / hours(1), 18919, 0.5);
  EXPECT_NEAR(*of_one_server(8 * 3.99, -0.20).time / hours(1), 27283, 0.5);
  const BreakEven<NoTrace> never = of_one_server(8 * 3.99, -0.30);
  EXPECT_FALSE(never.time.has_value());
  EXPECT_EQ(never.reason,
            "The rent falls to the cost of running the owned machines before the purchase is earned back.");
}

TEST(BreakEven, WhatCostsNothingIsEarnedBackAtOnceWhateverRentsDo) {
  NoTrace trace;
  for (const double change : {-0.1, 0.1}) {
    const BreakEven<NoTrace> found = break_even(trace, BreakEvenTerms<NoTrace>{.capex = usd(0),
                                                                               .own = usd_per_hour(1),
                                                                               .operation = usd_per_hour(1),
                                                                               .rent = usd_per_hour(4),
                                                                               .price_change = change});
    EXPECT_EQ(*found.time, Seconds(0));
    EXPECT_NEAR(*found.sensitivity, 4.0 / 3.0, 1e-12);
  }
}

TEST(BreakEven, RisingRentsEarnThePurchaseBackSooner) {
  const Seconds level = *of_one_server(8 * 3.99).time;
  const Seconds rising = *of_one_server(8 * 3.99, 0.10).time;
  EXPECT_LT(rising, level);
  const PerSecond decay = price_decay(0.10);
  const OwningCost<NoTrace> cost = owned(one_server());
  EXPECT_NEAR((paid_rent(usd_per_hour(8 * 3.99), decay, rising) - cost.operation->yearly * rising) / usd(1), 342000,
              1e-4);
}

TEST(BreakEven, CheapRentIsNeverAndADearOneOnlyAfterItHasRisen) {
  const BreakEven<NoTrace> never = of_one_server(10);
  EXPECT_FALSE(never.time.has_value());
  EXPECT_GT(*never.utilization, 1);
  EXPECT_EQ(never.reason,
            "Renting costs no more than running the owned machines alone, so the purchase is never earned back.");
  EXPECT_FALSE(of_one_server(10, -0.1).time.has_value());
  const BreakEven<NoTrace> late = of_one_server(10, 0.25);
  ASSERT_TRUE(late.time.has_value());
  EXPECT_GT(*late.time, years(1));
  EXPECT_FALSE(of_one_server(0).time.has_value());
  EXPECT_FALSE(of_one_server(0).utilization.has_value());
}

TEST(BreakEven, CloseRatesAreIllConditioned) {
  const BreakEven<NoTrace> close = of_one_server(10.6);
  ASSERT_TRUE(close.time.has_value());
  EXPECT_GT(*close.sensitivity, 50);
  ASSERT_EQ(close.cautions.size(), 3u);
  EXPECT_NE(close.cautions[1].text().find("Ill-conditioned"), std::string::npos);
  EXPECT_NE(close.cautions[2].text().find("only after the years"), std::string::npos);
  EXPECT_TRUE(of_one_server(98.32).cautions.empty());
}

// The relative change of the time is the sensitivity times that of the rent.
TEST(BreakEven, SensitivityIsTheSlope) {
  const double step = 1e-6;
  for (const double change : {-0.1, 0.0, 0.2}) {
    const BreakEven<NoTrace> at = of_one_server(40, change);
    const BreakEven<NoTrace> above = of_one_server(40 * (1 + step), change);
    EXPECT_NEAR((*at.time - *above.time) / *at.time / step, *at.sensitivity, 1e-4) << change;
  }
}

// Just before "never" the balance hardly rises, and the time can be trusted as little as with close rates.
TEST(BreakEven, NearlyNeverIsIllConditioned) {
  const BreakEven<NoTrace> nearly = of_one_server(8 * 3.99, -0.2214);
  ASSERT_TRUE(nearly.time.has_value());
  EXPECT_GT(*nearly.sensitivity, kIllConditioned);
  EXPECT_FALSE(nearly.cautions.empty());
}

TEST(BreakEven, ADriftTooSmallToCountIsNone) {
  EXPECT_EQ(*of_one_server(40, 1e-20).time, *of_one_server(40).time);
  EXPECT_NEAR(*of_one_server(40, 1e-9).time / *of_one_server(40).time, 1, 1e-8);
  EXPECT_NEAR(*of_one_server(40, -1e-9).time / *of_one_server(40).time, 1, 1e-8);
}

TEST(BreakEven, TracedNumbersAreThePlainOnes) {
  for (const double change : {-0.1, 0.0, 0.1}) {
    const OwningCost<NoTrace> cost = owned(one_server());
    Trace trace;
    BreakEvenTerms<Trace> terms{.capex = trace.input("/capex", cost.capital->capex),
                                .own = trace.input("/own", cost.total->yearly),
                                .operation = trace.input("/operation", cost.operation->yearly),
                                .rent = trace.input("/rent", usd_per_hour(8 * 3.99)),
                                .price_change = {},
                                .horizon_years = 5};
    if (change != 0) terms.price_change = trace.input("/price_change_per_year", change);
    const BreakEven<Trace> traced = break_even(trace, terms);
    const BreakEven<NoTrace> plain = of_one_server(8 * 3.99, change);
    EXPECT_EQ(traced.time->value, *plain.time);
    EXPECT_EQ(traced.utilization->value, *plain.utilization);
    EXPECT_EQ(traced.sensitivity->value, *plain.sensitivity);
    EXPECT_EQ(traced.cautions, plain.cautions);
  }
}

TEST(PaidRent, IsTheIntegralOfThePrice) {
  const UsdPerSecond rent = usd_per_hour(30);
  for (const double change : {-0.6, -0.1, -1e-3, -1e-7, 1e-7, 1e-3, 0.1, 2.0}) {
    const PerSecond decay = price_decay(change);
    double sum = 0;  // Simpson's rule over two years
    const int parts = 2000;
    for (int i = 0; i <= parts; ++i) {
      const double weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * 30 * std::pow(1 + change, 2.0 * i / parts);
    }
    sum *= 2 * 8760.0 / parts / 3;
    EXPECT_NEAR(paid_rent(rent, decay, years(2)) / usd(sum), 1, 1e-9) << change;
  }
  EXPECT_NEAR(paid_rent(rent, PerSecond(0), years(1)) / usd(30 * 8760), 1, 1e-15);
}

TEST(PaidRent, SeriesMeetsTheClosedForm) {
  const UsdPerSecond rent = usd_per_hour(1);
  for (const double x : {0.99e-4, 1.01e-4, -0.99e-4, -1.01e-4}) {
    const Usd paid = paid_rent(rent, PerSecond(x / 3.6e6), seconds(3.6e6));
    EXPECT_NEAR(paid / usd(1000), -std::expm1(-x) / x, 2e-12) << x;
  }
}

TEST(BreakEvenProperties, DriftKeepsItsOrderAndSolvesTheEquation) {
  std::mt19937_64 generator(11);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(generator() >> 11U) * 0x1p-53;
  };
  int found = 0;
  for (int round = 0; round < 3000; ++round) {
    const Usd capex = usd(between(1e3, 1e7));
    const UsdPerSecond operation = generator() % 8 == 0 ? UsdPerSecond(0) : usd_per_hour(between(0.1, 100));
    const UsdPerSecond rent = usd_per_hour(between(0.1, 300));
    std::optional<Seconds> before;
    bool was_never = true;
    for (const double change : {-0.7, -0.3, -0.1, -0.01, 0.0, 0.01, 0.1, 0.5}) {
      const std::optional<Seconds> time = break_even_time_with_drift(capex, rent, operation, change);
      if (change == 0) {
        EXPECT_EQ(time.has_value(), rent > operation);
      }
      EXPECT_TRUE(time.has_value() || was_never) << "a rent that rises faster is earned back too";
      if (!time) continue;
      was_never = false;
      ++found;
      if (before) {
        EXPECT_LE(raw(*time), raw(*before) * (1 + 1e-9));
      }
      before = time;
      const Usd paid = paid_rent(rent, price_decay(change), *time);
      EXPECT_NEAR((paid - operation * *time) / capex, 1, 1e-9 * (paid / capex) + 1e-9);
    }
  }
  EXPECT_GT(found, 10000);
}

TEST(BreakEvenProperties, UtilisationBelowOneWhereOwningWinsAtFullUse) {
  std::mt19937_64 generator(12);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(generator() >> 11U) * 0x1p-53;
  };
  for (int round = 0; round < 1000; ++round) {
    OwnedTerms<NoTrace> inputs = one_server();
    inputs.servers.amount = usd(between(1e5, 1e6));
    inputs.utilization = 1;
    const OwningCost<NoTrace> cost = owned(inputs);
    const UsdPerSecond per_gpu = usd_per_hour(between(0.5, 12));
    NoTrace trace;
    const BreakEven<NoTrace> answer = break_even<NoTrace>(trace, {.capex = cost.capital->capex,
                                                                  .own = cost.total->yearly,
                                                                  .operation = cost.operation->yearly,
                                                                  .rent = per_gpu * 8.0,
                                                                  .price_change = {},
                                                                  .horizon_years = 0});
    EXPECT_EQ(*answer.utilization < 1, *cost.used < per_gpu);
    // At the break-even utilisation a used GPU-hour costs the same on either side.
    EXPECT_NEAR(used_gpu_price(cost.total->available, *answer.utilization) / per_gpu, 1, 1e-12);
  }
}

}  // namespace
}  // namespace podwright::break_even_test
