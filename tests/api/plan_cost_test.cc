#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "api/plan_example.h"

namespace podwright::plan_cost_test {
namespace {

using namespace plan_example;

std::string way_of(const JsonNode& answer) {
  const JsonNode* way = find(answer, {"plans", "0", "way"});
  return way == nullptr ? "" : way->text;
}

bool fires(const JsonNode& answer, std::string_view rule) {
  const JsonNode* factors = find(answer, {"plans", "0", "decision_factors"});
  for (std::size_t i = 0; factors != nullptr && i < factors->items.size(); ++i)
    if (factors->items[i].find("rule")->text == rule) return true;
  return false;
}

TEST(PlanCost, PartsOfOwningAddUp) {
  const JsonNode answer = answer_of(chat(kH100));
  const auto own = [&](std::string_view key) { return number(answer, {"plans", "0", "cost", "on_premises", key}); };
  EXPECT_NEAR(own("annual_usd"), own("annual_capital_usd") + own("annual_opex_usd"), 1e-6 * own("annual_usd"));
  EXPECT_NEAR(own("annual_opex_usd"),
              own("energy_usd_per_year") + own("facility_usd_per_year") + own("support_usd_per_year") +
                  own("license_usd_per_year") + own("staff_usd_per_year") + own("connection_usd_per_year"),
              1e-6 * own("annual_opex_usd"));
  const double gpus = number(answer, {"plans", "0", "architecture", "gpus"});
  EXPECT_NEAR(own("usd_per_gpu_hour_available"), own("annual_usd") / (gpus * 8760), 1e-9 * own("annual_usd"));
  EXPECT_NEAR(own("usd_per_gpu_hour_used"), own("usd_per_gpu_hour_available") / own("utilization"), 1e-6);
}

// Whole instances stand for longer than the GPUs in them work, and never all of them all the time.
TEST(PlanCost, RentIsPaidWhileInstancesStand) {
  const JsonNode answer = answer_of(chat(kH100, R"({"license":"none"})"));
  const auto cloud = [&](std::string_view key) { return number(answer, {"plans", "0", "cost", "cloud", key}); };
  const double use =
      number(answer, {"plans", "0", "demand", "mean_gpus"}) / number(answer, {"plans", "0", "demand", "peak_gpus"});
  EXPECT_LE(use, 25.0 / 60.0);
  EXPECT_GT(cloud("as_needed_usd_per_year"), cloud("always_on_usd_per_year") * use);
  EXPECT_LT(cloud("as_needed_usd_per_year"), cloud("always_on_usd_per_year"));
}

// As predicted, what is needed on average follows from what one GPU carries, not from what its share of the peak is.
TEST(PlanCost, MeanDemandIsWhatTheMeanLoadTakes) {
  const JsonNode answer = answer_of(chat(R"({"gpus":["h100-sxm5-80gb"],"confidence":0.5})"));
  const auto of = [&](std::initializer_list<std::string_view> path) {
    return number(*find(answer, {"plans", "0"}), path);
  };
  EXPECT_NEAR(of({"demand", "mean_gpus"}),
              of({"demand", "peak_gpus"}) * 25 / of({"layouts", "0", "max_requests_per_s"}), 1e-9);
}

TEST(PlanCost, TheChosenWayIsTheCheapestThatIsOpen) {
  const JsonNode answer = answer_of(chat(kH100));
  double least = 1e300;
  std::string cheapest;
  const std::map<std::string, std::pair<std::string_view, std::string_view>> totals{
      {"rent-on-demand", {"cloud", "as_needed_usd_per_year"}},
      {"rent-committed", {"committed", "usd_per_year"}},
      {"own", {"on_premises", "annual_usd"}},
      {"hybrid", {"hybrid", "usd_per_year"}}};
  for (const auto& [way, at] : totals) {
    const JsonNode* total = find(answer, {"plans", "0", "cost", at.first, at.second});
    if (total == nullptr || total->number >= least) continue;
    least = total->number;
    cheapest = way;
  }
  EXPECT_EQ(way_of(answer), cheapest);
}

TEST(PlanCost, DataThatMustStayIsOwned) {
  const JsonNode answer = answer_of(chat(R"({"gpus":["h100-sxm5-80gb"],"sovereignty":"air-gapped"})"));
  EXPECT_EQ(way_of(answer), "own");
  EXPECT_TRUE(fires(answer, "own-ground"));
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "cloud"}), nullptr);
}

