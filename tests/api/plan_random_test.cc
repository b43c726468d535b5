// Plans of random requests: whole instances, a layout that its machines carry, sums of their parts, and no plan that
// becomes better when more is asked for or less is known. PODWRIGHT_RANDOM_PLANS requests (200), from the seed
// PODWRIGHT_RANDOM_FIRST (0) on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "api/plan_example.h"
#include "base/number_text.h"
#include "base/patch.h"
#include "catalog/catalog.h"

namespace podwright::plan_random_test {
namespace {

using namespace plan_example;

/// The same draws with every compiler: one in each statement, for the order inside an expression is its own.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return engine_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  double between(double low, double high) { return low + (high - low) * static_cast<double>(below(1001)) / 1000; }
  /// Even in its logarithm, three digits.
  double scale(double low, double high) {
    return *number_from(human_number(std::pow(10, between(std::log10(low), std::log10(high))), 3));
  }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  static std::optional<double> number_from(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    return std::stod(text);
  }
  std::mt19937 engine_;
};

std::string member(const std::string& key, double value) { return ",\"" + key + "\":" + shortest_number(value); }

const std::vector<std::string> kServed{"llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b",   "gpt-oss-20b",
                                       "gpt-oss-120b", "deepseek-v3",   "llama-3.1-405b", "qwen2.5-7b"};
const std::vector<std::string> kGpus{"h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm", "b300-sxm", "gb200", "gb300",
                                     "l40s",           "a100-sxm4-80gb",  "l4"};
const std::vector<std::string> kRegions{"USA", "DEU", "FRA", "GBR", "IND", "JPN"};

std::string serving(Draw& draw) {
  const double peak = draw.scale(0.1, 60);
  std::string text = R"({"name":"w","type":"serving","model":")" + draw.of(kServed) + "\"";
  text += member("peak_requests_per_s", peak);
  text += member("mean_requests_per_s", peak * draw.between(0.03, 1));
  text += member("input_tokens", draw.of(std::vector<double>{500, 1000, 2000, 4000, 8000}));
  text += member("output_tokens", draw.of(std::vector<double>{100, 300, 1000}));
  if (!draw.one_in(3)) text += member("ttft_s_p95_max", draw.of(std::vector<double>{0.5, 1, 2, 5}));
  if (!draw.one_in(3)) text += member("tpot_s_p95_max", draw.of(std::vector<double>{0.03, 0.06, 0.1}));
  return text + "}";
}

std::string training(Draw& draw) {
  const bool full = draw.one_in(2);
  std::string text = R"({"name":"w","type":"training","model":")";
  text += draw.of(std::vector<std::string>{"llama-3.1-8b", "llama-3.1-70b"}) + R"(","method":")";
  text += std::string(full ? "full" : "lora") + "\"";
  text += member("tokens", full ? draw.scale(1e10, 1e12) : draw.scale(1e8, 1e10));
  text += member("deadline_days", draw.of(std::vector<double>{5, 20, 60, 120}));
  text += member("runs_per_year", draw.of(std::vector<double>{1, 3, 12}));
  return text + member("sequence_length", 4096) + member("global_batch_size", 256) + "}";
}

std::string random_request(Draw& draw) {
  std::string text = R"({"kind":"plan","workloads":[)";
  text += draw.one_in(4) ? training(draw) : serving(draw);
  text += R"(],"constraints":{"gpus":[")" + draw.of(kGpus) + "\"]";
  text += R"(,"ownership":")" + draw.of(std::vector<std::string>{"any", "any", "any", "cloud", "dgx", "oem"});
  text += draw.one_in(12) ? R"(","sovereignty":"in-country")" : "\"";
  text += R"(},"economics":{"region":")" + draw.of(kRegions) + "\"";
  text += member("horizon_years", draw.of(std::vector<double>{1, 2, 3, 4, 5}));
  if (draw.one_in(3)) text += member("egress_gb_per_month", draw.scale(1, 1e5));
  if (draw.one_in(3)) text += member("storage_tb", draw.scale(0.1, 500));
  if (draw.one_in(6)) text += member("demand_growth_per_year", draw.of(std::vector<double>{-0.2, 0.2, 0.5}));
  return text + R"(},"options":{"draws":0,"top":1}})";
}

