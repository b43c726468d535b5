// What a plan must not do: each test holds a request whose answer nobody could sign.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/plan_example.h"
#include "api/requests.h"
#include "base/patch.h"
#include "catalog/catalog.h"
#include "support/ask.h"

namespace podwright::plan_signed_test {
namespace {

using namespace plan_example;

/// A chat of 70 billion parameters, and what a test changes of it.
const std::string kChat =
    R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":10,
        "mean_requests_per_s":5,"input_tokens":2000,"output_tokens":500,"ttft_s_p95_max":3,"tpot_s_p95_max":0.06}],
        "options":{"draws":0}})";

const JsonNode* cloud(const JsonNode& answer, const std::string& key) {
  return find(answer, {"plans", "0", "cost", "cloud", key});
}
std::string way(const JsonNode& answer) { return find(answer, {"plans", "0", "way"})->text; }

TEST(SignedPlan, AnUnknownPriceKeepsNoBudget) {
  const Reply asked = ask(kChat, R"({"constraints":{"budget_usd":1,"ownership":"oem"}})");
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  Catalog catalog = embedded_catalog_facts();
  catalog.server_prices.clear();
  const std::string request =
      R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":5,
          "input_tokens":1000,"output_tokens":300}],"constraints":{"gpus":["b200-sxm"],"ownership":"oem","budget_usd":1e9,
          "site_power_kw":1e6},"options":{"draws":0}})";
  const Answer unpriced = answer_request(catalog, request);
  EXPECT_EQ(unpriced.outcome, Outcome::infeasible);
  const auto answer = parse_json(unpriced.text);
  ASSERT_NE(find(*answer, {"plans", "0", "unchecked", "0"}), nullptr);
  EXPECT_EQ(find(*answer, {"plans", "0", "unchecked", "0", "limit"})->text, "/constraints/budget_usd");
  EXPECT_EQ(find(*answer, {"reasons", "0", "code"})->text, "unchecked");
  EXPECT_EQ(find(*answer, {"plans", "0", "summary"})->text.rfind("The budget of", 0), 0u);
  EXPECT_EQ(answer_request(embedded_catalog_facts(), request).outcome, Outcome::answer);
}

TEST(SignedPlan, AGigabyteOfDataDoesNotTurnTheDecision) {
  const JsonNode before = ask(kChat, R"({"constraints":{"gpus":["b200-sxm"]}})").answer;
  for (const char* economics : {R"({"egress_gb_per_month":1})", R"({"storage_tb":0.001})"}) {
    const JsonNode after =
        ask(kChat, std::string(R"({"constraints":{"gpus":["b200-sxm"]},"economics":)") + economics + "}").answer;
    EXPECT_NE(cloud(after, "as_needed_usd_per_year"), nullptr) << economics;
    EXPECT_GE(cloud(after, "as_needed_usd_per_year")->number, cloud(before, "as_needed_usd_per_year")->number);
  }
}

TEST(SignedPlan, LargeReplicasAndRacksAreRentedToo) {
  const JsonNode deepseek = ask(kChat, R"({"workloads":[{"name":"c","type":"serving","model":"deepseek-v3",
      "peak_requests_per_s":20,"mean_requests_per_s":8,"input_tokens":4000,"output_tokens":1000,"ttft_s_p95_max":4,
      "tpot_s_p95_max":0.05}]})")
                                .answer;
  EXPECT_NE(cloud(deepseek, "as_needed_usd_per_year"), nullptr);
  const JsonNode rack = ask(kChat, R"({"constraints":{"gpus":["gb300"]}})").answer;
  EXPECT_EQ(way(rack), "rent-on-demand");
  EXPECT_LT(find(rack, {"plans", "0", "gpu_count"})->number, 72);
}

