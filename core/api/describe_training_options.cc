#include "api/describe_training_options.h"

#include <optional>
#include <string_view>

namespace podwright {
namespace {

bool is_number(std::string_view text, std::size_t digits, int least, int most) {
  if (text.size() != digits) return false;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + (c - '0');
  }
  return value >= least && value <= most;
}

/// "2024", "2024-08" or "2024-08-31".
bool is_date(std::string_view text) {
  if (!is_number(text.substr(0, 4), 4, 1990, 2100)) return false;
  if (text.size() == 4) return true;
  if (text.size() < 7 || text[4] != '-' || !is_number(text.substr(5, 2), 2, 1, 12)) return false;
  return text.size() == 7 || (text.size() == 10 && text[7] == '-' && is_number(text.substr(8), 2, 1, 31));
}

}  // namespace

void describe_batch(FieldVisitor& v, double& sequence_length, double& global_batch_size) {
  v.count({.key = "sequence_length",
           .help = "Tokens of a training sequence",
           .range = {1, 1e8},
           .default_source = kConvention},
          sequence_length);
  v.count({.key = "global_batch_size",
           .help = "Sequences per optimizer step",
           .range = kAtLeastOne,
           .default_source = kConvention},
          global_batch_size);
}

void describe_training_options(FieldVisitor& v, TrainingRun& run) {
  std::optional<double> attention_tokens;
  v.number({.key = "attention_tokens",
            .help = "Packed documents: sum of their squared lengths over the sum of their lengths; absent: attention "
                    "reads the whole sequence",
            .range = {1, 1e8}},
           attention_tokens);
  run.attention_tokens = attention_tokens.value_or(0);
  v.rule(run.attention_tokens <= run.sequence_length, "attention_tokens",
         "attention_tokens is above sequence_length: no document is longer than the sequence that holds it.",
         "Give at most sequence_length, or leave it out.");
  v.number({.key = "expert_imbalance",
            .help = "Tokens of the busiest expert parallel rank over the mean of all",
            .range = {1, 1000},
            .default_source = "even routing"},
           run.expert_imbalance);
  v.count({.key = "multi_token_depths",
           .help = "Modules that predict further tokens and are trained with the model",
           .range = {0, 16}},
          run.multi_token_depths);
  v.flag({.key = "narrow_dispatch", .help = "Tokens travel to their experts in 8 bit"}, run.narrow_dispatch);
  word(v,
       {.key = "context_exchange",
        .help = "How context parallel ranks share attention: keys and values pass round (ring), or an all-to-all "
                "changes from a split of the sequence to a split of the heads"},
       run.context_exchange, kContextExchangeWords);
  v.flag({.key = "in_network_reduction", .help = "Switches between nodes add up what ranks reduce (SHARP)"},
         run.in_network_reduction);
  v.text({.key = "framework_date",
          .help = "Date of the framework's source tree where it has no version: 2024, 2024-08 or 2024-08-31; absent: "
                  "the newest that is known"},
         run.framework_date);
  v.rule(run.framework_date.empty() || is_date(run.framework_date), "framework_date",
         "\"" + run.framework_date.substr(0, 60) + "\" is not a date.", "Write 2024, 2024-08 or 2024-08-31.");
  v.rule(run.framework_date.empty() || run.framework_version.empty(), "framework_date", "A version has its own date.",
         "Leave out framework_date or framework_version.");
  v.rule(run.context_exchange == ContextExchange::ring || run.parallelism.context > 1, "context_exchange",
         "Without context parallelism there is no such exchange.", "Leave it out, or set parallelism.context.");
}

}  // namespace podwright