TEST(PlanCost, WithoutCapitalOrStaffItIsRented) {
  for (const std::string what : {"no_capital", "no_staff"}) {
    const JsonNode answer =
        answer_of(chat(R"({"gpus":["h100-sxm5-80gb"],")" + what + R"(":true})", R"({"rent_change_per_year":0.9})"));
    EXPECT_EQ(way_of(answer).substr(0, 4), "rent") << what;
  }
  EXPECT_TRUE(fires(answer_of(chat(R"({"gpus":["h100-sxm5-80gb"],"no_capital":true})")), "no-capital"));
}

// Beside free work there is bound work: renting everything is out, and what is owned holds the bound peak.
TEST(PlanCost, OneBoundWorkloadIsOwned) {
  const std::string serving =
      R"("type":"serving","model":"llama-3.1-8b","peak_requests_per_s":60,"mean_requests_per_s":5,"input_tokens":1500,
      "output_tokens":400)";
  const JsonNode answer = answer_of(R"({"kind":"plan","workloads":[{"name":"files","sovereignty":"on-premises",)" +
                                    serving + R"(},{"name":"shop",)" + serving +
                                    R"(}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0}})");
  EXPECT_TRUE(fires(answer, "part-on-own-ground"));
  const std::string way = way_of(answer);
  EXPECT_TRUE(way == "own" || way == "hybrid") << way;
  ASSERT_NE(find(answer, {"plans", "0", "cost", "hybrid"}), nullptr);
  EXPECT_GE(number(answer, {"plans", "0", "cost", "hybrid", "own_gpus"}),
            number(answer, {"plans", "0", "layouts", "0", "gpu_count"}));
}

// Accelerators of other makers are compared in money where somebody rents them out by a dated price.
TEST(PlanCost, OthersThanNvidiasAreRentedAndMarked) {
  for (const auto& [gpu, maker] : {std::pair{"mi355x", "AMD"}, {"mi300x", "AMD"}, {"trainium-trn1", "AWS"}}) {
    const JsonNode answer =
        answer_of(chat(R"({"gpus":[")" + std::string(gpu) + R"("]})", "{}", R"({"top":1,"draws":0})"));
    EXPECT_EQ(way_of(answer), "rent-on-demand") << gpu;
    EXPECT_GT(yearly_cost(answer), 0) << gpu;
    const JsonNode* missing = find(answer, {"plans", "0", "cost", "missing", "0"});
    ASSERT_NE(missing, nullptr) << gpu;
    EXPECT_NE(missing->text.find("made by " + std::string(maker) + " and outside the designs"), std::string::npos)
        << missing->text;
  }
}

// What is rented beside the owned nodes is instances, at the price of all their GPUs while they stand.
TEST(PlanCost, AHybridRentsWholeInstances) {
  const std::string serving =
      R"("type":"serving","model":"llama-3.1-8b","peak_requests_per_s":400,"mean_requests_per_s":100,
      "input_tokens":1500,"output_tokens":400)";
  const JsonNode answer = answer_of(R"({"kind":"plan","workloads":[{"name":"files","sovereignty":"on-premises",)" +
                                    serving + R"(},{"name":"shop",)" + serving +
                                    R"(}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0}})");
  const auto hybrid = [&](std::string_view key) { return number(answer, {"plans", "0", "cost", "hybrid", key}); };
  const double instance_gpus = hybrid("rented_gpus_peak") / hybrid("rented_instances_peak");
  EXPECT_EQ(hybrid("rented_instances_peak"), std::floor(hybrid("rented_instances_peak")));
  EXPECT_EQ(instance_gpus, std::floor(instance_gpus));
  EXPECT_NEAR(hybrid("rented_gpus_mean"), instance_gpus * hybrid("rented_instances_mean"), 1e-9);
  EXPECT_GE(hybrid("own_gpus") + hybrid("rented_gpus_peak"), number(answer, {"plans", "0", "demand", "peak_gpus"}));
  EXPECT_NEAR(hybrid("rent_usd_per_year"),
              8760 * hybrid("rented_gpus_mean") *
                  number(answer, {"plans", "0", "cost", "hybrid", "rented_part", "usd_per_gpu_hour"}),
              1e-6 * hybrid("rent_usd_per_year"));
}