TEST(SignedPlan, DataStayInTheirCountry) {
  for (const std::string country : {"DEU", "FRA", "USA", "JPN", "IND", "CHN", "SAU"}) {
    const Reply asked = ask(kChat, R"({"constraints":{"sovereignty":"in-country","ownership":"cloud"},
        "economics":{"region":")" + country +
                                       R"("}})");
    const JsonNode* plans = asked.answer.find("plans");
    for (std::size_t i = 0; plans != nullptr && i < plans->items.size(); ++i)
      for (const char* offer : {"cloud", "committed"})
        if (const JsonNode* row = find(plans->items[i], {"cost", offer})) {
          EXPECT_EQ(row->find("country")->text, country);
        }
    if (plans != nullptr && !plans->items.empty()) continue;
    EXPECT_EQ(asked.outcome, Outcome::infeasible);
    EXPECT_NE(json_text(*asked.answer.find("reasons")).find("no-offer/country"), std::string::npos) << country;
  }
}

TEST(SignedPlan, NoOldRowAndNoMarketplaceSetsThePrice) {
  for (const std::string gpu : {"h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm", "b300-sxm"}) {
    const JsonNode answer = ask(kChat, R"({"constraints":{"gpus":[")" + gpu + R"("],"ownership":"cloud"}})").answer;
    EXPECT_GE(cloud(answer, "as_of")->text, "2026-06-12") << gpu;
    EXPECT_NE(cloud(answer, "segment")->text, "marketplace") << gpu;
    EXPECT_LE(cloud(answer, "usd_per_gpu_hour_lowest")->number, cloud(answer, "usd_per_gpu_hour")->number) << gpu;
  }
  const JsonNode old = ask(kChat, R"({"economics":{"price_policy":{"as_of":"2027-06-01"}},
      "constraints":{"ownership":"cloud"}})")
                           .answer;
  EXPECT_FALSE(old.find("feasible")->boolean);
}

TEST(SignedPlan, OneInstanceAtLeastIsAlwaysRented) {
  const JsonNode answer = ask(kChat, R"({"workloads":[{"name":"c","type":"serving","model":"llama-3.1-8b",
      "peak_requests_per_s":0.3,"mean_requests_per_s":0.03,"input_tokens":1000,"output_tokens":300}],
      "constraints":{"gpus":["l4"],"ownership":"cloud"}})")
                              .answer;
  EXPECT_EQ(cloud(answer, "instances")->number, 1);
  EXPECT_NEAR(cloud(answer, "as_needed_usd_per_year")->number, cloud(answer, "always_on_usd_per_year")->number, 1e-6);
}

TEST(SignedPlan, TrainingIsRentedOnMachinesThatReachEachOther) {
  const Catalog& catalog = embedded_catalog_facts();
  const JsonNode answer = ask(R"({"kind":"plan","workloads":[{"name":"t","type":"training","model":"llama-3.1-70b",
      "tokens":1e12,"deadline_days":60,"sequence_length":8192,"global_batch_size":1024}],
      "constraints":{"gpus":["h100-sxm5-80gb","b200-sxm"]},"options":{"draws":0}})")
                              .answer;
  const JsonNode* plans = answer.find("plans");
  ASSERT_FALSE(plans->items.empty());
  for (const JsonNode& plan : plans->items) {
    const JsonNode* offer = find(plan, {"cost", "cloud"});
    ASSERT_NE(offer, nullptr);
    const auto row =
        std::find_if(catalog.cloud_prices.begin(), catalog.cloud_prices.end(), [&](const CloudPrice& price) {
          return price.provider == offer->find("provider")->text && price.instance == offer->find("instance")->text &&
                 price.region == offer->find("region")->text;
        });
    ASSERT_NE(row, catalog.cloud_prices.end());
    EXPECT_FALSE(row->network.empty());
    EXPECT_GE(row->machine_gpus, 8);
  }
}

TEST(SignedPlan, LimitsAreKeptWithTheConfidenceAskedFor) {
  double before = 0;
  for (const double confidence : {0.5, 0.8, 0.95}) {
    const JsonNode answer =
        ask(kChat, R"({"constraints":{"gpus":["h100-sxm5-80gb"],"confidence":)" + std::to_string(confidence) + "}}")
            .answer;
    const JsonNode* limits = find(answer, {"plans", "0", "layouts", "0", "limits"});
    ASSERT_NE(limits, nullptr);
    ASSERT_EQ(limits->items.size(), 2u);
    if (confidence > 0.5) {
      for (const JsonNode& limit : limits->items) EXPECT_GE(limit.find("probability")->number, confidence - 0.005);
    }
    const double gpus = find(answer, {"plans", "0", "gpu_count"})->number;
    EXPECT_GE(gpus, before);
    before = gpus;
  }
}

