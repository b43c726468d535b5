#include "api/traffic_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "api/common_fields.h"
#include "architecture/design_size.h"
#include "base/number_text.h"

namespace podwright {
namespace {

constexpr Range kTokens{1, 1e8};

struct QuantileField {
  std::string_view key;
  double share;
};
constexpr std::array<QuantileField, 9> kQuantiles{{{"min", 0},
                                                   {"p10", 0.1},
                                                   {"p25", 0.25},
                                                   {"p50", 0.5},
                                                   {"p75", 0.75},
                                                   {"p90", 0.9},
                                                   {"p95", 0.95},
                                                   {"p99", 0.99},
                                                   {"max", 1}}};

/// In the order of their shares.
std::vector<LengthQuantile> describe_quantiles(FieldVisitor& v) {
  std::vector<LengthQuantile> quantiles;
  for (const QuantileField& quantile : kQuantiles) {
    std::optional<double> tokens;
    v.count({quantile.key, "Tokens at this quantile; min and max are the shortest and the longest", kTokens}, tokens);
    if (tokens) quantiles.push_back({quantile.share, *tokens});
  }
  return quantiles;
}

/// Those of the open object, whose key is `key`. As most requests have none, their code is apart.
[[gnu::noinline]] void describe_distribution(FieldVisitor& v, const std::string& key, LengthDefaults& lengths) {
  std::vector<LengthQuantile> quantiles = describe_quantiles(v);
  std::vector<LengthRow> rows;
  list_of(v, {"table", "Lengths one by one, in place of quantiles"}, rows, [&](LengthRow& row) {
    v.count({"tokens", "A length", kRequired, kTokens}, row.tokens);
    v.number({"share", "How frequent it is, compared with the others", kRequired, kPositive}, row.share);
  });
  const bool enough = rows.empty() ? quantiles.size() > 1 : quantiles.empty();
  const bool rising =
      std::is_sorted(quantiles.begin(), quantiles.end(),
                     [](const LengthQuantile& a, const LengthQuantile& b) { return a.tokens < b.tokens; });
  const bool whole =
      std::all_of(rows.begin(), rows.end(), [](const LengthRow& row) { return row.tokens >= 1 && row.share > 0; });
  v.rule(enough, "table", "Lengths are given by two quantiles or more, or by a table.",
         "Write {\"p50\": n, \"p90\": n}, or {\"table\": [{\"tokens\": n, \"share\": s}]}.");
  v.rule(rising, "table", "The quantiles do not rise.", "Write min <= p10 <= p25 <= p50 and so on.");
  if (!enough || !rising || !whole) return;
  lengths.distribution = rows.empty() ? lengths_of_quantiles(std::move(quantiles)) : lengths_of_table(rows);
  lengths.mean = {mean_of_lengths(lengths.distribution), "mean of " + key};
  lengths.cv = {cv_of_lengths(lengths.distribution), "scatter of " + key};
}

/// `lengths` is the key of the field that says the same and more.
void describe_mean(FieldVisitor& v, Field field, std::string_view lengths, const TrafficDefaults& defaults,
                   const LengthDefaults& known, double& value) {
  const bool given = v.has(lengths);
  // A preset that is not known is one error, not three.
  field.required = !defaults.preset && !given && !v.all_variants();
  check_said_once(v, field.key, known);
  v.count(with_default(field, known.mean, value), value);
}

/// Lengths that neither `key` nor its deviation says, cut at `longest`, where one of a thousand is longer.
[[gnu::noinline]] void cut_at(FieldVisitor& v, const std::string& key, double longest, LengthDefaults& lengths) {
  if (!lengths.mean || !lengths.cv || v.has(key) || v.has(key + "_cv") || !(longest > 1)) return;
  LengthDistribution cut = lengths.distribution;
  if (cut.empty()) cut = lognormal_lengths(lengths.mean->value, lengths.cv->value);
  if (length_at(cut, 0.999) <= longest) return;
  cut_lengths(cut, longest);
  constexpr std::string_view kCut = ", cut at the model's context";
  lengths.mean->value = std::floor(mean_of_lengths(cut));
  lengths.cv->value = cv_of_lengths(cut);
  lengths.mean->source += kCut;
  lengths.cv->source += kCut;
  lengths.distribution = std::move(cut);
}

constexpr std::string_view kInputHelp = "Prompt tokens of a request";
constexpr std::string_view kOutputHelp = "Generated tokens of a request";

/// The open object; `hits_given`: the request has a prefix_hit_ratio. Apart, as describe_distribution().
[[gnu::noinline]] TrafficDefaults describe_pattern(FieldVisitor& v, const Catalog& catalog, bool hits_given,
                                                   TrafficPattern& traffic) {
  std::string id;
  v.word({"preset", "Published traffic, for lengths and traffic that the request does not give"}, id,
         ids(catalog.traffic_presets));
  const TrafficPreset* named = row_with_id(catalog.traffic_presets, id);
  const TrafficPreset preset = named == nullptr ? TrafficPreset{} : *named;
  const std::string source = preset.source + " (" + preset.id + ")";
  const auto known = [&](const std::optional<double>& value) {
    return value ? std::optional(FieldDefault{*value, source}) : std::nullopt;
  };
  const auto shared = [&](const std::optional<double>& value) { return hits_given ? std::nullopt : known(value); };
  const bool sharing_given = v.has("system_prompt_tokens") || v.has("turns");
  TrafficDefaults defaults{.preset = v.has("preset"),
                           .sessions = false,
                           .input = {known(preset.input_tokens), known(preset.input_tokens_cv), {}},
                           .output = {known(preset.output_tokens), known(preset.output_tokens_cv), {}},
                           .prefix_hit_ratio = sharing_given ? std::nullopt : known(preset.prefix_hit_ratio)};
  const auto count = [&](const Field& own, const std::optional<FieldDefault>& otherwise, double& value) {
    v.count(with_default(own, otherwise, value), value);
  };
  const auto number = [&](const Field& own, const std::optional<FieldDefault>& otherwise, double& value) {
    v.number(with_default(own, otherwise, value), value);
  };
  count({"system_prompt_tokens", "Tokens at the start of each prompt that others begin with too", within(0, 1e7),
         kNotAsked},
        shared(preset.system_prompt_tokens), traffic.system_prompt_tokens);
  count({"system_prompts", "Different system prompts, equally frequent", within(1, 1e6), kPlainCase},
        shared(preset.system_prompts), traffic.system_prompts);
  number(
      {"turns", "Requests of a session, mean: each prompt holds all that was said before", within(1, 1000), kPlainCase},
      shared(preset.turns), traffic.turns);
  number({"think_time_s", "From an answer to the next request of its session, mean, s", within(0, 1e6), kPlainCase},
         shared(preset.think_time_s), traffic.think_time_s);
  number({"dispersion",
          "Variance over mean of the number of session starts: 0 evenly spaced, 1 at random, above 1 in bursts",
          within(0, 1000), "Poisson arrivals"},
         known(preset.dispersion), traffic.dispersion);
  Field hours{"hours", "24 relative request rates of the day, from midnight; absent: the same all day", within(0, 1e6)};
  traffic.hours = preset.hours;
  if (!traffic.hours.empty()) hours.default_source = source;
  v.numbers(hours, traffic.hours);
  word(v, {"routing", "Which replica a request goes to", kPlainCase}, traffic.routing, kRoutingWords);
  std::optional<double> host_gb;
  v.number({"host_cache_gb", "Host memory of each GPU for prefixes that leave the GPU's, GB; absent: none",
            within(1e-3, 1e5)},
           host_gb);
  if (host_gb) traffic.host_cache = gb(*host_gb);
  defaults.sessions = traffic.turns > 1;
  v.rule(traffic.hours.empty() || traffic.hours.size() == 24, "hours", "\"hours\" needs 24 numbers.",
         "Write one for each hour, from midnight.");
  v.rule(traffic.hours.empty() || std::accumulate(traffic.hours.begin(), traffic.hours.end(), 0.0) > 0, "hours",
         "No hour has requests.", "Write a number above 0.");
  return defaults;
}

[[gnu::noinline]] void said_twice(FieldVisitor& v, std::string_view key) {
  v.rule(false, key, "\"" + std::string(key) + "\" and a list of lengths both say how long they are.",
         "Leave one of them out.");
}

[[gnu::noinline]] void check_sharing(FieldVisitor& v, const TrafficPattern& traffic, double input_tokens,
                                     double output_tokens, double prefix_hit_ratio) {
  v.rule(prefix_hit_ratio == 0, "prefix_hit_ratio",
         "\"prefix_hit_ratio\" and what prompts share in \"traffic\" both say what the prefix cache finds.",
         "Leave one of them out.");
  const double shortest = traffic.system_prompt_tokens + (traffic.turns - 1) * output_tokens + traffic.turns;
  if (fresh_tokens(traffic, input_tokens, output_tokens) < 1)
    v.problems({{"conflict", "/traffic/system_prompt_tokens",
                 "System prompt and earlier turns are longer than input_tokens, the mean over all prompts.",
                 "Legal: input_tokens of at least " + shortest_number(std::ceil(shortest)) +
                     ", which is system_prompt_tokens + (turns - 1) x output_tokens + turns, or lower these."}});
}

}  // namespace

TrafficDefaults describe_traffic(FieldVisitor& v, const Catalog& catalog, std::optional<TrafficPattern>& asked) {
  TrafficDefaults defaults;
  const bool hits_given = v.has("prefix_hit_ratio");
  optional_object(v, {"traffic", "How requests come and what their prompts share"}, asked,
                  [&](TrafficPattern& traffic) { defaults = describe_pattern(v, catalog, hits_given, traffic); });
  return defaults;
}

void describe_lengths(FieldVisitor& v, double& input_tokens, double& output_tokens) {
  v.count({"input_tokens", kInputHelp, kRequired, kTokens}, input_tokens);
  v.count({"output_tokens", kOutputHelp, kRequired, kTokens}, output_tokens);
}

void describe_lengths(FieldVisitor& v, const std::optional<Model>& model, TrafficDefaults& known, double& input_tokens,
                      double& output_tokens) {
  const auto lengths = [&](const Field& field, LengthDefaults& of_field) {
    if (v.enter(field)) describe_distribution(v, std::string(field.key), of_field);
    v.leave();
  };
  lengths({"input_lengths", "Lengths of prompts, in place of input_tokens and input_tokens_cv"}, known.input);
  lengths({"output_lengths", "Lengths of answers, in place of output_tokens and output_tokens_cv"}, known.output);
  if (model && model->context_tokens > 0) {
    const double output = known.output.mean ? known.output.mean->value : 1;
    if (!known.sessions) cut_at(v, "input_tokens", model->context_tokens - output, known.input);
    const double input = known.input.mean ? known.input.mean->value : 1;
    cut_at(v, "output_tokens", model->context_tokens - input, known.output);
  }
  describe_mean(v, {"input_tokens", kInputHelp, kTokens}, "input_lengths", known, known.input, input_tokens);
  describe_mean(v, {"output_tokens", kOutputHelp, kTokens}, "output_lengths", known, known.output, output_tokens);
}

void describe_spread(FieldVisitor& v, const Catalog& catalog, std::string_view figure, const Field& field,
                     double otherwise, const LengthDefaults& known, double& value) {
  const std::string source = source_of_figure(catalog, figure);
  Field own = field;
  own.default_source = source;
  value = otherwise;
  describe_spread(v, own, known, value);
}

void check_said_once(FieldVisitor& v, std::string_view key, const LengthDefaults& known) {
  if (!known.distribution.empty() && v.has(key)) said_twice(v, key);
}

void describe_prefix_hits(FieldVisitor& v, const TrafficDefaults& known, bool found_elsewhere, double& ratio) {
  Field field{"prefix_hit_ratio", "Share of the prompt found in the prefix cache", kShare, kNotAsked};
  if (found_elsewhere) field.default_source = "";
  v.number(with_default(field, known.prefix_hit_ratio, ratio), ratio);
}

void check_traffic(FieldVisitor& v, const std::optional<TrafficPattern>& traffic, double input_tokens,
                   double output_tokens, double prefix_hit_ratio) {
  if (!traffic) return;
  if (shares_prompts(*traffic)) return check_sharing(v, *traffic, input_tokens, output_tokens, prefix_hit_ratio);
  if (traffic->host_cache > Bytes(0))
    v.problems({{"conflict", "/traffic/host_cache_gb", "Host memory keeps what prompts share, and these share nothing.",
                 "Write turns or system_prompt_tokens in traffic, or leave host_cache_gb out."}});
}

std::string source_of_figure(const Catalog& catalog, std::string_view id) {
  const OperatingFigure* figure = find_operating_figure(catalog.operating_figures, id);
  return figure == nullptr ? std::string(id) : figure->source_of("typical") + " (" + std::string(id) + ")";
}

}  // namespace podwright