/// What is asked more, or known less.
struct Change {
  std::string name;
  std::string patch = "{}";
};

/// The same with a number of the first workload times a factor; empty where it has none.
std::string scaled(const JsonNode& request, std::initializer_list<const char*> keys, double factor) {
  JsonNode workload = request.find("workloads")->items.front();
  bool found = false;
  for (const char* key : keys)
    for (std::size_t i = 0; i < workload.keys.size(); ++i)
      if (workload.keys[i] == key) {
        workload.items[i].number *= factor;
        found = true;
      }
  return found ? "{\"workloads\":[" + json_text(workload) + "]}" : "";
}

Change random_change(Draw& draw, const JsonNode& request) {
  const JsonNode& workload = request.find("workloads")->items.front();
  const auto of = [&](const char* key) {
    const JsonNode* value = find(request, {"economics", key});
    return value == nullptr ? 0 : value->number;
  };
  switch (draw.below(12)) {
    case 0:
      return {"storage",
              R"({"economics":{"storage_tb":)" + shortest_number(of("storage_tb") + draw.scale(0.1, 500)) + "}}"};
    case 1:
      return {"egress", R"({"economics":{"egress_gb_per_month":)" +
                            shortest_number(of("egress_gb_per_month") + draw.scale(1, 1e5)) + "}}"};
    case 2:
      return {"sovereignty", R"({"constraints":{"sovereignty":"in-country"}})"};
    case 3:
      return {"confidence", R"({"constraints":{"confidence":0.95}})"};
    case 4:
      if (workload.find("tokens") != nullptr) return {"load", scaled(request, {"runs_per_year"}, 2)};
      return {"load", scaled(request, {"peak_requests_per_s", "mean_requests_per_s"}, 2)};
    case 5:
      if (const std::string patch = scaled(request, {"ttft_s_p95_max", "tpot_s_p95_max", "deadline_days"}, 0.8);
          !patch.empty())
        return {"limits", patch};
      return {"confidence", R"({"constraints":{"confidence":0.9}})"};
    case 6:
      return {"budget", R"({"constraints":{"budget_usd":)" + shortest_number(draw.scale(1e4, 1e8)) + "}}"};
    case 7:
      return {"no other place", "{}"};
    case 8:
      return {"reserve", R"({"constraints":{"spare_machines":1}})"};
    case 9:
      return {"maintenance", R"({"constraints":{"maintenance_share":0.05}})"};
    case 10:
      return {"yearly budget",
              R"({"constraints":{"budget_usd_per_year":)" + shortest_number(draw.scale(1e4, 1e8)) + "}}"};
    default:
      return {"less known", "{}"};
  }
}

template <class Row, class Goes>
void take_away(std::vector<Row>& rows, const Goes& goes) {
  rows.erase(std::remove_if(rows.begin(), rows.end(), goes), rows.end());
}

/// Without the electricity of all places but that of the request.
Catalog no_other_place(const JsonNode& request) {
  Catalog catalog = embedded_catalog_facts();
  const std::string& place = find(request, {"economics", "region"})->text;
  take_away(catalog.energy_regions, [&](const EnergyRegion& row) { return row.id != place; });
  return catalog;
}