TEST(SignedPlan, ACommitmentIsBilledWithinTheHorizonOnce) {
  const std::string steady = R"({"workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b",
      "peak_requests_per_s":10,"input_tokens":2000,"output_tokens":500}],"constraints":{"gpus":["h100-sxm5-80gb"],
      "ownership":"cloud"},"economics":{"discount_rate":0,"horizon_years":)";
  for (const char* years : {"1", "2", "3", "4", "4.5"}) {
    const JsonNode answer = ask(kChat, steady + years + "}}").answer;
    const JsonNode* committed = find(answer, {"plans", "0", "cost", "committed"});
    ASSERT_NE(committed, nullptr) << years;
    // No dearer than the same machines on demand all the time.
    EXPECT_LE(committed->find("usd_per_year")->number, cloud(answer, "always_on_usd_per_year")->number * (1 + 1e-9))
        << years;
  }
}

/// The training of the findings on owning: 70 billion parameters, three runs a year.
const std::string kOwnedTraining =
    R"({"kind":"plan","workloads":[{"name":"t","type":"training","method":"full","model":"llama-3.1-70b","tokens":15e12,
        "deadline_days":120,"runs_per_year":3,"sequence_length":8192,"global_batch_size":2048}],
        "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0,"top":1}})";

double owned(const JsonNode& answer, const std::string& key) {
  const JsonNode* number = find(answer, {"plans", "0", "cost", "on_premises", key});
  return number == nullptr ? -1 : number->number;
}

TEST(SignedPlan, OwningScalesWithTheSizeOfTheCluster) {
  const JsonNode large = ask(kOwnedTraining, "{}").answer;
  const double servers = owned(large, "servers_usd");
  // The uplift on the servers covers the network: both together are the low end of its row.
  EXPECT_NEAR(owned(large, "installation_usd") + owned(large, "network_usd"), 0.15 * servers, 1);
  EXPECT_NEAR(owned(large, "support_usd_per_year"), 0.05 * servers, 1);
  const double gpus = find(large, {"plans", "0", "gpu_count"})->number;
  EXPECT_LT(owned(large, "staff_fte") / gpus, 0.1 / 8 * 0.7);
  EXPECT_LT(owned(large, "usd_per_gpu_hour_available"), 2.6);
  const JsonNode small = ask(kChat, R"({"constraints":{"gpus":["h100-sxm5-80gb"]}})").answer;
  EXPECT_GT(owned(small, "support_fraction_per_year"), owned(large, "support_fraction_per_year"));
  EXPECT_GT(owned(small, "staff_fte") / find(small, {"plans", "0", "gpu_count"})->number,
            owned(large, "staff_fte") / gpus);
}

TEST(SignedPlan, EveryFactorOfOwningCanBeSet) {
  const JsonNode before = ask(kOwnedTraining, "{}").answer;
  const JsonNode after = ask(kOwnedTraining, R"({"economics":{"servers_discount":0.2,"installation_fraction":0.05,
      "spares_fraction":0.02,"support_fraction_per_year":0.04,"staff_fte":6,"staff_usd_per_year":180000,
      "residual_fraction":0.1,"colocation_usd_per_kw_month":170}})")
                             .answer;
  const double servers = owned(before, "servers_usd") * 0.8;
  EXPECT_NEAR(owned(after, "servers_usd"), servers, 1);
  EXPECT_NEAR(owned(after, "installation_usd"), servers * 0.05, 1);
  EXPECT_NEAR(owned(after, "spares_usd"), servers * 0.02, 1);
  EXPECT_NEAR(owned(after, "support_usd_per_year"), servers * 0.04, 1);
  EXPECT_NEAR(owned(after, "staff_usd_per_year"), 6 * 180000, 1);
  EXPECT_NEAR(owned(after, "residual_usd"), servers * 0.1, 1);
  EXPECT_NEAR(owned(after, "capex_usd"),
              servers + owned(after, "network_usd") + owned(after, "installation_usd") + owned(after, "spares_usd"), 2);
  EXPECT_GT(owned(after, "facility_usd_per_year"), owned(before, "facility_usd_per_year"));
  EXPECT_EQ(ask(kOwnedTraining, R"({"economics":{"facility":"sunk","colocation_usd_per_kw_month":170}})").outcome,
            Outcome::wrong_input);
}

