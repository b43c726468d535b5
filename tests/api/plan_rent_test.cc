#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "api/plan_example.h"
#include "catalog/catalog.h"
#include "plan/rent_offers.h"

namespace podwright::plan_rent_test {
namespace {

using namespace plan_example;

double cloud_of(const JsonNode& answer, std::string_view key) {
  return number(answer, {"plans", "0", "cost", "cloud", key});
}

double annuity_of(double years, double rate) { return (1 - std::pow(1 + rate, -years)) / rate; }

/// Value today of a price of 1 a year that changes by `change`, paid at the end of each of `years`.
double drifted_value(double years, double change, double rate) {
  double value = 0;
  for (double year = 0; year < years; ++year)
    value += (std::pow(1 + change, year + 1) - std::pow(1 + change, year)) / std::log(1 + change) /
             std::pow(1 + rate, year + 1);
  return value;
}

/// Level price of a GPU-hour by the hour, from the bill of what is used.
double level_gpu_hour(const JsonNode& answer) {
  return cloud_of(answer, "usd_per_gpu_hour") * cloud_of(answer, "as_needed_usd_per_year") /
         cloud_of(answer, "at_prices_of_the_start_usd_per_year");
}

TEST(PlanRent, AChangeOfTheRentIsInTheYearlySum) {
  for (const double change : {-0.3, -0.1, 0.2}) {
    const JsonNode answer =
        answer_of(chat(kH100, R"({"rent_change_per_year":)" + std::to_string(change) + R"(,"horizon_years":5})"));
    const double expected =
        cloud_of(answer, "compute_usd_per_year") * drifted_value(5, change, 0.08) / annuity_of(5, 0.08) +
        cloud_of(answer, "at_prices_of_the_start_usd_per_year") - cloud_of(answer, "compute_usd_per_year");
    EXPECT_NEAR(cloud_of(answer, "as_needed_usd_per_year"), expected, 1e-9 * expected) << change;
  }
}

TEST(PlanRent, WithoutAChangeTheYearlySumIsThatOfTheStart) {
  for (const std::string years : {"4", "2.5", "0.5", "7.3"}) {
    const JsonNode answer = answer_of(chat(kH100, R"({"horizon_years":)" + years + "}"));
    EXPECT_EQ(cloud_of(answer, "as_needed_usd_per_year"), cloud_of(answer, "at_prices_of_the_start_usd_per_year"));
    // A change of nearly nothing is nearly none, whatever part of a year the horizon ends with.
    const JsonNode nearly = answer_of(chat(kH100, R"({"rent_change_per_year":1e-9,"horizon_years":)" + years + "}"));
    EXPECT_NEAR(cloud_of(nearly, "as_needed_usd_per_year") / cloud_of(answer, "as_needed_usd_per_year"), 1, 1e-7)
        << years;
  }
}

// A term of three years in a horizon of four is followed by a year on demand.
TEST(PlanRent, ACommitmentIsBilledWithinTheHorizon) {
  Catalog catalog = embedded_catalog_facts();
  for (CloudPrice& row : catalog.cloud_prices) row.reserved_1y.reset();
  const auto committed = [&](const std::string& years) {
    return answer_of(catalog, chat(kH100, R"({"horizon_years":)" + years + "}"));
  };
  const auto part = [](const JsonNode& answer, std::string_view key) {
    return number(answer, {"plans", "0", "cost", "committed", key});
  };
  const JsonNode fits = committed("6");
  EXPECT_EQ(part(fits, "usd_per_year"), part(fits, "at_prices_of_the_start_usd_per_year"));
  const JsonNode outlasts = committed("4");
  const double term = part(outlasts, "at_prices_of_the_start_usd_per_year");
  const double rest = cloud_of(outlasts, "at_prices_of_the_start_usd_per_year");
  EXPECT_NEAR(part(outlasts, "usd_per_year"),
              (term * annuity_of(3, 0.08) + rest / std::pow(1.08, 4)) / annuity_of(4, 0.08), 1e-9 * term);
}

/// The first plan on H100 where one provider offers nothing but a contract of these days.
JsonNode with_contract(const std::string& request, double least_days, double most_days) {
  Catalog catalog = embedded_catalog_facts();
  for (CloudPrice& row : catalog.cloud_prices) {
    row.reserved_1y.reset();
    row.reserved_3y.reset();
    row.contract.reset();
  }
  CloudPrice row;
  for (const CloudPrice& listed : catalog.cloud_prices)
    if (listed.gpu_id == "h100-sxm5-80gb" && listed.on_demand && !listed.network.empty()) row = listed;
  row.contract = usd_per_hour(row.gpu_count);
  row.contract_terms = "weeks";
  row.contract_least = days(least_days);
  row.contract_most = days(most_days);
  catalog.cloud_prices.push_back(row);
  return answer_of(catalog, request);
}

double committed_of(const JsonNode& answer, std::string_view key) {
  return number(answer, {"plans", "0", "cost", "committed", key});
}

// A run takes whole contracts for its time, serving takes them for the whole horizon.
TEST(PlanRent, ContractsAreBilledWholeForAsLongAsMachinesAreNeeded) {
  const std::string run = R"({"kind":"plan","workloads":[{"name":"t","type":"training","model":"llama-3.1-70b",
      "tokens":1e12,"deadline_days":60,"global_batch_size":1024}],)" +
                          std::string(R"("constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0,"top":1}})");
  const auto bill = [](const JsonNode& answer, double billed_days) {
    const double expected = number(answer, {"plans", "0", "gpu_count"}) * 24 * billed_days;
    EXPECT_NEAR(committed_of(answer, "usd_per_year"), expected, 1e-6 * expected);
  };
  const auto run_days = [](const JsonNode& answer) {
    return number(answer, {"plans", "0", "estimates", "0", "run", "time_days"});
  };
  const JsonNode fits = with_contract(run, 1, 1000);
  EXPECT_EQ(find(fits, {"plans", "0", "cost", "committed", "contract_terms"})->text, "weeks");
  EXPECT_EQ(find(fits, {"plans", "0", "way"})->text, "rent-committed");
  bill(fits, run_days(fits));
  // One contract that is longer than the run, and as many of a week as the run takes.
  bill(with_contract(run, 90, 90), 90);
  const JsonNode weeks = with_contract(run, 7, 7);
  bill(weeks, 7 * std::ceil(run_days(weeks) / 7));
  // Machines of eight GPUs that serve stand all the time.
  const JsonNode serving = with_contract(chat(kH100), 365, 365);
  EXPECT_NEAR(committed_of(serving, "usd_per_year"),
              8760 * 8 * std::ceil(number(serving, {"plans", "0", "gpu_count"}) / 8), 1e-3);
}

