#include "catalog/model_named.h"

#include "base/lower_case.h"

namespace podwright {
namespace {

struct NameEnding {
  std::string_view text;
  bool precision = false;
};
/// What a published name ends in without naming another shape: a format of its weights, how it was tuned, a date.
constexpr NameEnding kEndings[] = {{"-fp8", true},
                                   {"-nvfp4", true},
                                   {"-mxfp4", true},
                                   {"-fp4", true},
                                   {"-awq", true},
                                   {"-gptq", true},
                                   {"-int4", true},
                                   {"-int8", true},
                                   {"-w8a8", true},
                                   {"-w4a16", true},
                                   {"-gguf", true},
                                   {"-bf16", true},
                                   {"-fp16", true},
                                   {"-dynamic", true},
                                   {"-quantized.w8a8", true},
                                   {"-quantized.w4a16", true},
                                   {"-instruct"},
                                   {"-chat"},
                                   {"-it"},
                                   {"-hf"},
                                   {"-base"},
                                   {"-0528"},
                                   {"-2507"}};
/// In front of a version or a date: "Mistral-7B-Instruct-v0.3".
constexpr std::string_view kTuned = "-instruct-";
/// The family's name with its maker's: "Meta-Llama-3.1-8B".
constexpr std::string_view kMakersFamily = "meta-llama-";
constexpr std::string_view kMaker = "meta-";

}  // namespace

std::vector<PlainerName> plainer_names(std::string_view name) {
  std::vector<PlainerName> names{{std::string(name)}};
  PlainerName plain{std::string(name.substr(name.rfind('/') + 1))};
  const auto add = [&] { names.push_back(plain); };
  add();
  for (bool cut = true; cut;) {
    cut = false;
    for (const NameEnding& ending : kEndings) {
      if (plain.text.size() <= ending.text.size() || !lower_case(plain.text).ends_with(ending.text)) continue;
      plain.text.resize(plain.text.size() - ending.text.size());
      plain.without_precision = plain.without_precision || ending.precision;
      add();
      cut = true;
    }
  }
  if (const std::size_t tuned = lower_case(plain.text).find(kTuned); tuned != std::string::npos) {
    plain.text.erase(tuned, kTuned.size() - 1);
    add();
  }
  if (lower_case(plain.text).starts_with(kMakersFamily)) {
    plain.text.erase(0, kMaker.size());
    add();
  }
  return names;
}

namespace {

[[gnu::noinline]] Result<const Model*> find_published(const Catalog& catalog, std::string_view name) {
  const Model* of_other_weights = nullptr;
  for (const PlainerName& plainer : plainer_names(name)) {
    const Model* model = known_model(catalog, plainer.text);
    if (model == nullptr) continue;
    if (!plainer.without_precision) return model;
    of_other_weights = model;
    break;
  }
  auto unknown = find_model(catalog, name);
  if (of_other_weights != nullptr && !unknown)
    unknown.error().front().hint = "Its shape is that of \"" + of_other_weights->id +
                                   "\": write this id, and the precision of the weights in a field of its own.";
  return unknown;
}

}  // namespace

Result<const Model*> find_named_model(const Catalog& catalog, std::string_view name) {
  if (const Model* model = known_model(catalog, name)) return model;
  return find_published(catalog, name);
}

bool is_published_name(const Catalog& catalog, std::string_view written) {
  return known_model(catalog, written) == nullptr;
}

}  // namespace podwright