TEST(SignedPlan, TheFormatOfTheModelIsACandidate) {
  const JsonNode answer = ask(kChat, R"({"workloads":[{"name":"c","type":"serving","model":"gpt-oss-120b",
      "peak_requests_per_s":10,"mean_requests_per_s":4,"input_tokens":2000,"output_tokens":600,"ttft_s_p95_max":2,
      "tpot_s_p95_max":0.03}]})")
                              .answer;
  EXPECT_EQ(find(answer, {"plans", "0", "layouts", "0", "weight_precision"})->text, "mxfp4");
}

TEST(SignedPlan, APriceOfZeroIsNoFaultOfTheProgram) {
  Catalog catalog = embedded_catalog_facts();
  auto& rows = catalog.cloud_prices;
  rows.erase(
      std::remove_if(rows.begin(), rows.end(), [](const CloudPrice& row) { return row.gpu_id != "h100-sxm5-80gb"; }),
      rows.end());
  rows.resize(1);
  rows[0].on_demand = UsdPerSecond(0);
  rows[0].as_of = std::string(kPriceDay);
  const JsonNode answer = answer_of(catalog, kChat);
  ASSERT_NE(answer.find("plans"), nullptr);
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "cloud"}), nullptr);
}

/// A chat of 50 requests/s on B200.
const std::string kBusyChat =
    R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":50,
        "mean_requests_per_s":30,"input_tokens":2048,"output_tokens":512,"ttft_s_p95_max":2.0,"tpot_s_p95_max":0.05}],
        "constraints":{"gpus":["b200-sxm"]},"economics":{"horizon_years":4,"region":"USA","discount_rate":0.08},
        "options":{"top":1}})";

/// Where owning and renting cost the same; -1: nowhere.
double same_cost_at(const JsonNode& answer, const std::string& input) {
  for (const JsonNode& flip : find(answer, {"plans", "0", "cost", "decision_flips"})->items)
    if (flip.find("input")->text == input) return flip.find("value")->number;
  return -1;
}

std::string quoted_b200(double price) {
  return R"({"quotes":[{"name":"Q","type":"rent","provider":"lambda","gpu":"b200-sxm","as_of":"2026-10-01",
      "gpus_per_machine":1,"cluster_network":true,"country":"USA","usd_per_gpu_hour":)" +
         std::to_string(price) + "}]}";
}

TEST(SignedPlan, OwningAndRentingMeetAtOneValue) {
  for (const char* asked :
       {"{}", R"({"constraints":{"sites":2,"survives_site_loss":true}})", R"({"constraints":{"spare_machines":1}})",
        R"({"economics":{"demand_growth_per_year":0.4}})",
        R"({"economics":{"rent_change_per_year":-0.1,"cloud_support_fraction":0.05}})"}) {
    const JsonNode answer = ask(kBusyChat, asked).answer;
    const double own = owned(answer, "annual_usd");
    const double rent = cloud(answer, "as_needed_usd_per_year")->number;
    // The bill follows the price: nothing is billed beside the machines.
    const double price = cloud(answer, "usd_per_gpu_hour")->number;
    EXPECT_NEAR(same_cost_at(answer, "rent_per_gpu"), price * own / rent, 1e-4 * price) << asked;
    const double from = find(answer, {"plans", "0", "cost", "break_even", "utilization"})->number;
    const double same = same_cost_at(answer, "utilization");
    EXPECT_NEAR(same, from > 0 && from < 1 ? from : -1, 1e-6) << asked;
    EXPECT_EQ(owned(answer, "utilization") > from, own < rent) << asked;
  }
}

