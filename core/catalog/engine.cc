#include "catalog/engine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

#include "base/words.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

constexpr Range kEngineAmount{.min = 0, .max = 1e9};
constexpr Range kEngineCount{.min = 1, .max = 1e9};

constexpr std::array<std::string_view, 5> kBudgetWords{"fraction-of-total", "fraction-of-free", "static-pool",
                                                       "up-front", "none"};
constexpr std::array<std::string_view, 2> kReservationWords{"full-length", "optimistic"};
constexpr std::array<std::string_view, 4> kActivationWords{"width-multiple", "forward-or-sampler", "context-scores",
                                                           "logits"};

constexpr std::array<std::string_view, 2> kHostHoldsWords{"evicted", "copies"};
constexpr std::array<std::string_view, 3> kHostLoadWords{"apart", "by-layer", "before-step"};

std::optional<Bytes> read_bytes(ObjectReader& reader, const std::string& name) {
  const std::optional<double> in_mib = reader.number(name + "_mib", kEngineAmount);
  const std::optional<double> in_gib = reader.number(name + "_gib", kEngineAmount);
  if (in_mib && in_gib)
    reader.error(name + "_gib", "conflict", "\"" + name + "\" is given in MiB and in GiB.", "Keep one of the two.");
  if (in_mib) return mib(*in_mib);
  if (in_gib) return gib(*in_gib);
  return {};
}

/// An object whose keys are sizes of tensor-parallel groups.
ByTensor read_by_tensor(ObjectReader& reader, std::string_view key, double scale = 1) {
  ByTensor table;
  const JsonNode* node = reader.object(key);
  if (node == nullptr) return table;
  for (std::size_t i = 0; i < node->keys.size(); ++i) {
    char* end = nullptr;
    const double tensor = std::strtod(node->keys[i].c_str(), &end);
    const double value = node->items[i].number;
    const bool good = *end == '\0' && tensor >= kEngineCount.min && tensor <= kEngineCount.max &&
                      node->items[i].is_number() && value >= kEngineAmount.min && value <= kEngineAmount.max;
    if (!good)
      reader.error(key, "wrong-type", "\"" + std::string(key) + "\" needs group sizes as keys and numbers as values.",
                   "{\"1\": 0, \"2\": 342}");
    if (good) table[tensor] = node->items[i].number * scale;
  }
  return table;
}

/// A field that ends in its unit is known without it too.
void read_sources(ObjectReader& reader, CatalogItem& item) {
  read_item_sources(reader, item);
  const std::map<std::string, std::string> told = item.sources;
  for (const auto& [field, ids] : told) {
    const bool with_unit = field.size() > 4 && (field.ends_with("_mib") || field.ends_with("_gib"));
    if (with_unit) item.sources[field.substr(0, field.size() - 4)] = ids;
  }
}

void read_static_reserve(ObjectReader& reader, StaticReserve& reserve) {
  keep(reserve.constant, read_bytes(reader, "constant"));
  keep(reserve.per_step_token, read_bytes(reader, "per_step_token"));
  keep(reserve.step_tokens_at_least, reader.number("step_tokens_at_least", kEngineAmount));
  keep(reserve.per_graph_sequence, read_bytes(reader, "per_graph_sequence"));
  keep(reserve.per_gpu, read_bytes(reader, "per_gpu"));
  keep(reserve.per_graph_sequence_and_attention_rank, read_bytes(reader, "per_graph_sequence_and_attention_rank"));
  keep(reserve.large_gpu_at_least, read_bytes(reader, "large_gpu_at_least"));
  keep(reserve.large_gpu_memory, read_bytes(reader, "large_gpu_memory"));
}