// Machines that nobody rents by the hour are rented by contract.
TEST(PlanRent, AContractAloneIsAWay) {
  Catalog catalog = embedded_catalog_facts();
  for (CloudPrice& row : catalog.cloud_prices) row.on_demand.reset(), row.reserved_1y.reset(), row.reserved_3y.reset();
  const std::string rented = chat(R"({"gpus":["b300-sxm"],"ownership":"cloud"})");
  const JsonNode answer = answer_of(catalog, rented);
  EXPECT_EQ(find(answer, {"plans", "0", "way"})->text, "rent-committed");
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "cloud"}), nullptr);
  EXPECT_GT(committed_of(answer, "usd_per_year"), 0);
  for (CloudPrice& row : catalog.cloud_prices) row.contract.reset();
  EXPECT_EQ(find(answer_of(catalog, rented), {"plans", "0"}), nullptr);
}

// The middle of three offers for a run is none that lasts two years, as long as one is short enough.
TEST(PlanRent, AContractThatFitsTheTimeComesBeforeALongerOne) {
  const auto row = [](const char* id, double price, double least) {
    CloudPrice one;
    one.provider = one.instance = id;
    one.gpu_id = "h100-sxm5-80gb";
    one.gpu_count = one.machine_gpus = 8;
    one.contract = usd_per_hour(8 * price);
    one.contract_least = days(least);
    one.contract_most = days(1000);
    one.as_of = "2026-10-01";
    return one;
  };
  Catalog catalog;
  PlanRequest request;
  request.economics.horizon_years = 0.5;
  RentFilter filter{.gpu_id = "h100-sxm5-80gb", .gpu_count = 8};
  const auto chosen = [&](std::vector<CloudPrice> rows) {
    catalog.cloud_prices = std::move(rows);
    return commitment_offers(catalog, request, filter, {days(36)}).front().market.chosen->provider;
  };
  const CloudPrice fits = row("fits", 5, 1);
  const CloudPrice month = row("month", 2, 60);
  const CloudPrice years = row("years", 1, 730);
  EXPECT_EQ(chosen({month, fits, years}), "fits");
  EXPECT_EQ(chosen({years, month}), "years");  // none fits: the upper of two bills
  // What stands beside the machines counts in full, they for the share of all time that the run takes.
  filter.beside = [](const CloudPrice& one) { return usd_per_hour(one.provider == "fits" ? 0 : 6); };
  catalog.cloud_prices = {fits, row("beside", 4.5, 1)};
  request.economics.price_policy.choice = filter.policy.choice = PriceChoice::lowest;
  const auto with_use = [&](double use) {
    return commitment_offers(catalog, request, filter, {days(36), use}).front().market.chosen->provider;
  };
  EXPECT_EQ(with_use(1), "fits");
  filter.beside = [](const CloudPrice& one) { return usd_per_hour(one.provider == "fits" ? 0 : 3); };
  EXPECT_EQ(with_use(1), "beside");
  EXPECT_EQ(with_use(0.1), "fits");
}