TEST(SignedPlan, TheRentThatTurnsTheChoiceDoes) {
  for (const char* asked : {"{}", R"({"constraints":{"sites":2,"survives_site_loss":true}})"}) {
    const Reply before = ask(kBusyChat, asked);
    const JsonNode* flips = before.answer.find("what_would_change_the_decision");
    const auto flip = std::find_if(flips->items.begin(), flips->items.end(),
                                   [](const JsonNode& one) { return one.find("code")->text == "rent-flip"; });
    ASSERT_NE(flip, flips->items.end()) << asked;
    const double at = find(*flip, {"values", "at"})->number;
    const double now = find(*flip, {"values", "now"})->number;
    const double step = at < now ? 0.002 : -0.002;
    const auto quoted = [&](double price) {
      return way(ask(json_text(merged(*parse_json(kBusyChat), *parse_json(asked))), quoted_b200(price)).answer);
    };
    EXPECT_EQ(quoted(at * (1 + step)), way(before.answer)) << asked;
    EXPECT_NE(quoted(at * (1 - step)), way(before.answer)) << asked;
  }
}

TEST(SignedPlan, AReplicaMoreCostsNoLess) {
  for (const char* asked : {R"({"economics":{"demand_growth_per_year":0.4}})",
                            R"({"economics":{"demand_growth_per_year":0.4},
                                "constraints":{"sites":2,"survives_site_loss":true}})"}) {
    const JsonNode answer = ask(kBusyChat, asked).answer;
    const std::string reasons = json_text(*find(answer, {"plans", "0", "reasons"}));
    EXPECT_NE(reasons.find("\"one-replica-more\""), std::string::npos) << reasons;
    EXPECT_EQ(reasons.find("$-"), std::string::npos) << reasons;
  }
}

// Machines that are hardly needed cost hardly anything on demand; a zero is no missing price.
TEST(SignedPlan, NoUseIsRentedForNothing) {
  const JsonNode idle = ask(kBusyChat, R"({"workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b",
      "peak_requests_per_s":50,"mean_requests_per_s":0,"input_tokens":2048,"output_tokens":512,"ttft_s_p95_max":2.0,
      "tpot_s_p95_max":0.05}]})")
                            .answer;
  EXPECT_EQ(way(idle), "rent-on-demand");
  // One replica is always there.
  EXPECT_NEAR(yearly_cost(idle), cloud(idle, "usd_per_gpu_hour")->number * 8760, 1e-6);
  const JsonNode never = ask(R"({"kind":"plan","workloads":[{"name":"pretrain","type":"training","method":"full",
      "model":"llama-3.1-8b","tokens":1e12,"deadline_days":30,"sequence_length":8192,"global_batch_size":512,
      "runs_per_year":0}],"constraints":{"gpus":["h100-sxm5-80gb","b200-sxm"]},"economics":{"region":"USA"}})")
                             .answer;
  EXPECT_EQ(way(never), "rent-on-demand");
  EXPECT_EQ(yearly_cost(never), 0);
  EXPECT_EQ(find(never, {"plans", "0", "decision", "message"})->text.find("missing"), std::string::npos);
}

TEST(SignedPlan, InACountryTakesACountryOrAUnion) {
  const auto in_country = [](const std::string& region) {
    return ask(kBusyChat, R"({"constraints":{"gpus":["h200-sxm5-141gb"],"sovereignty":"in-country"},
        "economics":{"region":")" +
                              region + R"("}})");
  };
  for (const char* region : {"WORLD", "EUROPE"}) {
    const Reply asked = in_country(region);
    EXPECT_EQ(asked.outcome, Outcome::wrong_input);
    EXPECT_EQ(find(asked.answer, {"errors", "0", "path"})->text, "/economics/region");
    EXPECT_NE(find(asked.answer, {"errors", "0", "hint"})->text.find("country"), std::string::npos);
    // Elsewhere they are regions like any other.
    EXPECT_NE(ask(kBusyChat, std::string(R"({"economics":{"region":")") + region + R"("}})").outcome,
              Outcome::wrong_input);
  }
  // Owning is dear or cheap only with a price of electricity, which the decision asks for.
  const JsonNode frankfurt = in_country("gcp:europe-west3").answer;
  const std::string decision = find(frankfurt, {"plans", "0", "decision", "message"})->text;
  EXPECT_NE(decision.find("price of electricity in Frankfurt"), std::string::npos) << decision;
  EXPECT_NE(decision.find("electricity_usd_per_kwh"), std::string::npos) << decision;
}

