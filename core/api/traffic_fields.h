#pragma once
/// Fields that say how long requests are, how they come and what their prompts share.
#include <optional>
#include <string>
#include <string_view>

#include "api/fields.h"
#include "catalog/traffic.h"
#include "memory/length_distribution.h"

namespace podwright {

/// What a field is where the request leaves it out, and who says so.
struct FieldDefault {
  double value = 0;
  std::string source;
};

/// The field with the default that something else gives it, if any; `value` becomes that. `known` must outlive the
/// field.
template <class Value>
Field with_default(Field field, const std::optional<FieldDefault>& known, Value& value) {
  if (!known) return field;
  value = known->value;
  field.required = false;
  field.default_source = known->source;
  return field;
}

/// What is known of the lengths of prompts or answers where their own fields are left out.
struct LengthDefaults {
  std::optional<FieldDefault> mean;
  std::optional<FieldDefault> cv;
  LengthDistribution distribution;  ///< that of the request, or of a preset whose long ones are cut; else empty
};
/// What `traffic.preset`, `input_lengths` and `output_lengths` say.
struct TrafficDefaults {
  bool preset = false;    ///< the request names one
  bool sessions = false;  ///< prompts hold what was said before
  LengthDefaults input;
  LengthDefaults output;
  std::optional<FieldDefault> prefix_hit_ratio;
};

/// What a trace says of its requests: means and scatter of their lengths, mean rate.
struct TraceDefaults {
  LengthDefaults input;
  LengthDefaults output;
  std::optional<FieldDefault> requests_per_s;
};

/// `traffic`. What the request says goes before its preset: a `prefix_hit_ratio` before what prompts of the preset
/// share, and what they share before a ratio of the preset.
TrafficDefaults describe_traffic(FieldVisitor& visitor, const Catalog& catalog, std::optional<TrafficPattern>& asked);

/// Tokens of prompt and answer of a request, which must say them.
void describe_lengths(FieldVisitor& visitor, double& input_tokens, double& output_tokens);
/// Those that may also come from a preset, `input_lengths` or `output_lengths`, which `known` then holds too. They are
/// cut at the model's context, except prompts of sessions, which end there.
void describe_lengths(FieldVisitor& visitor, const std::optional<Model>& model, TrafficDefaults& known,
                      double& input_tokens, double& output_tokens);

/// A problem at a mean or deviation that a list of lengths in the request says too.
void check_said_once(FieldVisitor& visitor, std::string_view key, const LengthDefaults& known);

/// Deviations over means.
inline const Field kInputSpread{
    "input_tokens_cv", "Standard deviation over mean of the prompts' lengths; absent: the catalog's", Range{0, 5}};
inline const Field kOutputSpread{
    "output_tokens_cv", "Standard deviation over mean of the answers' lengths; absent: the catalog's", Range{0, 5}};
/// One of them: that of `known`, else `otherwise`, a figure of the catalog.
void describe_spread(FieldVisitor& visitor, const Catalog& catalog, std::string_view figure, const Field& field,
                     double otherwise, const LengthDefaults& known, double& value);
/// The same; without one of `known` it stays as it is.
template <class Value>
void describe_spread(FieldVisitor& visitor, const Field& field, const LengthDefaults& known, Value& value) {
  check_said_once(visitor, field.key, known);
  visitor.number(with_default(field, known.cv, value), value);
}

/// `found_elsewhere`: what prompts share says what is found, so that no ratio is assumed.
void describe_prefix_hits(FieldVisitor& visitor, const TrafficDefaults& known, bool found_elsewhere, double& ratio);

/// That the traffic fits the mean lengths, and that what a prefix cache finds is said once.
void check_traffic(FieldVisitor& visitor, const std::optional<TrafficPattern>& traffic, double input_tokens,
                   double output_tokens, double prefix_hit_ratio);

/// Where a default of a figure of the catalog comes from.
std::string source_of_figure(const Catalog& catalog, std::string_view id);

}  // namespace podwright