TEST(PlanCost, TrainingFillsWhatServingLeavesFree) {
  const auto mixed = [](const std::string& constraints) {
    return R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":300,
      "mean_requests_per_s":60,"input_tokens":1500,"output_tokens":400},{"name":"adapt","type":"training","method":"lora",
      "model":"llama-3.1-8b","tokens":2e9,"deadline_days":20,"runs_per_year":10}],"constraints":)" +
           constraints + R"(,"options":{"draws":0}})";
  };
  const JsonNode shared = answer_of(mixed(kH100));
  const JsonNode apart = answer_of(mixed(R"({"gpus":["h100-sxm5-80gb"],"separate_workloads":true})"));
  EXPECT_GT(number(shared, {"plans", "0", "demand", "saved_gpus"}), 0);
  EXPECT_LT(number(shared, {"plans", "0", "gpu_count"}), number(apart, {"plans", "0", "gpu_count"}));
  EXPECT_EQ(number(apart, {"plans", "0", "gpu_count"}), number(apart, {"plans", "0", "demand", "peak_gpus"}));
}

TEST(PlanCost, RunsThatDoNotFitIntoAYearGoOnAtOnce) {
  const auto runs = [](const std::string& a_year) {
    return answer_of(R"({"kind":"plan","workloads":[{"name":"adapt","type":"training","method":"lora",
      "model":"llama-3.1-8b","tokens":2e9,"deadline_days":30,"runs_per_year":)" +
                     a_year + R"(}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0}})");
  };
  const double time = number(runs("1"), {"plans", "0", "estimates", "0", "run", "time_days"});
  const double often = std::ceil(3.5 * 365 / time);
  const JsonNode answer = runs(std::to_string(often));
  const double together = std::ceil(often * number(answer, {"plans", "0", "estimates", "0", "run", "time_days"}) / 365);
  EXPECT_GT(together, 1);
  EXPECT_EQ(number(answer, {"plans", "0", "demand", "peak_gpus"}),
            together * number(answer, {"plans", "0", "layouts", "0", "gpu_count"}));
}

TEST(PlanCost, GrowthIsBoughtYearByYear) {
  const JsonNode answer = answer_of(chat(kH100, R"({"demand_growth_per_year":0.8,"horizon_years":4})"));
  const JsonNode* purchases = find(answer, {"plans", "0", "cost", "growth", "purchases"});
  ASSERT_NE(purchases, nullptr);
  ASSERT_EQ(purchases->items.size(), 5u);
  double nodes = 0;
  for (const JsonNode& year : purchases->items) {
    nodes += year.find("nodes_bought")->number;
    EXPECT_EQ(year.find("nodes")->number, nodes);
    EXPECT_GE(8 * nodes, year.find("gpus_needed")->number);
  }
  EXPECT_GT(number(answer, {"plans", "0", "cost", "growth", "saved_by_steps_usd"}), 0);
}

TEST(PlanCost, DrawsAreThoseOfTheFirstPlanAndMayBeNone) {
  const JsonNode drawn = answer_of(chat(R"({"gpus":["h100-sxm5-80gb","h200-sxm5-141gb"]})"));
  EXPECT_EQ(number(drawn, {"plans", "0", "cost", "distribution", "draws"}), 2000);
  EXPECT_EQ(find(drawn, {"plans", "1", "cost", "distribution"}), nullptr);
  const double probability = number(drawn, {"plans", "0", "cost", "distribution", "probability_owning_is_cheaper"});
  EXPECT_GE(probability, 0);
  EXPECT_LE(probability, 1);
  EXPECT_EQ(find(answer_of(chat(kH100, "{}", R"({"draws":0})")), {"plans", "0", "cost", "distribution"}), nullptr);
}

