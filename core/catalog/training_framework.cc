#include "catalog/training_framework.h"

#include "base/lower_case.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

void read_version(ObjectReader& reader, FrameworkVersion& version) {
  keep(version.version, reader.text("version"));
  keep(version.date, reader.text("date"));
  if (!reader.has("version")) reader.missing("version", "a version as it is printed");
}

/// A default; it is a fact, so the framework's `sources` must name where it comes from.
void require_source(ObjectReader& reader, const TrainingFramework& framework, std::string_view field) {
  if (reader.has(field) && framework.source_of(field).empty())
    reader.error("sources", "missing", "The field \"" + std::string(field) + "\" names no source.", "");
}

void read_framework(ObjectReader& reader, TrainingFramework& framework) {
  read_entry_head(reader, "training_frameworks.json/frameworks", framework);
  read_list(reader, "versions", framework.versions, read_version);
  framework.words = read_texts(reader, "words");
  keep(framework.activation_recompute, read_word<Recompute>(reader, "activation_recompute", kRecomputeWords));
  keep(framework.fp8_recipe, read_word<Fp8Recipe>(reader, "fp8_recipe", kFp8RecipeWords));
  keep(framework.memory_figure, read_word<MemoryFigure>(reader, "memory_figure", kMemoryFigureWords));
  keep(framework.zero_stage, reader.count("zero_stage", {.min = 0, .max = 3}));
  keep(framework.sequence_parallel, reader.flag("sequence_parallel"));
  keep(framework.family, reader.text("family"));
  keep(framework.kernels, read_word<KernelSet>(reader, "kernels", kKernelSetWords));
  keep(framework.layer_kernels, reader.number("layer_kernels", {.min = 0, .max = 1e4}));
  keep(framework.hides_expert_exchange, reader.flag("hides_expert_exchange"));
  keep(framework.multi_token_prediction, reader.flag("multi_token_prediction"));
  keep(framework.fused_sinks_since, reader.text("fused_sinks_since"));
  keep(framework.successor, reader.text("successor"));
  keep(framework.successor_since, reader.text("successor_since"));
  reader.text("notes");
  for (const char* key : {"activation_recompute", "fp8_recipe", "zero_stage"})
    if (!reader.has(key)) reader.missing(key, "what holds where a run does not say");
  if (!reader.has("kernels")) reader.missing("kernels", "unfused, eager, compiled or fused");
  for (const char* key :
       {"activation_recompute", "fp8_recipe", "memory_figure", "zero_stage", "sequence_parallel", "kernels",
        "layer_kernels", "hides_expert_exchange", "multi_token_prediction", "fused_sinks_since"})
    require_source(reader, framework, key);
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
  read_list(reader, "frameworks", frameworks, read_framework);
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