void read_activation(ObjectReader& reader, ActivationConvention& activation) {
  const auto rule = read_word<ActivationRule>(reader, "rule", kActivationWords);
  if (!rule && !reader.has("rule")) reader.missing("rule", "how the activation peak follows from the step");
  activation.rule = rule.value_or(activation.rule);
  activation.dense_multiple = read_by_tensor(reader, "dense_multiple");
  activation.expert_multiple = read_by_tensor(reader, "expert_multiple");
  keep(activation.overhead, reader.number("overhead", kEngineAmount));
  activation.minimum = read_bytes(reader, "minimum");
  activation.expert_workspace_block = reader.number("expert_workspace_block", kEngineCount);
  keep(activation.hidden_values, reader.number("hidden_values", kEngineAmount));
  keep(activation.logit_bytes, reader.number("logit_bytes", kEngineAmount));
  keep(activation.expert_workspace, reader.flag("expert_workspace"));
  activation.expert_workspace_except = read_texts(reader, "expert_workspace_except");
  activation.constant = read_bytes(reader, "constant");
  keep(activation.scores_per_head_and_token, read_bytes(reader, "scores_per_head_and_token"));
  keep(activation.scores_per_head, read_bytes(reader, "scores_per_head"));
}

void read_defaults(ObjectReader& reader, EngineDefaults& defaults) {
  defaults.memory_below = read_bytes(reader, "memory_below");
  defaults.gpus = read_texts(reader, "gpus");
  defaults.max_sequences = reader.number("max_sequences", kEngineCount);
  defaults.max_batched_tokens = reader.number("max_batched_tokens", kEngineCount);
  defaults.graph_sequences = read_by_tensor(reader, "graph_sequences");
}

void read_host_cache(ObjectReader& reader, HostCacheConvention& host) {
  enum class Holds { evicted, copies };
  host.copies = read_word<Holds>(reader, "holds", kHostHoldsWords) == Holds::copies;
  keep(host.load, read_word<HostLoad>(reader, "loads", kHostLoadWords));
}

void read_conventions(ObjectReader& reader, EngineConventions& c) {
  keep(c.from, reader.text("from"));
  keep(c.until, reader.text("until"));
  keep(c.last_seen, reader.text("last_seen"));
  keep(c.observed, reader.text("observed"));
  c.kv_budget = read_word<KvBudgetRule>(reader, "kv_budget", kBudgetWords);
  c.memory_fraction = reader.number("memory_fraction", {.min = 0, .max = 1});
  c.static_reserve = read_object(reader, "static_reserve", read_static_reserve);
  c.usable_fraction = reader.number("usable_fraction", {.min = 0, .max = 1});
  c.reservation = read_word<Reservation>(reader, "reservation", kReservationWords);
  c.block_tokens = reader.number("block_tokens", kEngineCount);
  keep(c.kv_precision, reader.text("kv_precision"));
  read_list(reader, "defaults", c.defaults, read_defaults);
  keep(c.step_covers_length, reader.flag("step_covers_length"));
  c.hybrid_allocator = reader.flag("hybrid_allocator");
  c.state_bytes = reader.number("state_bytes", kEngineAmount);
  c.conv_state_bytes = reader.number("conv_state_bytes", kEngineAmount);
  c.packed_mla_fp8_bytes = reader.number("packed_mla_fp8_bytes", kEngineAmount);
  c.activation = read_object(reader, "activation", read_activation);
  c.communication = read_by_tensor(reader, "communication_mib", mib(1).base_units());
  if (c.communication.empty()) c.communication = read_by_tensor(reader, "communication_gib", gib(1).base_units());
  c.pipeline_communication = read_bytes(reader, "pipeline_communication");
  c.cuda_graphs = read_bytes(reader, "cuda_graphs");
  keep(c.cuda_graphs_in_budget, reader.flag("cuda_graphs_in_budget"));
  c.safety = read_bytes(reader, "safety");
  keep(c.embedding_on_host, reader.flag("embedding_on_host"));
  c.host_cache = read_object(reader, "host_cache", read_host_cache);
  c.missing = read_texts(reader, "missing");
  reader.text("notes");
  read_sources(reader, c);
}