/// Takes away what the first plan stands on: its server's power, its provider's prices of data, the row of its rent, or
/// all rows of the same country or region.
Catalog less_known(Draw& draw, const JsonNode& answer) {
  Catalog catalog = embedded_catalog_facts();
  const JsonNode* cloud = find(answer, {"plans", "0", "cost", "cloud"});
  const JsonNode* system = find(answer, {"plans", "0", "architecture", "system"});
  const std::size_t what = draw.below(5);
  if (what == 0 && system != nullptr)
    for (System& known : catalog.systems)
      if (known.id == system->text) known.power_max = {}, known.power_typical = {};
  if (cloud == nullptr) return catalog;
  const auto is = [&](const char* key, const std::string& text) { return cloud->find(key)->text == text; };
  if (what == 1)
    take_away(catalog.cloud_data_prices, [&](const CloudDataPrice& row) { return is("provider", row.provider); });
  if (what == 2)
    take_away(catalog.cloud_prices, [&](const CloudPrice& row) {
      return is("provider", row.provider) && is("instance", row.instance) && is("region", row.region);
    });
  if (what == 3)
    take_away(catalog.cloud_prices,
              [&](const CloudPrice& row) { return is("country", row.country.empty() ? "not printed" : row.country); });
  if (what == 4) take_away(catalog.cloud_prices, [&](const CloudPrice& row) { return is("region", row.region); });
  return catalog;
}

bool has_few_providers(const JsonNode& answer) {
  const JsonNode* risks = find(answer, {"plans", "0", "risks"});
  return risks != nullptr && std::any_of(risks->items.begin(), risks->items.end(),
                                         [](const JsonNode& risk) { return risk.find("code")->text == "thin-market"; });
}

/// Of the first plan. Its carbon is not in it: that of rented machines follows from where they stand.
std::string cost_text(const JsonNode& answer) {
  const JsonNode* cost = find(answer, {"plans", "0", "cost"});
  return cost == nullptr ? "" : json_text(*cost);
}

std::string system_of(const JsonNode& answer) {
  const JsonNode* system = find(answer, {"plans", "0", "architecture", "system"});
  return system == nullptr ? "" : system->text;
}

double number_or_0(const JsonNode& node, const char* key) {
  const JsonNode* value = node.find(key);
  return value == nullptr ? 0 : value->number;
}

void expect_sum(const JsonNode& node, std::initializer_list<const char*> parts, const char* total) {
  if (node.find(total) == nullptr) return;
  double sum = 0;
  for (const char* part : parts) sum += number_or_0(node, part);
  EXPECT_NEAR(sum, node.find(total)->number, 1e-6 * std::fabs(sum)) << total;
}

void expect_sums(const JsonNode& cost) {
  for (const char* rented : {"cloud", "committed"})
    if (const JsonNode* way = cost.find(rented))
      expect_sum(*way,
                 {"compute_usd_per_year", "license_usd_per_year", "storage_usd_per_year", "egress_usd_per_year",
                  "support_usd_per_year"},
                 "at_prices_of_the_start_usd_per_year");
  if (const JsonNode* own = cost.find("on_premises")) {
    expect_sum(*own, {"servers_usd", "network_usd", "storage_usd", "installation_usd", "spares_usd"}, "capex_usd");
    expect_sum(*own,
               {"energy_usd_per_year", "facility_usd_per_year", "support_usd_per_year", "license_usd_per_year",
                "staff_usd_per_year", "connection_usd_per_year"},
               "annual_opex_usd");
    expect_sum(*own, {"annual_capital_usd", "annual_opex_usd", "growth_usd_per_year"}, "annual_usd");
  }
}

/// Whole instances, which join the GPUs of a replica or reach each other.
void expect_carried(const JsonNode& plan) {
  const JsonNode* cloud = find(plan, {"cost", "cloud"});
  if (cloud == nullptr) return;
  const auto& rows = embedded_catalog_facts().cloud_prices;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const CloudPrice& price) {
    return cloud->find("provider")->text == price.provider && cloud->find("instance")->text == price.instance &&
           cloud->find("region")->text == price.region && cloud->find("as_of")->text == price.as_of;
  });
  ASSERT_NE(row, rows.end());
  const double instances = cloud->find("instances")->number;
  EXPECT_EQ(instances, std::floor(instances));
  EXPECT_GE(instances * row->gpu_count, number(plan, {"demand", "peak_gpus"}));
  EXPECT_NEAR(instances * row->gpu_count * cloud->find("usd_per_gpu_hour")->number, cloud->find("usd_per_hour")->number,
              1e-6 * cloud->find("usd_per_hour")->number);
  for (const JsonNode& layout : plan.find("layouts")->items) {
    const JsonNode* pools = layout.find("pools");
    const auto joined = [](const JsonNode& sizes) {
      return number_or_0(sizes, "tensor") * std::max(1.0, number_or_0(sizes, "attention_data"));
    };
    double inside = 0;
    double group = layout.find("gpu_count")->number;
    if (pools != nullptr) {
      for (const JsonNode& pool : pools->items) inside = std::max(inside, joined(*pool.find("parallelism")));
    } else {
      const JsonNode& sizes = *layout.find("parallelism");
      inside = joined(sizes);
      if (layout.find("method") == nullptr) group = inside * number_or_0(sizes, "pipeline");
    }
    if (group > row->machine_gpus) {
      EXPECT_FALSE(row->network.empty());
    }
    inside = std::min(inside, 8.0);
    EXPECT_GE(row->machine_gpus, inside);
  }
}