// The share of use from which on owning is cheaper is the one at which the sums are equal.
TEST(PlanRent, SumsAndBreakEvenAgree) {
  for (const std::string change : {"-0.25", "0", "0.15"}) {
    const auto asked_at = [&](double mean) {
      return answer_of(R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b",
          "peak_requests_per_s":50,"mean_requests_per_s":)" +
                       std::to_string(mean) +
                       R"(,"input_tokens":2048,"output_tokens":512}],"constraints":{"gpus":["b200-sxm"]},
          "economics":{"horizon_years":5,"rent_change_per_year":)" +
                       change + R"(},"options":{"draws":0}})");
    };
    const auto sums = [](const JsonNode& answer) {
      return number(answer, {"plans", "0", "cost", "on_premises", "annual_usd"}) /
             cloud_of(answer, "as_needed_usd_per_year");
    };
    const JsonNode answer = asked_at(30);
    const double from = number(answer, {"plans", "0", "cost", "break_even", "utilization"});
    const double used = number(answer, {"plans", "0", "cost", "on_premises", "utilization"});
    // With a mean that puts the owned GPUs to that use both cost the same; above 1 the peak all the time is as much
    // cheaper to rent.
    if (from > 1)
      EXPECT_NEAR(sums(asked_at(50)), from, 1e-9) << change;
    else
      EXPECT_NEAR(sums(asked_at(30 * from / used)), 1, 1e-6) << change;
  }
}

// Work that must stay is owned; what is rented beside it costs the level price.
TEST(PlanRent, AHybridRentsAtTheLevelPrice) {
  const std::string serving =
      R"("type":"serving","model":"llama-3.1-8b","peak_requests_per_s":60,"mean_requests_per_s":5,"input_tokens":1500,
      "output_tokens":400)";
  for (const std::string change : {"-0.2", "0", "0.2"}) {
    const JsonNode answer = answer_of(R"({"kind":"plan","workloads":[{"name":"files","sovereignty":"on-premises",)" +
                                      serving + R"(},{"name":"shop",)" + serving +
                                      R"(}],"constraints":{"gpus":["h100-sxm5-80gb"]},"economics":{"horizon_years":5,
                                      "rent_change_per_year":)" +
                                      change + R"(},"options":{"draws":0}})");
    ASSERT_NE(find(answer, {"plans", "0", "cost", "hybrid"}), nullptr) << change;
    const double paid = number(answer, {"plans", "0", "cost", "hybrid", "rent_usd_per_year"}) /
                        (8760 * number(answer, {"plans", "0", "cost", "hybrid", "rented_gpus_mean"}));
    EXPECT_NEAR(paid, level_gpu_hour(answer), 1e-9 * paid) << change;
  }
}

}  // namespace
}  // namespace podwright::plan_rent_test
