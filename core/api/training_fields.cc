#include "api/training_fields.h"

#include "api/common_fields.h"
#include "base/nearest.h"

namespace podwright {
namespace {

std::string version_hint(const TrainingFramework& framework) {
  std::vector<std::string> versions;
  for (const FrameworkVersion& known : framework.versions) versions.push_back(known.version);
  if (versions.empty()) return "No version of " + framework.name + " is distinguished: leave it out.";
  return "Legal: " + joined(versions) + "; left out, it is any.";
}

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

void describe_framework(FieldVisitor& v, const Catalog& catalog, TrainingRun& run) {
  v.word({"framework", "Training framework", kConvention, Aliases{"frameworks"}}, run.framework,
         ids(catalog.training_frameworks.get()));
  v.text({"framework_version", "Version of the framework; absent: any"}, run.framework_version);
  describe_tuning(v, run.tuning);
  const TrainingFramework* framework = find_training_framework(catalog.training_frameworks, run.framework);
  if (framework == nullptr || run.framework_version.empty()) return;
  const FrameworkVersion* version = find_version(*framework, run.framework_version);
  v.rule(version != nullptr, "framework_version",
         "The catalog has no version \"" + run.framework_version.substr(0, 60) + "\" of " + framework->name + ".",
         version_hint(*framework));
  if (version != nullptr) run.framework_version = version->version;
}

void describe_adapters(FieldVisitor& v, TrainingMethod method, double& rank, std::vector<LoraTarget>& targets) {
  v.count({"lora_rank", "Rank of the adapters (lora, qlora)", within(1, 65536)}, rank);
  describe_words(v, {"lora_targets", "Weights of a layer that have adapters (lora, qlora); absent: all"}, targets,
                 kLoraTargetWords);
  v.rule(targets.empty() || method != TrainingMethod::full, "lora_targets", "Full training has no adapters.",
         "Leave it out, or set method to lora or qlora.");
}

void describe_batch(FieldVisitor& v, double& sequence_length, double& global_batch_size) {
  v.count({"sequence_length", "Tokens of a training sequence", within(1, 1e8), kConvention}, sequence_length);
  v.count({"global_batch_size", "Sequences per optimizer step", kAtLeastOne, kConvention}, global_batch_size);
}

void describe_training_options(FieldVisitor& v, TrainingRun& run) {
  std::optional<double> attention_tokens;
  v.number({"attention_tokens",
            "Packed documents: sum of their squared lengths over the sum of their lengths; absent: attention "
            "reads the whole sequence",
            within(1, 1e8)},
           attention_tokens);
  run.attention_tokens = attention_tokens.value_or(0);
  v.rule(run.attention_tokens <= run.sequence_length, "attention_tokens",
         "attention_tokens is above sequence_length: no document is longer than the sequence that holds it.",
         "Give at most sequence_length, or leave it out.");
  v.number({"expert_imbalance", "Tokens of the busiest expert parallel rank over the mean of all", within(1, 1000),
            "even routing"},
           run.expert_imbalance);
  v.count({"multi_token_depths", "Modules that predict further tokens and are trained with the model", within(0, 16)},
          run.multi_token_depths);
  v.flag({"overlap", "Exchanges of tensor and data parallel ranks run behind computation, as far as software can"},
         run.overlap);
  v.flag({"narrow_dispatch", "Tokens travel to their experts in 8 bit"}, run.narrow_dispatch);
  word(v,
       {"context_exchange",
        "How context parallel ranks share attention: keys and values pass round (ring), or an all-to-all "
        "changes from a split of the sequence to a split of the heads"},
       run.context_exchange, kContextExchangeWords);
  v.flag({"in_network_reduction", "Switches between nodes add up what ranks reduce (SHARP)"}, run.in_network_reduction);
  v.text({"framework_date",
          "Date of the framework's source tree where it has no version: 2024, 2024-08 or 2024-08-31; absent: "
          "the newest that is known"},
         run.framework_date);
  v.rule(run.framework_date.empty() || is_date(run.framework_date), "framework_date",
         "\"" + run.framework_date.substr(0, 60) + "\" is not a date.", "Write 2024, 2024-08 or 2024-08-31.");
  v.rule(run.framework_date.empty() || run.framework_version.empty(), "framework_date", "A version has its own date.",
         "Leave out framework_date or framework_version.");
  v.rule(run.context_exchange == ContextExchange::ring || run.parallelism.context > 1, "context_exchange",
         "Without context parallelism there is no such exchange.", "Leave it out, or set parallelism.context.");
}

void describe_mean_power(FieldVisitor& v, double& load, double& pue, bool listed) {
  const auto source = [&](std::string_view text) { return listed ? text : std::string_view(); };
  v.number({"load", "Mean over maximum power of the machines", within(0.01, 1),
            source("Datacenter as a Computer, 4th edition, chapter 8")},
           load);
  describe_pue(v, pue, listed);
}

void describe_pue(FieldVisitor& v, double& pue, bool listed) {
  const auto source = [&](std::string_view text) { return listed ? text : std::string_view(); };
  v.number({"pue", "Power of the facility over power of the machines", within(1, 5),
            source("convention of Podwright, between 1.09 (large cloud sites) and 1.56 (mean of the "
                   "Uptime Institute's surveys)")},
           pue);
}

bool describe_interruptions(FieldVisitor& v, CalendarRequest& r) {
  const bool checkpoint = v.enter({"checkpoint", "How checkpoints are written"});
  v.number({"write_s", "Time to write one, s; absent: its size over the storage's rate", within(0, 1e6)}, r.write_s);
  v.number({"storage_write_gb_per_s",
            "Rate at which the storage takes it, GB/s; absent: the least of the storage guide", within(1e-6, 1e9)},
           r.storage_write_gb_per_s);
  v.number({"interval_s", "Training between two of them, s; absent: what loses least", within(1, 1e9)}, r.interval_s);
  v.flag({"asynchronous", "Training waits only for the copy to host memory"}, r.asynchronous);
  v.rule(!r.write_s || !r.storage_write_gb_per_s, "storage_write_gb_per_s",
         "\"write_s\" and \"storage_write_gb_per_s\" exclude each other.", "Give one of them.");
  v.leave();
  v.number({"restart_s", "From a failure to the first new step, s; absent: the catalog's figure", within(0, 1e7)},
           r.restart_s);
  v.number({"step_time_variation",
            "Standard deviation of one GPU's step time over its mean, beyond what measured runs contain", kShare},
           r.step_time_variation);
  return checkpoint || r.restart_s || r.step_time_variation > 0;
}

void describe_calendar(FieldVisitor& v, CalendarRequest& r, TrainingPower& power) {
  v.number({"tokens", "Tokens of the whole run; asks for its `calendar`", within(1, 1e18)}, r.tokens);
  v.number({"deadline_days", "Days until the run must be done", within(1e-3, 1e5)}, r.deadline_days);
  const bool interrupted = describe_interruptions(v, r);
  v.number(
      {"gpu_hours_per_failure", "GPU-hours between failures; absent: those of a published fleet", within(1e-3, 1e12)},
      r.gpu_hours_per_failure);
  v.number({"gpu_price_usd_per_hour", "Price of a GPU-hour, USD", within(0, 1e6)}, r.gpu_price_usd_per_hour);
  v.number(
      {"power_kw_per_gpu", "Mean power at the meter for each GPU with all around it, kW; absent: the machine's share",
       within(1e-3, 1e3)},
      power.power_kw_per_gpu);
  describe_mean_power(v, power.load, power.pue, r.tokens.has_value() && !power.power_kw_per_gpu);
  const bool any =
      r.deadline_days || interrupted || r.gpu_hours_per_failure || r.gpu_price_usd_per_hour || power.power_kw_per_gpu;
  v.rule(r.tokens || !any, "tokens", "Deadline, checkpoints, failures, price and power say nothing without \"tokens\".",
         "Add the \"tokens\" of the run.");
}

}  // namespace podwright