double setting(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtod(text, nullptr);
}

/// Electricity of owned machines that the second plan saves, USD a year. As many machines beside rented ones cost the
/// same but for it, which follows the mean load of all GPUs.
double saved_energy(const JsonNode& before, const JsonNode& after) {
  const auto beside = [](const JsonNode& answer, const char* key) {
    const JsonNode* found = find(answer, {"plans", "0", "cost", "hybrid", key});
    return found == nullptr ? 0 : found->number;
  };
  const auto is_hybrid = [](const JsonNode& answer) { return find(answer, {"plans", "0", "way"})->text == "hybrid"; };
  if (is_hybrid(before) && is_hybrid(after) && beside(before, "own_gpus") == beside(after, "own_gpus"))
    return std::max(0.0, beside(before, "own_usd_per_year") - beside(after, "own_usd_per_year"));
  const auto energy = [](const JsonNode& answer) {
    const JsonNode* cost = find(answer, {"plans", "0", "cost", "on_premises", "energy_usd_per_year"});
    return cost == nullptr ? 0 : cost->number;
  };
  return std::max(0.0, energy(before) - energy(after));
}

// A looser limit or one more GPU to choose from leaves all plans that there were.
TEST(RandomPlans, LooserLimitsAndMoreGpusCostNoMore) {
  const auto count = static_cast<unsigned>(setting("PODWRIGHT_RANDOM_PLANS", 200)) / 8;
  unsigned compared = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    Draw draw(10000 + seed);
    const double peak = draw.scale(0.1, 60);
    const double mean = peak * draw.between(0.05, 1);
    const std::string model = draw.of(kServed);
    const double tpot = draw.scale(0.006, 0.04);
    const double ttft = draw.scale(0.2, 2);
    const std::string one = draw.of(kGpus);
    const std::string other = draw.of(kGpus);
    const auto planned = [&](double looser, const std::string& gpus) {
      return answer_of(R"({"kind":"plan","workloads":[{"name":"w","type":"serving","model":")" + model +
                       R"(","input_tokens":2000,"output_tokens":300)" + member("peak_requests_per_s", peak) +
                       member("mean_requests_per_s", mean) + member("ttft_s_p95_max", ttft * looser) +
                       member("tpot_s_p95_max", tpot * looser) + R"(}],"constraints":{"gpus":[)" + gpus +
                       R"(]},"options":{"draws":0,"top":1}})");
    };
    const std::string few = "\"" + one + "\"";
    const std::string more = one == other ? few : few + ",\"" + other + "\"";
    SCOPED_TRACE(std::to_string(seed) + ": " + model + " on " + more);
    const JsonNode tight = planned(1, few);
    if (yearly_cost(tight) <= 0 || has_few_providers(tight)) continue;
    compared += 1;
    for (const JsonNode& loose : {planned(1, more), planned(1.3, few), planned(3, more)}) {
      ASSERT_GT(yearly_cost(loose), 0);
      // Fewer GPUs may come in servers of another maker, and what carries more may draw more of what it idles with.
      if (system_of(loose) == system_of(tight)) {
        EXPECT_LE(yearly_cost(loose), yearly_cost(tight) * (1 + 1e-9) + saved_energy(loose, tight));
      }
    }
  }
  EXPECT_GT(compared, count / 4);
}