TEST(PlanCost, EurosAreConverted) {
  const JsonNode answer = answer_of(chat(kH100, R"({"region":"DEU"})"));
  EXPECT_GT(number(answer, {"plans", "0", "cost", "on_premises", "energy_usd_per_year"}), 0);
  ASSERT_NE(find(answer, {"plans", "0", "cost", "cautions"}), nullptr);
}

TEST(PlanCost, StorageStandsOnBothSides) {
  const JsonNode with = answer_of(chat(kH100, R"({"storage_tb":200})"));
  const JsonNode without = answer_of(chat(kH100));
  EXPECT_GT(number(with, {"plans", "0", "cost", "on_premises", "annual_usd"}),
            number(without, {"plans", "0", "cost", "on_premises", "annual_usd"}));
  const JsonNode* rent = find(with, {"plans", "0", "cost", "cloud", "as_needed_usd_per_year"});
  if (rent != nullptr)
    EXPECT_GT(rent->number, number(without, {"plans", "0", "cost", "cloud", "as_needed_usd_per_year"}));
  else
    EXPECT_NE(find(with, {"plans", "0", "cost", "cloud", "missing"}), nullptr);
}

/// Yearly cost of owning by GPU; -1 where a reason stands in its place.
std::map<std::string, double> owning_by_gpu(const JsonNode& answer) {
  std::map<std::string, double> costs;
  const JsonNode* plans = answer.find("plans");
  for (const JsonNode& plan : plans->items) {
    const JsonNode* total = find(plan, {"cost", "on_premises", "annual_usd"});
    const JsonNode* missing = find(plan, {"cost", "missing"});
    EXPECT_TRUE(total != nullptr || (missing != nullptr && !missing->items.empty()));
    costs[plan.find("gpu")->text] = total == nullptr ? -1 : total->number;
  }
  return costs;
}

TEST(PlanCost, ContradictionsAreReasons) {
  const auto reasons = [](const std::string& constraints) {
    const Answer answer = answer_request(embedded_catalog_facts(), chat(constraints));
    EXPECT_EQ(answer.outcome, Outcome::infeasible) << constraints;
    std::string codes;
    const JsonNode parsed_answer = parsed(answer.text);
    const JsonNode* list = parsed_answer.find("reasons");
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      codes += (codes.empty() ? "" : " ") + list->items[i].find("code")->text;
      EXPECT_FALSE(list->items[i].find("ways_out")->items.empty()) << constraints;
    }
    return codes;
  };
  EXPECT_EQ(reasons(R"({"ownership":"dgx","no_capital":true})"), "no-capital");
  EXPECT_EQ(reasons(R"({"sovereignty":"on-premises","no_capital":true,"no_staff":true})"), "no-capital no-staff");
  EXPECT_EQ(reasons(R"({"sovereignty":"air-gapped","ownership":"cloud"})"), "cloud-asked");
}

// Each way out alone lifts its reason.
TEST(PlanCost, WaysOutOfAContradictionLeadToAPlan) {
  const std::string asked =
      chat(R"({"gpus":["h100-sxm5-80gb"],"ownership":"dgx","no_capital":true})", "{}", R"({"draws":0})");
  const JsonNode answer = answer_of(asked);
  const JsonNode* ways = find(answer, {"reasons", "0", "ways_out"});
  ASSERT_NE(ways, nullptr);
  EXPECT_EQ(ways->items.size(), 2u);
  for (const JsonNode& way : ways->items)
    EXPECT_EQ(answer_request(embedded_catalog_facts(), json_text(merged(parsed(asked), way))).outcome, Outcome::answer);
}

std::string pretraining(const std::string& constraints) {
  return R"({"kind":"plan","workloads":[{"name":"base","type":"training","model":"llama-3.1-8b","tokens":3e12,
  "deadline_days":40}],"constraints":)" +
         constraints + R"(,"options":{"draws":0,"top":1}})";
}

