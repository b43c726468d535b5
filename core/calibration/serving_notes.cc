#include "calibration/serving_notes.h"

#include <initializer_list>

#include "base/lower_case.h"
#include "calibration/measured_cells.h"

namespace podwright {
namespace {

using Phrases = std::initializer_list<std::string_view>;

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter_or_digit(char c) { return digit(c) || (c >= 'a' && c <= 'z'); }

bool holds_phrase(std::string_view text, Phrases phrases) {
  for (const std::string_view phrase : phrases)
    if (text.find(phrase) != std::string_view::npos) return true;
  return false;
}

std::optional<double> after_any(std::string_view text, Phrases phrases) {
  for (const std::string_view phrase : phrases)
    if (const auto number = number_after(text, phrase)) return number;
  return {};
}

std::optional<double> before_any(std::string_view text, Phrases phrases) {
  for (const std::string_view phrase : phrases)
    if (const auto number = number_before(text, phrase)) return number;
  return {};
}

/// The word behind a phrase that begins a word, up to a blank, a comma or a semicolon; empty where it is "-".
std::string word_after(std::string_view text, std::string_view phrase) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    if (at > 0 && letter_or_digit(text[at - 1])) continue;
    const std::size_t begin = at + phrase.size();
    const std::size_t end = std::min(text.find_first_of(" ,;", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    return blank_cell(word) ? "" : std::string(word);
  }
  return "";
}

/// Version of the engine by the tag of its own container image. Images of other makers carry other versions.
std::string image_version(std::string_view text) {
  for (const std::string_view image : {"vllm-openai:", "sglang:", "tensorrt-llm/release:", "release:", "lmdeploy:"}) {
    const std::string tag = word_after(text, image);
    const std::size_t first = tag.find_first_of("0123456789");
    if (first == std::string::npos || first > 1 || version_in(tag).empty()) continue;
    return tag.substr(first, tag.find('-', first) - first);
  }
  return "";
}

}  // namespace

std::optional<double> number_after(std::string_view text, std::string_view phrase) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos; at = text.find(phrase, at + 1)) {
    if (at > 0 && letter_or_digit(text[at - 1])) continue;
    std::size_t begin = at + phrase.size();
    while (begin < text.size() && (text[begin] == ' ' || text[begin] == '=' || text[begin] == ':')) ++begin;
    std::size_t end = begin;
    while (end < text.size() &&
           (digit(text[end]) || (text[end] == ',' && end + 1 < text.size() && digit(text[end + 1]))))
      ++end;
    if (const auto number = cell_number(text.substr(begin, end - begin))) return number;
  }
  return {};
}

ServingNotes read_serving_notes(std::string_view text) {
  const std::string notes = lower_case(text);
  ServingNotes out;
  out.attention_data =
      after_any(notes, {"attn dp", "attention dp", "dp attention", "dp_attention", "dp-attention", "attn-dp"});
  out.attention_is_data_parallel =
      out.attention_data ? *out.attention_data > 1
                         : holds_phrase(notes, {"attention dp", "attn dp", "dp attention", "dp-attention",
                                                "dp_attention", "attention data parallel", "enable-dp-attention"});
  out.expert_tensor = after_any(notes, {"moe tp", "moe_tp", "moe-tp"});
  out.expert = after_any(notes, {"ep", "expert parallel", "moe ep"});
  out.linear_format = word_after(notes, "gemm ");
  if (const std::size_t experts = notes.find(", moe "); experts != std::string::npos)
    out.expert_format = word_after(std::string_view(notes).substr(experts + 2), "moe ");
  out.image_version = image_version(notes);
  out.max_batched_tokens =
      after_any(notes, {"max batched tokens", "max_num_batched_tokens", "max num batched tokens", "max_num_tokens",
                        "max num tokens", "chunked prefill size", "chunk size", "chunk"});
  out.max_sequences =
      after_any(notes, {"max seqs", "max_num_seqs", "max num seqs", "max batch size", "max_batch_size"});
  out.requests =
      before_any(notes, {" requests in", " chat prompts", " prompts,", " prompts;", " requests,", " requests;"});
  if (!out.requests) out.requests = after_any(notes, {"num prompts", "num_prompts", "num_requests"});
  out.micro_batch = holds_phrase(notes, {"micro-batch size in the batch column"});
  out.decode_rate = holds_phrase(notes, {"decode tokens/s", "decode rate", "decode only"});
  out.other_scheduler = after_any(notes, {"scheduler steps"}).value_or(1) > 1 ||
                        holds_phrase(notes, {"chunked prefill false", "chunked prefill off"});
  out.figures_per_node = holds_phrase(notes, {"per node", "per 8-gpu node", "one 8-gpu node", "each node", "/node"});
  return out;
}

}  // namespace podwright
