#include "calibration/written_formats.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "base/lower_case.h"
#include "calibration/measured_cells.h"
#include "memory/serving_memory.h"
#include "perf/estimate_serving.h"

namespace podwright {
namespace {

bool holds_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return holds(text, part); });
}

const WeightFormat* known_format(const Catalog& catalog, std::string_view text) {
  return find_weight_format(catalog.weight_formats, canonical_id(catalog, "precisions", text));
}

/// "Q4_K_M" inside a longer text; the longest name wins.
std::string gguf_format(const Catalog& catalog, std::string_view lower) {
  std::string dashed(lower);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  const WeightFormat* longest = nullptr;
  for (const WeightFormat& format : catalog.weight_formats) {
    const bool quantised = format.id.rfind("q", 0) == 0 || format.id.rfind("iq", 0) == 0;
    if (quantised && holds(dashed, format.id) && (longest == nullptr || format.id.size() > longest->id.size()))
      longest = &format;
  }
  return longest == nullptr ? "" : longest->id;
}

/// "4.65 bpw": the format of a whole-file average or of uniform blocks that is nearest.
std::string format_of_bits(const Catalog& catalog, std::string_view lower) {
  const std::size_t at = lower.find("bpw");
  if (at == std::string_view::npos) return "";
  std::size_t end = at;
  while (end > 0 && lower[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && ((lower[begin - 1] >= '0' && lower[begin - 1] <= '9') || lower[begin - 1] == '.')) --begin;
  const std::optional<double> bits = cell_number(lower.substr(begin, end - begin));
  if (!bits) return "";
  const WeightFormat* nearest = nullptr;
  for (const WeightFormat& format : catalog.weight_formats) {
    if (format.compute_precision != "fp16") continue;
    if (nearest == nullptr || std::fabs(format.bits_per_weight - *bits) < std::fabs(nearest->bits_per_weight - *bits))
      nearest = &format;
  }
  return nearest == nullptr ? "" : nearest->id;
}

bool digit_at(std::string_view text, std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; }

/// A whole number of `digits` digits at a place; absent where there is none.
std::optional<double> digits_at(std::string_view text, std::size_t begin, std::size_t digits) {
  for (std::size_t i = begin; i < begin + digits; ++i)
    if (!digit_at(text, i)) return {};
  return cell_number(text.substr(begin, digits));
}

}  // namespace

std::string written_weight_format(const Catalog& catalog, std::string_view text) {
  const std::string lower = lower_case(text);
  if (lower.empty()) return "";
  if (const WeightFormat* format = known_format(catalog, text)) return format->id;
  const std::vector<std::string> words = words_of(text);
  if (holds_any(lower, {"nvfp4", "modelopt_fp4"})) return "nvfp4";
  if (holds(lower, "mxfp4")) return "mxfp4";
  if (holds(lower, "mxfp8")) return "mxfp8";
  if (holds(lower, "fp4")) return "nvfp4";
  if (std::string format = format_of_bits(catalog, lower); !format.empty()) return format;
  if (std::string format = gguf_format(catalog, lower); !format.empty()) return format;
  if (holds_any(lower, {"fp8", "float8"}) || has_word(words, {"e4m3", "e5m2"}))
    return holds(lower, "block") ? "fp8-block" : "fp8";
  if (holds(lower, "gptq")) return "int4-gptq";
  if (holds_any(lower, {"awq", "int4", "w4a16", "u4", "nf4", "4bit", "4-bit", "4 bit", "kv4"})) return "int4-awq";
  if (holds_any(lower, {"int8", "w8a8", "w8a16", "8bit", "8-bit", "8 bit", "smoothquant"})) return "int8";
  if (holds_any(lower, {"bf16", "bfloat16"})) return "bf16";
  if (holds_any(lower, {"fp16", "float16"}) || has_word(words, {"f16", "half"})) return "fp16";
  if (holds_any(lower, {"fp32", "float32"}) || has_word(words, {"f32"})) return "fp32";
  return "";
}