// Asking for a maker bounds the choice, so that it saves nothing.
TEST(SignedPlan, AnyMakerCostsNoMoreThanOne) {
  const std::string agents =
      R"({"kind":"plan","workloads":[{"name":"agents","type":"serving","model":"qwen3-235b-a22b","peak_requests_per_s":8,
      "mean_requests_per_s":5,"input_tokens":16000,"output_tokens":1500,"ttft_s_p95_max":5.0,"tpot_s_p95_max":0.03}],
      "constraints":{"gpus":["h200-sxm5-141gb","b200-sxm"]},"economics":{"horizon_years":3,"region":"USA",
      "demand_growth_per_year":0.5},"options":{"draws":0}})";
  const std::string chat16 =
      R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":16,
      "mean_requests_per_s":9.6,"input_tokens":2048,"output_tokens":512,"ttft_s_p95_max":2.0,"tpot_s_p95_max":0.05}],
      "constraints":{"gpus":["h100-sxm5-80gb","h200-sxm5-141gb","b200-sxm"]},"economics":{"horizon_years":4,
      "region":"USA"},"options":{"draws":0}})";
  for (const std::string& request : {agents, chat16})
    for (const char* maker : {"oem", "dgx"}) {
      const double any = number(ask(request).answer, {"plans", "0", "ranked_by_usd_per_year"});
      const JsonNode one = ask(request, std::string(R"({"constraints":{"ownership":")") + maker + R"("}})").answer;
      EXPECT_LE(any, number(one, {"plans", "0", "ranked_by_usd_per_year"})) << maker;
    }
  EXPECT_NE(json_text(*find(ask(chat16).answer, {"plans", "0", "reasons"})).find("cheaper-design"), std::string::npos);
}

TEST(SignedPlan, ABudgetIsOfAllSites) {
  std::string steady = kBusyChat;  // so that owning is the cheapest
  steady.replace(steady.find("\"mean_requests_per_s\":30"), 24, "\"mean_requests_per_s\":45");
  const std::string sites = R"({"constraints":{"sites":2,"survives_site_loss":true})";
  const JsonNode free = ask(steady, sites + "}").answer;
  const double all = number(free, {"plans", "0", "ranked_by_usd_per_year"});
  EXPECT_NEAR(yearly_cost(free), all, 1e-6);
  EXPECT_EQ(number(free, {"plans", "0", "all_sites", "usd_per_year"}), all);
  EXPECT_NEAR(all, 2 * owned(free, "annual_usd"), 1e-6);
  // Enough for one of them.
  const auto with = [&](const std::string& limit) {
    return ask(steady, sites.substr(0, sites.size() - 1) + "," + limit + "}}");
  };
  EXPECT_EQ(with(R"("budget_usd_per_year":1000000)").outcome, Outcome::infeasible);
  EXPECT_EQ(with(R"("budget_usd_per_year":500000)").outcome, Outcome::infeasible);
  EXPECT_EQ(with(R"("budget_usd_per_year":)" + std::to_string(all + 1)).outcome, Outcome::answer);
  EXPECT_NE(way(with(R"("budget_usd":)" + std::to_string(owned(free, "capex_usd") + 1)).answer), "own");
  EXPECT_EQ(way(with(R"("budget_usd":)" + std::to_string(2 * owned(free, "capex_usd") + 1)).answer), "own");
}