/// The numbers of a version, up to the first part that does not begin with a digit.
std::vector<long> version_numbers(std::string_view version) {
  std::vector<long> numbers;
  std::size_t i = !version.empty() && (version[0] == 'v' || version[0] == 'V') ? 1 : 0;
  while (i < version.size() && version[i] >= '0' && version[i] <= '9') {
    long number = 0;
    for (; i < version.size() && version[i] >= '0' && version[i] <= '9'; ++i)
      number = std::min(number * 10 + (version[i] - '0'), 100000000L);
    numbers.push_back(number);
    if (i >= version.size() || (version[i] != '.' && version[i] != '-')) break;
    ++i;
  }
  return numbers;
}

}  // namespace

std::optional<double> by_tensor(const ByTensor& table, double tensor) {
  const auto above = table.upper_bound(tensor);
  if (above == table.begin()) return {};
  return std::prev(above)->second;
}

int compare_versions(std::string_view a, std::string_view b) {
  std::vector<long> left = version_numbers(a);
  std::vector<long> right = version_numbers(b);
  const std::size_t parts = std::max(left.size(), right.size());
  left.resize(parts, 0);
  right.resize(parts, 0);
  if (left == right) return 0;
  return left < right ? -1 : 1;
}

ConventionsChoice conventions_of(const Engine& engine, std::string_view version) {
  if (engine.conventions.empty()) return {};
  const EngineConventions& newest = engine.conventions.back();
  if (version.empty()) return {&newest, ""};
  if (version_numbers(version).empty()) {
    return {&newest, "The version \"" + std::string(version) + "\" of " + engine.name +
                         " has no number; its newest known conventions are used."};
  }
  for (const EngineConventions& c : engine.conventions) {
    const bool begun = c.from.empty() || compare_versions(version, c.from) >= 0;
    const bool open = c.until.empty() || compare_versions(version, c.until) < 0;
    if (!begun || !open) continue;
    const bool unseen = !c.last_seen.empty() && compare_versions(version, c.last_seen) > 0;
    if (unseen)
      return {&c, engine.name + " " + std::string(version) + " is newer than the newest one examined (" + c.last_seen +
                      ", " + c.observed + ")."};
    return {&c, ""};
  }
  if (!newest.until.empty() && compare_versions(version, newest.until) >= 0) {
    return {&newest, engine.name + " " + std::string(version) + " is newer than what is known (conventions before " +
                         newest.until + ")."};
  }
  return {&engine.conventions.front(), engine.name + " " + std::string(version) +
                                           " is older than what is known (conventions since " +
                                           engine.conventions.front().from + ")."};
}

const EngineDefaults* defaults_for(const EngineConventions& conventions, std::string_view gpu_id, Bytes memory) {
  for (const EngineDefaults& defaults : conventions.defaults) {
    const bool named = std::find(defaults.gpus.begin(), defaults.gpus.end(), gpu_id) != defaults.gpus.end();
    if (named || !defaults.memory_below || memory < *defaults.memory_below) return &defaults;
  }
  return nullptr;
}

void read_engine(const JsonNode& node, const std::string& file, std::vector<Engine>& engines, ErrorList& errors) {
  ObjectReader reader(node, file + "#", errors);
  Engine engine;
  read_entry_head(reader, "engines", engine);
  read_list(reader, "conventions", engine.conventions, read_conventions);
  for (std::size_t i = 0; i < engine.conventions.size(); ++i) {
    EngineConventions& c = engine.conventions[i];
    c.id = engine.id;
    c.name = engine.name;
    c.origin = engine.origin + "/conventions/" + std::to_string(i);
  }
  if (engine.conventions.empty() && !reader.has("conventions"))
    reader.missing("conventions", "the conventions by version, oldest first");
  reader.finish();
  engines.push_back(std::move(engine));
}

}  // namespace podwright