std::string_view fp4_format(const Model& model, const Gpu& gpu) {
  const bool published = lower_case(model.native_dtype).rfind("mxfp4", 0) == 0;
  return published || lower_case(gpu.vendor) == "amd" ? "mxfp4" : "nvfp4";
}

bool published_in_fp8_blocks(const Model& model) { return holds(lower_case(model.native_dtype), "block scales"); }

bool published_with_4_bit_experts(const Model& model) {
  return lower_case(model.native_dtype).rfind("int4 experts", 0) == 0;
}

std::string written_kv_precision(const Catalog& catalog, std::string_view text) {
  if (blank_cell(text)) return "";
  const std::string known = canonical_id(catalog, "precisions", text);
  if (kv_element_bytes(known)) return known;
  const std::string lower = lower_case(text);
  if (holds_any(lower, {"nvfp4", "fp4"})) return "nvfp4";
  if (holds_any(lower, {"fp8", "e4m3", "e5m2", "float8"})) return "fp8";
  if (holds_any(lower, {"int8", "8bit", "8-bit"})) return "int8";
  if (holds_any(lower, {"int4", "4bit", "4-bit", "q4"})) return "q4-0";
  if (holds(lower, "q8")) return "q8-0";
  if (holds_any(lower, {"bf16", "bfloat16"})) return "bf16";
  if (holds_any(lower, {"fp16", "float16", "f16"})) return "fp16";
  return "";
}

std::string written_engine(const Catalog& catalog, std::string_view text) {
  const std::string known = canonical_id(catalog, "engines", text);
  if (find_engine_conventions(catalog, known) != nullptr) return known;
  const std::string lower = lower_case(text);
  struct Name {
    std::string_view part;
    std::string_view engine;
  };
  for (const Name& name : std::initializer_list<Name>{{"trt-llm", "tensorrt-llm"},
                                                      {"trtllm", "tensorrt-llm"},
                                                      {"tensorrt", "tensorrt-llm"},
                                                      {"llama.cpp", "llama.cpp"},
                                                      {"llama-cpp", "llama.cpp"},
                                                      {"llamacpp", "llama.cpp"},
                                                      {"ollama", "llama.cpp"},
                                                      {"sglang", "sglang"},
                                                      {"lmdeploy", "lmdeploy"},
                                                      {"turbomind", "lmdeploy"},
                                                      {"exllama", "exllamav2"},
                                                      {"transformers", "transformers"},
                                                      {"vllm", "vllm"}})
    if (holds(lower, name.part) && find_engine_conventions(catalog, name.engine) != nullptr)
      return std::string(name.engine);
  return "";
}

std::string written_version(std::string_view text) {
  const std::string first(text.substr(0, text.find('/')));
  const std::string number = version_in(first);
  if (number.empty()) return "";
  const std::size_t begin = first.find(number);
  const std::size_t end = std::min(first.find_first_of(" -+", begin), first.size());
  return first.substr(begin, end - begin);
}

std::string version_at(const Engine& engine, std::string_view date) {
  if (!year_of_date(date)) return "";
  for (const EngineConventions& c : engine.conventions) {
    const std::size_t told = std::min(c.observed.size(), date.size());
    if (told == 0 || c.observed.substr(0, told) < date.substr(0, told)) continue;
    if (!c.from.empty()) return c.from;
    return c.until.empty() ? "" : "0";
  }
  return "";
}

std::optional<double> year_of_date(std::string_view date) {
  const std::optional<double> year = digits_at(date, 0, 4);
  if (!year) return {};
  const std::optional<double> month = date.size() > 4 ? digits_at(date, 5, 2) : std::nullopt;
  if (!month || *month < 1 || *month > 12) return *year + 0.5;
  const std::optional<double> day = date.size() > 7 ? digits_at(date, 8, 2) : std::nullopt;
  const double of_month = day && *day >= 1 && *day <= 31 ? (*day - 1) / 31 : 0.5;
  return *year + (*month - 1 + of_month) / 12;
}

}  // namespace podwright
