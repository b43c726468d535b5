#include "api/common_fields.h"

#include <algorithm>
#include <set>

#include "catalog/fact_date.h"
#include "sizing/workload.h"

namespace podwright {

void describe_model(FieldVisitor& v, std::optional<Model>& model) {
  v.model(
      {"model", "Model: an id of the catalog, an object of the same shape, or a Hugging Face config.json", kRequired},
      model);
}

void describe_head(FieldVisitor& v, std::string_view kind) {
  std::string kind_text(kind);
  v.word({"kind", "What is asked"}, kind_text, {std::string(kind)});
  std::string schema = "podwright/1";
  v.text({"schema", "Version of the messages"}, schema);
}

void describe_search_type(FieldVisitor& v, std::string_view form, bool required) {
  std::string type(required ? "" : form);
  std::vector<std::string> types(sizing::kWorkloadTypeWords.begin(), sizing::kWorkloadTypeWords.end());
  if (v.all_variants()) types = {std::string(form)};
  v.word({"type", "Workload", Required{required}}, type, types);
}

void describe_tuning(FieldVisitor& v, Tuning& tuning) {
  word(v,
       {"tuning",
        "How well runs are tuned to their machines: as makers of hardware and software tune for their performance "
        "tables, as people do who mean to be fast, or software as it comes"},
       tuning, kTuningWords);
}

void describe_suggest(FieldVisitor& v, bool& suggest) {
  v.flag({"suggest", "Adds `faster`: what would make it faster on the same GPUs, and by how much"}, suggest);
}

void describe_explain(FieldVisitor& v, bool& explain) {
  v.flag({"explain", "Adds `trace`: equation, inputs and source of every number"}, explain);
}

void describe_calibration(FieldVisitor& v) {
  std::optional<std::string> calibration;
  v.object({"calibration",
            "Rates measured on a host, as `podwright calibrate PROFILE -o FILE` writes them; the catalog's follow "
            "their ratio to the reference profile of the GPU"},
           calibration);
}

std::vector<std::string> providers_of(const Catalog& catalog) {
  std::set<std::string> names;
  for (const CloudPrice& row : catalog.cloud_prices) names.insert(row.provider);
  return {names.begin(), names.end()};
}

void check_day(Errors& problems, std::string_view path, const std::string& day) {
  if (!earliest_day(day))
    problems.push_back(
        {"out-of-range", std::string(path), "\"" + day.substr(0, 60) + "\" is not a date.", "Write 2026-11-21."});
}

void describe_price_choice(FieldVisitor& v, PricePolicy& policy) {
  word(v, {"price", "Which of the offers that fit sets the price, each provider counted once", kPolicyPage},
       policy.choice, kPriceChoiceWords);
  v.text({"not_before", "Offers with an older date are left out, e.g. 2026-01-01"}, policy.not_before);
  v.flag({"all_offers", "Also marketplaces and offers that are sold out", kPolicyPage}, policy.all_offers);
}

void describe_price_policy(FieldVisitor& v, const Catalog& catalog, PricePolicy& policy) {
  v.enter({"price_policy", "Which offers of rented machines set the price"});
  describe_price_choice(v, policy);
  v.words({"providers", "Providers of the price table; absent: all"}, policy.providers, providers_of(catalog));
  v.text({"as_of", "Day from which ages of prices are counted; absent: that of the newest row of the catalog"},
         policy.as_of);
  v.number({"most_age_days", "Age in days after which a price counts no more", within(0, 1e5), kPolicyPage},
           policy.most_age_days);
  Errors problems;
  check_day(problems, "/as_of", policy.as_of);
  if (!policy.not_before.empty()) check_day(problems, "/not_before", policy.not_before);
  v.problems(problems);
  v.leave();
}

void describe_egress(FieldVisitor& v, EgressRequest& egress) {
  v.number({"egress_gb_per_month", "Data that leaves the cloud, GB per month", kNotNegative, kNotAsked},
           egress.gb_per_month);
  v.number({"egress_usd_per_gb", "Its price, USD per GB; absent: egress_tiers, else the provider's in the catalog",
            kNotNegative},
           egress.usd_per_gb);
  list_of(v, {"egress_tiers", "Price list of the egress of a month, in rising order"}, egress.steps, [&](auto& step) {
    v.number({"up_to_gb", "Upper border, GB per month; absent in the last step", kPositive}, step.up_to_gb);
    v.number({"usd_per_gb", "Price of a gigabyte, USD", kRequired, kNotNegative}, step.usd_per_gb);
  });
  bool rising = true;
  for (std::size_t i = 0; i < egress.steps.size(); ++i) {
    const std::optional<double>& border = egress.steps[i].up_to_gb;
    const bool last = i + 1 == egress.steps.size();
    rising = rising && border.has_value() != last &&
             (last || i == 0 || *border > egress.steps[i - 1].up_to_gb.value_or(*border));
  }
  v.rule(rising, "egress_tiers", "The borders must rise, and the last step has none.",
         "Write [{\"up_to_gb\": 10000, \"usd_per_gb\": 0.09}, {\"usd_per_gb\": 0.05}].");
  v.rule(egress.steps.empty() || !egress.usd_per_gb, "egress_usd_per_gb",
         "\"egress_usd_per_gb\" and \"egress_tiers\" both price the egress.", "Leave one of them out.");
}

void check_names(FieldVisitor& v, const std::vector<std::string>& names, const std::string& path) {
  Errors errors;
  for (std::size_t i = 1; i < names.size(); ++i) {
    const auto earlier = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]);
    if (earlier == names.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    errors.push_back({"conflict", path + "/" + std::to_string(i) + "/name",
                      "\"" + names[i].substr(0, 60) + "\" is the name of " + path + "/" +
                          std::to_string(earlier - names.begin()) + " too.",
                      "Give it a name of its own."});
  }
  v.problems(errors);
}

Error stands_twice(const std::string& id, std::string_view key, const std::string& path) {
  return {"conflict", path, "\"" + id.substr(0, 60) + "\" occurs twice in \"" + std::string(key) + "\".",
          "Leave one of them out."};
}

}  // namespace podwright