// The list price stays where a quote's whole machines bill more.
TEST(RandomPlans, ACheaperOfferMakesNoPlanDearer) {
  const auto count = static_cast<unsigned>(setting("PODWRIGHT_RANDOM_PLANS", 200)) / 8;
  unsigned compared = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    Draw draw(20000 + seed);
    const std::string gpu = draw.of(kGpus);
    const double peak = draw.scale(0.1, 30);
    const std::string request = R"({"kind":"plan","workloads":[{"name":"w","type":"serving","model":"llama-3.1-8b")" +
                                member("peak_requests_per_s", peak) + member("mean_requests_per_s", peak / 4) +
                                R"(,"input_tokens":1500,"output_tokens":500}],"constraints":{"ownership":"cloud",
                                "gpus":[")" +
                                gpu + R"("]},"options":{"draws":0,"top":1}})";
    const JsonNode list = answer_of(request);
    const JsonNode* price = find(list, {"plans", "0", "cost", "cloud", "usd_per_gpu_hour"});
    if (price == nullptr || yearly_cost(list) <= 0) continue;
    compared += 1;
    const double quoted = price->number * draw.between(0.3, 1);
    const std::string quote = R"({"quotes":[{"type":"rent","name":"q","provider":"acme","as_of":"2026-10-01","gpu":")" +
                              gpu + "\"" + member("usd_per_gpu_hour", quoted) +
                              member("gpus_per_machine", draw.of(std::vector<double>{1, 2, 4, 8})) + "}]}";
    SCOPED_TRACE(std::to_string(seed) + ": " + request + quote);
    EXPECT_LE(yearly_cost(answer_of(json_text(merged(parsed(request), parsed(quote))))),
              yearly_cost(list) * (1 + 1e-9));
  }
  EXPECT_GT(compared, count / 4);
}

TEST(RandomPlans, AreWholeAndNoBetterForMore) {
  const auto first = static_cast<unsigned>(setting("PODWRIGHT_RANDOM_FIRST", 0));
  const auto count = static_cast<unsigned>(setting("PODWRIGHT_RANDOM_PLANS", 200));
  unsigned planned = 0;
  unsigned compared = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    Draw draw(seed);
    const std::string request = random_request(draw);
    SCOPED_TRACE(std::to_string(seed) + ": " + request);
    const JsonNode before = answer_of(request);
    const Change change = random_change(draw, parsed(request));
    ASSERT_EQ(before.find("errors"), nullptr);
    const JsonNode* plan = find(before, {"plans", "0"});
    if (plan != nullptr) {
      planned += 1;
      expect_sums(*plan->find("cost"));
      expect_carried(*plan);
    }
    SCOPED_TRACE(change.name + ": " + change.patch);
    const std::string more = json_text(merged(parsed(request), parsed(change.patch)));
    const JsonNode after = change.name == "less known"       ? answer_of(less_known(draw, before), more)
                           : change.name == "no other place" ? answer_of(no_other_place(parsed(more)), more)
                                                             : answer_of(more);
    if (change.name == "no other place") {
      EXPECT_EQ(cost_text(after), cost_text(before));
    }
    // The middle of a market of few may be lower. docs/method/prices.md#policy
    if (has_few_providers(after)) continue;
    // A design is chosen by how it fits, not by its price: more GPUs may come in servers of another maker.
    if (system_of(before) != system_of(after)) continue;
    const double cost = yearly_cost(before);
    const double with_more = yearly_cost(after);
    if (plan == nullptr) {
      EXPECT_EQ(find(after, {"plans", "0"}), nullptr);
    }
    if (cost <= 0 || with_more <= 0) continue;
    compared += 1;
    // Of layouts of as many GPUs the one that carries most is chosen; another may draw less of what they idle with.
    EXPECT_GE(with_more + saved_energy(before, after), cost * (1 - 1e-9));
  }
  EXPECT_GT(planned, count / 2);
  EXPECT_GT(compared, count * 2 / 5);  // many countries have too few offers
}

}  // namespace
}  // namespace podwright::plan_random_test