TEST(SignedPlan, ElectricityOfOwnedTrainingFollowsItsUse) {
  const auto with_runs = [](const char* runs) {
    return ask(std::string(R"({"kind":"plan","workloads":[{"name":"pretrain","type":"training","method":"full",
        "model":"llama-3.1-8b","tokens":1e12,"deadline_days":30,"sequence_length":8192,"global_batch_size":512,
        "runs_per_year":)") +
               runs + R"(}],"constraints":{"gpus":["b200-sxm"],"ownership":"dgx"},"economics":{"region":"USA"},
        "options":{"draws":0,"top":1}})")
        .answer;
  };
  double before = 0;
  for (const char* runs : {"0.5", "1", "5", "10"}) {
    const JsonNode answer = with_runs(runs);
    const double energy = number(answer, {"plans", "0", "energy", "energy_per_year_kwh"});
    EXPECT_GT(energy / number(answer, {"plans", "0", "gpu_count"}), before) << runs;
    EXPECT_LT(number(answer, {"plans", "0", "energy", "load"}), 0.75) << runs;
    before = energy / number(answer, {"plans", "0", "gpu_count"});
  }
}

TEST(SignedPlan, MemoryThatMayNotDoIsARisk) {
  const auto within = [](const char* days, const char* confidence, double& high) {
    const JsonNode answer =
        ask(std::string(R"({"kind":"plan","workloads":[{"name":"pretrain","type":"training","method":"full",
            "model":"llama-3.1-8b","tokens":1e12,"deadline_days":)") +
            days + R"(,"sequence_length":8192,"global_batch_size":512}],
            "constraints":{"gpus":["h100-sxm5-80gb","b200-sxm"],"confidence":)" +
            confidence + R"(},"economics":{"region":"USA"},"options":{"draws":0}})")
            .answer;
    const JsonNode* memory = find(answer, {"plans", "0", "estimates", "0", "memory_per_gpu"});
    high = memory->find("total_gib_high")->number - memory->find("capacity_gib")->number;
    return json_text(*find(answer, {"plans", "0", "risks"})).find("memory-may-not-do") != std::string::npos;
  };
  double above = 0;
  EXPECT_TRUE(within("5", "0.5", above));
  EXPECT_GT(above, 0);
  EXPECT_FALSE(within("5", "0.8", above));
  EXPECT_LE(above, 0);
  EXPECT_FALSE(within("30", "0.8", above));
  EXPECT_LE(above, 0);
}

TEST(SignedPlan, AQuoteThatDoesNotFitSaysWhy) {
  const auto contract = [](const char* name, const char* country, double min_gpus, double price) {
    return std::string(R"({"type":"rent","name":")") + name + R"(","provider":"cloud-)" + name +
           R"(","gpu":"b200-sxm","country":")" + country +
           R"(","term":"contract","as_of":"2026-10-05","gpus_per_machine":8,"cluster_network":true,
           "contract_days_least":365,"contract_days_most":1095,"min_gpus":)" +
           std::to_string(static_cast<int>(min_gpus)) + R"(,"usd_per_gpu_hour":)" + std::to_string(price) + "}";
  };
  const JsonNode answer =
      ask(kBusyChat, R"({"constraints":{"ownership":"cloud"},"quotes":[)" + contract("b", "FIN", 8, 3.596) + "," +
                         contract("c", "USA", 32, 3.9) + "]}")
          .answer;
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "quotes", "0", "does_not_fit"}), nullptr);
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "quotes", "1", "does_not_fit", "code"})->text, "quote-unfit/order");
  // A quote names no region: its machines are in its country.
  const std::string carbon = json_text(*find(answer, {"plans", "0", "carbon"}));
  EXPECT_EQ(carbon.find("region  of"), std::string::npos) << carbon;
  EXPECT_GT(number(answer, {"plans", "0", "carbon", "rent_committed", "operation_kg_per_year"}), 0);
}

TEST(SignedPlan, NoBaseIsOwnedWhereOwningIsRuledOut) {
  const auto factors = [](const std::string& patch) {
    return json_text(*find(ask(kBusyChat, patch).answer, {"plans", "0", "decision_factors"}));
  };
  EXPECT_NE(factors("{}").find("base-and-peaks"), std::string::npos);
  EXPECT_EQ(factors(R"({"constraints":{"budget_usd":400000}})").find("base-and-peaks"), std::string::npos);
  EXPECT_EQ(
      factors(R"({"constraints":{"sovereignty":"in-country"},"economics":{"region":"DEU"}})").find("base-and-peaks"),
      std::string::npos);
}

}  // namespace
}  // namespace podwright::plan_signed_test