double of_bill(const JsonNode& answer, std::string_view category, std::string_view use) {
  const JsonNode* lines = find(answer, {"plans", "0", "bill_of_materials", "lines"});
  double count = 0;
  for (std::size_t i = 0; lines != nullptr && i < lines->items.size(); ++i)
    if (lines->items[i].find("category")->text == category && lines->items[i].find("use")->text == use)
      count += lines->items[i].find("count")->number;
  return count;
}

std::string basis_of(const JsonNode& answer) {
  const JsonNode* basis = find(answer, {"plans", "0", "cost", "on_premises", "network_basis"});
  return basis == nullptr ? "none" : basis->text;
}

// Typical prices of the table: 36,000 a switch, 1,300 a link, 750 a transceiver.
TEST(PlanCost, TheComputeNetworkIsPricedByTheBill) {
  const JsonNode answer = answer_of(pretraining(R"({"gpus":["h100-sxm5-80gb"],"ownership":"dgx"})"));
  EXPECT_EQ(basis_of(answer), "items-of-the-design");
  const double links = of_bill(answer, "cable", "compute");
  const double joined = 36000 * of_bill(answer, "switch", "compute") + 1300 * links;
  EXPECT_GT(links, 64);
  const double network = number(answer, {"plans", "0", "cost", "on_premises", "network_usd"});
  EXPECT_GE(network, joined);
  EXPECT_LE(network, joined + 750 * of_bill(answer, "transceiver", "compute"));
}

TEST(PlanCost, ANetworkByRuleIsTold) {
  const JsonNode answer = answer_of(pretraining(R"({"gpus":["h100-sxm5-80gb"],"fabric":"spectrum-x"})"));
  EXPECT_EQ(basis_of(answer), "rule-per-gpu");
  const JsonNode* cautions = find(answer, {"plans", "0", "cost", "cautions"});
  ASSERT_NE(cautions, nullptr);
  bool told = false;
  for (const JsonNode& caution : cautions->items)
    told = told || caution.text.find("priced by a rule per GPU (Ethernet)") != std::string::npos;
  EXPECT_TRUE(told);
}

// Of every price that a plan may take: without it the sum that it belongs to is the same or absent, never smaller.
TEST(PlanCost, APriceThatIsTakenAwayNeverMakesOwningCheaper) {
  const std::string request = chat(R"({"gpus":["h100-sxm5-80gb","h200-nvl-141gb","b200-sxm"]})",
                                   R"({"storage_tb":100,"facility":"own-building"})", R"({"top":10,"draws":0})");
  const Catalog& whole = embedded_catalog_facts();
  const auto before = owning_by_gpu(answer_of(whole, request));
  std::size_t absent = 0;
  const auto check = [&](const Catalog& catalog, const std::string& what) {
    for (const auto& [gpu, cost] : owning_by_gpu(answer_of(catalog, request))) {
      const auto was = before.find(gpu);
      if (was == before.end() || was->second < 0) continue;
      EXPECT_TRUE(cost < 0 || cost >= was->second * (1 - 1e-12)) << gpu << " without " << what;
      absent += cost < 0 ? 1 : 0;
    }
  };
  Catalog catalog = whole;
  const std::string large = pretraining(R"({"gpus":["h100-sxm5-80gb"],"ownership":"dgx"})");
  const double with_network = owning_by_gpu(answer_of(whole, large)).begin()->second;
  EXPECT_GT(with_network, 0);
  for (std::size_t i = 0; i < whole.purchase_prices.size(); ++i) {
    catalog.purchase_prices.erase(catalog.purchase_prices.begin() + static_cast<std::ptrdiff_t>(i));
    check(catalog, whole.purchase_prices[i].id);
    if (whole.purchase_prices[i].category == "network") {
      for (const auto& [gpu, cost] : owning_by_gpu(answer_of(catalog, large)))
        EXPECT_TRUE(cost < 0 || cost >= with_network) << gpu << " without " << whole.purchase_prices[i].id;
    }
    catalog.purchase_prices = whole.purchase_prices;
  }
  EXPECT_GT(absent, 10u) << "no price was missed";
}

}  // namespace
}  // namespace podwright::plan_cost_test
