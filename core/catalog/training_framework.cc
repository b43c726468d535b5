#include "catalog/training_framework.h"

#include "base/lower_case.h"
#include "base/words.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

constexpr std::array<std::string_view, 3> kMemoryFigureWords{"allocated", "reserved", "device"};

void read_versions(ObjectReader& reader, TrainingFramework& framework) {
  const JsonNode* list = reader.list("versions");
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    ObjectReader entry(list->items[i], reader.path("versions") + "/" + std::to_string(i), reader.errors());
    FrameworkVersion version;
    version.version = entry.text("version").value_or("");
    version.date = entry.text("date").value_or("");
    if (version.version.empty() && !entry.has("version")) entry.missing("version", "a version as it is printed");
    entry.finish();
    framework.versions.push_back(std::move(version));
  }
}

/// A default; it is a fact, so the framework's `sources` must name where it comes from.
void require_source(ObjectReader& reader, const TrainingFramework& framework, std::string_view field) {
  if (reader.has(field) && framework.source_of(field).empty())
    reader.error("sources", "missing", "The field \"" + std::string(field) + "\" names no source.", "");
}

TrainingFramework read_framework(const JsonNode& node, const std::string& path, ErrorList& errors) {
  ObjectReader reader(node, path, errors);
  TrainingFramework framework;
  framework.id = reader.text("id").value_or("");
  if (framework.id.empty() && !reader.has("id")) reader.missing("id", "the framework's id in kebab-case");
  framework.name = reader.text("name").value_or(framework.id);
  framework.origin = "catalog/training_frameworks.json/frameworks/" + framework.id;
  read_item_sources(reader, framework);
  read_versions(reader, framework);
  framework.words = read_texts(reader, "words");
  const auto default_word = [&]<class Enum, std::size_t N>(std::string_view key, Enum& value,
                                                           const std::array<std::string_view, N>& words) {
    const auto word = reader.word(key, {words.begin(), words.end()});
    if (!word && !reader.has(key)) reader.missing(key, "what holds where a run does not say");
    require_source(reader, framework, key);
    if (word) value = *of_word<Enum>(*word, words);
  };
  default_word("activation_recompute", framework.activation_recompute, kRecomputeWords);
  default_word("fp8_recipe", framework.fp8_recipe, kFp8RecipeWords);
  const std::vector<std::string> figures(kMemoryFigureWords.begin(), kMemoryFigureWords.end());
  const std::string figure = reader.word("memory_figure", figures).value_or("");
  require_source(reader, framework, "memory_figure");
  framework.memory_figure = of_word<MemoryFigure>(figure, kMemoryFigureWords).value_or(framework.memory_figure);
  const auto stage = reader.count("zero_stage", {.min = 0, .max = 3});
  if (!stage && !reader.has("zero_stage")) reader.missing("zero_stage", "what holds where a run does not say");
  framework.zero_stage = static_cast<double>(stage.value_or(0));
  require_source(reader, framework, "zero_stage");
  framework.sequence_parallel = reader.flag("sequence_parallel").value_or(false);
  require_source(reader, framework, "sequence_parallel");
  framework.family = reader.text("family").value_or("");
  const std::vector<std::string> sets(kKernelSetWords.begin(), kKernelSetWords.end());
  const std::string kernels = reader.word("kernels", sets).value_or("");
  if (kernels.empty() && !reader.has("kernels")) reader.missing("kernels", "unfused, eager, compiled or fused");
  framework.kernels = of_word<KernelSet>(kernels, kKernelSetWords).value_or(framework.kernels);
  require_source(reader, framework, "kernels");
  framework.hides_expert_exchange = reader.flag("hides_expert_exchange").value_or(false);
  require_source(reader, framework, "hides_expert_exchange");
  framework.multi_token_prediction = reader.flag("multi_token_prediction").value_or(false);
  require_source(reader, framework, "multi_token_prediction");
  framework.fused_sinks_since = reader.text("fused_sinks_since").value_or("");
  require_source(reader, framework, "fused_sinks_since");
  framework.successor = reader.text("successor").value_or("");
  framework.successor_since = reader.text("successor_since").value_or("");
  framework.notes = reader.text("notes").value_or("");
  reader.finish();
  return framework;
}

/// "r0.8.0" -> {"0", "8"}: numbers between points, zeros at the end left out.
std::vector<std::string> version_parts(std::string_view text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      parts.back() += c;
    } else if (c == '.' && !parts.back().empty()) {
      parts.emplace_back();
    } else if (!parts.back().empty()) {
      break;
    }
  }
  const auto is_zero = [](const std::string& part) { return part.find_first_not_of('0') == std::string::npos; };
  while (!parts.empty() && is_zero(parts.back())) parts.pop_back();
  return parts;
}

}  // namespace

void read_training_frameworks(const JsonNode& node, const std::string& file, std::vector<TrainingFramework>& frameworks,
                              ErrorList& errors) {
  ObjectReader reader(node, file + "#", errors);
  if (const JsonNode* list = reader.list("frameworks"))
    for (std::size_t i = 0; i < list->items.size(); ++i)
      frameworks.push_back(read_framework(list->items[i], reader.path("frameworks") + "/" + std::to_string(i), errors));
  reader.finish();
}

const TrainingFramework* find_training_framework(const std::vector<TrainingFramework>& frameworks,
                                                 std::string_view id) {
  for (const TrainingFramework& framework : frameworks)
    if (framework.id == id) return &framework;
  return nullptr;
}

const TrainingFramework* framework_by_words(const std::vector<TrainingFramework>& frameworks, std::string_view text) {
  const std::string lower = lower_case(text);
  const TrainingFramework* found = nullptr;
  std::size_t first = std::string::npos;
  std::size_t length = 0;
  for (const TrainingFramework& framework : frameworks)
    for (const std::string& word : framework.words) {
      const std::size_t at = lower.find(word);
      if (at == std::string::npos || at > first || (at == first && word.size() <= length)) continue;
      first = at;
      length = word.size();
      found = &framework;
    }
  return found;
}

const FrameworkVersion* find_version(const TrainingFramework& framework, std::string_view version) {
  const std::vector<std::string> wanted = version_parts(version);
  if (wanted.empty()) return nullptr;
  for (const FrameworkVersion& known : framework.versions)
    if (version_parts(known.version) == wanted) return &known;
  return nullptr;
}

}  // namespace podwright
