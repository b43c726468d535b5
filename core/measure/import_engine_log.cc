#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "measure/engine_facts.h"
#include "measure/foreign_parts.h"

namespace podwright {
namespace {

/// Two figures of one pool that differ by more are of two pools: workers of one engine come out a few percent apart.
constexpr double kSamePool = 0.1;

struct LogFacts : EngineFacts {
  std::optional<double> kv_streams;  ///< equal parts of the pool of llama.cpp
  std::optional<double> log_tensor;  ///< SGLang's tp_size, which contains the ranks of attention
};

/// What becomes of a figure that several lines give.
enum class Repeated { least, most, last, sum, same, pool };

/// A number in a line with `line` in it, after `before` and in front of `after`.
struct LogNumber {
  std::string_view engine;
  std::string_view line;
  std::string_view before;
  std::string_view after;
  double scale;
  std::optional<double> LogFacts::*value;
  Repeated repeated;
};
constexpr double kGibPerMib = 1.0 / 1024;
/// Engines that print GB divide by 2^30.
constexpr LogNumber kLogNumbers[] = {
    {"vllm", "GPU KV cache size: ", "GPU KV cache size: ", " tokens", 1, &LogFacts::kv_cache_tokens, Repeated::pool},
    {"vllm", "# GPU blocks: ", "# GPU blocks: ", "", 1, &LogFacts::kv_blocks, Repeated::least},
    {"vllm", "# cuda blocks: ", "# cuda blocks: ", "", 1, &LogFacts::kv_blocks, Repeated::least},
    {"vllm", "# CUDA blocks: ", "# CUDA blocks: ", "", 1, &LogFacts::kv_blocks, Repeated::least},
    {"vllm", "reserved for KV Cache is ", "reserved for KV Cache is ", "GiB", 1, &LogFacts::kv_cache_gib,
     Repeated::least},
    {"vllm", "model weights take ", "model weights take ", "GiB", 1, &LogFacts::weights_gib, Repeated::most},
    {"vllm", "x gpu_memory_utilization (", "x gpu_memory_utilization (", ")", 1, &LogFacts::memory_fraction,
     Repeated::last},
    {"vllm", "CUDA graph pool memory: ", "CUDA graph pool memory: ", " GiB (actual)", 1, &LogFacts::cuda_graphs_gib,
     Repeated::most},
    {"vllm", "Maximum concurrency for ", "Maximum concurrency for ", " tokens", 1, &LogFacts::max_model_tokens,
     Repeated::same},
    {"vllm", "Maximum concurrency for ", "tokens per request: ", "x", 1, &LogFacts::full_sequences, Repeated::least},
    {"vllm", "Using max model len ", "Using max model len ", "", 1, &LogFacts::max_model_tokens, Repeated::same},
    {"vllm", "Available KV cache memory: ", "Available KV cache memory: ", " GiB", 1, &LogFacts::kv_cache_gib,
     Repeated::least},
    {"vllm", "Model loading took ", "Model loading took ", " G", 1, &LogFacts::weights_gib, Repeated::most},
    {"vllm", "Loading model weights took ", "Loading model weights took ", " G", 1, &LogFacts::weights_gib,
     Repeated::most},
    {"vllm", "Graph capturing finished in ", "took ", " GiB", 1, &LogFacts::cuda_graphs_gib, Repeated::most},
    {"vllm", "Chunked prefill is enabled with ", "max_num_batched_tokens=", "", 1, &LogFacts::max_batched_tokens,
     Repeated::last},
    {"vllm", "non-default args: ", "'max_num_batched_tokens': ", "", 1, &LogFacts::max_batched_tokens, Repeated::last},
    {"vllm", "non-default args: ", "'max_num_seqs': ", "", 1, &LogFacts::max_sequences, Repeated::last},
    {"vllm", "non-default args: ", "'gpu_memory_utilization': ", "", 1, &LogFacts::memory_fraction, Repeated::last},
    {"vllm", "non-default args: ", "'block_size': ", "", 1, &LogFacts::block_tokens, Repeated::last},
    {"vllm", " LLM engine (v", "max_seq_len=", "", 1, &LogFacts::max_model_tokens, Repeated::same},
    {"vllm", " LLM engine (v", "tensor_parallel_size=", "", 1, &LogFacts::tensor, Repeated::same},
    {"vllm", " LLM engine (v", "pipeline_parallel_size=", "", 1, &LogFacts::pipeline, Repeated::same},
    {"vllm", " LLM engine (v", "data_parallel_size=", "", 1, &LogFacts::data_parallel, Repeated::same},
    {"sglang", "max_total_num_tokens=", "max_total_num_tokens=", "", 1, &LogFacts::kv_cache_tokens, Repeated::pool},
    {"sglang", "max_total_num_tokens=", "chunked_prefill_size=", "", 1, &LogFacts::max_batched_tokens, Repeated::last},
    {"sglang", "max_total_num_tokens=", "max_running_requests=", "", 1, &LogFacts::max_sequences, Repeated::last},
    {"sglang", "max_total_num_tokens=", "context_len=", "", 1, &LogFacts::max_model_tokens, Repeated::same},
    {"sglang", "KV Cache is allocated.", "#tokens: ", "", 1, &LogFacts::kv_cache_tokens, Repeated::pool},
    {"sglang", "KV Cache is allocated.", "K size: ", " GB", 1, &LogFacts::kv_cache_gib, Repeated::most},
    {"sglang", "KV Cache is allocated.", "V size: ", " GB", 1, &LogFacts::kv_cache_gib, Repeated::most},
    {"sglang", "KV Cache is allocated.", "KV size: ", " GB", 1, &LogFacts::kv_cache_gib, Repeated::most},
    {"sglang", "Load weight end.", "mem usage=", " GB", 1, &LogFacts::weights_gib, Repeated::most},
    {"sglang", "Capture cuda graph end.", "mem usage=", " GB", 1, &LogFacts::cuda_graphs_gib, Repeated::most},
    {"sglang", "CUDA graph end.", "mem usage=", " GB", 1, &LogFacts::cuda_graphs_gib, Repeated::most},
    {"sglang", "ServerArgs(", "tp_size=", "", 1, &LogFacts::log_tensor, Repeated::same},
    {"sglang", "ServerArgs(", "pp_size=", "", 1, &LogFacts::pipeline, Repeated::same},
    {"sglang", "ServerArgs(", "dp_size=", "", 1, &LogFacts::data_parallel, Repeated::same},
    {"sglang", "ServerArgs(", "mem_fraction_static=", "", 1, &LogFacts::memory_fraction, Repeated::last},
    {"sglang", "ServerArgs(", "page_size=", "", 1, &LogFacts::block_tokens, Repeated::last},
    {"tensorrt-llm", "max tokens in paged KV cache", "in paged KV cache (", ")", 1, &LogFacts::kv_cache_tokens,
     Repeated::last},
    {"tensorrt-llm", "max tokens in paged KV cache", "Allocated ", " GiB", 1, &LogFacts::kv_cache_gib, Repeated::last},
    {"tensorrt-llm", "tokens in paged KV cache.", "Using ", " tokens", 1, &LogFacts::kv_cache_tokens, Repeated::last},
    {"tensorrt-llm", "available KV cache memory when calculating max tokens", "fraction is set ", "", 1,
     &LogFacts::memory_fraction, Repeated::last},
    {"tensorrt-llm", "Number of tokens per block: ", "Number of tokens per block: ", "", 1, &LogFacts::block_tokens,
     Repeated::last},
    {"tensorrt-llm", "TRTGptModel maxBatchSize: ", "maxBatchSize: ", "", 1, &LogFacts::max_sequences, Repeated::last},
    {"tensorrt-llm", "TRTGptModel maxNumTokens: ", "maxNumTokens: ", "", 1, &LogFacts::max_batched_tokens,
     Repeated::last},
    {"tensorrt-llm", "TRTGptModel maxSequenceLen: ", "maxSequenceLen: ", "", 1, &LogFacts::max_model_tokens,
     Repeated::last},
    {"tensorrt-llm", "max_num_requests=", "max_num_requests=", "", 1, &LogFacts::max_sequences, Repeated::last},
    {"tensorrt-llm", "max_num_requests=", "max_num_tokens=", "", 1, &LogFacts::max_batched_tokens, Repeated::last},
    {"tensorrt-llm", "max_num_requests=", "max_seq_len=", "", 1, &LogFacts::max_model_tokens, Repeated::last},
    {"llama.cpp", "llama_kv_cache", "MiB (", " cells", 1, &LogFacts::kv_cache_tokens, Repeated::most},
    {"llama.cpp", "llama_kv_cache", ": size = ", " MiB", kGibPerMib, &LogFacts::kv_cache_gib, Repeated::sum},
    {"llama.cpp", "llama_kv_cache", "/", " seqs)", 1, &LogFacts::kv_streams, Repeated::most},
    {"llama.cpp", "llama_context: n_ctx_per_seq", "n_ctx_per_seq", "", 1, &LogFacts::max_model_tokens, Repeated::last},
    {"llama.cpp", "llama_context: n_ctx_seq", "n_ctx_seq", "", 1, &LogFacts::max_model_tokens, Repeated::last},
    {"llama.cpp", "llama_context: n_seq_max", "n_seq_max", "", 1, &LogFacts::max_sequences, Repeated::last},
    {"llama.cpp", "llama_context: n_ubatch", "n_ubatch", "", 1, &LogFacts::max_batched_tokens, Repeated::last},
};

/// A word of such a line.
struct LogWord {
  std::string_view engine;
  std::string_view line;
  std::string_view before;
  std::string EngineFacts::*value;
  std::string_view (*of)(std::string_view word);
};
constexpr LogWord kLogWords[] = {
    {"vllm", " LLM engine (v", " LLM engine (v", &EngineFacts::version, version_numbers},
    {"vllm", "vLLM API server version ", "vLLM API server version ", &EngineFacts::version, version_numbers},
    {"vllm", " LLM engine (v", "kv_cache_dtype=", &EngineFacts::kv_precision, kv_precision_called},
    {"sglang", "Using KV cache dtype: ", "Using KV cache dtype: ", &EngineFacts::kv_precision, kv_precision_called},
    {"sglang", "ServerArgs(", "kv_cache_dtype=", &EngineFacts::kv_precision, kv_precision_called},
    {"tensorrt-llm", "TensorRT-LLM version: ", "TensorRT-LLM version: ", &EngineFacts::version, version_numbers},
};

/// Lines that engines write, whether a number is taken from them or not.
constexpr std::string_view kLogMarks[] = {"# cuda blocks: ",
                                          "# CUDA blocks: ",
                                          "GPU KV cache size: ",
                                          "# GPU blocks: ",
                                          "KV Cache is allocated.",
                                          "max_total_num_tokens=",
                                          "in paged KV cache",
                                          "llama_kv_cache",
                                          " LLM engine (v",
                                          "ServerArgs(",
                                          "vLLM API server version",
                                          "[TensorRT-LLM]",
                                          "[TRT-LLM]",
                                          "llama_context: ",
                                          "Model loading took ",
                                          "Load weight end.",
                                          "Available KV cache memory: "};

/// Digits at the start of `text`, in groups of three with commas or without.
struct Digits {
  double number = 0;
  std::size_t length = 0;
};
std::optional<Digits> digits_at(std::string_view text) {
  std::string plain;
  std::size_t at = 0;
  const auto group_of_three = [&](std::size_t comma) {
    for (std::size_t i = comma + 1; i <= comma + 3; ++i)
      if (i >= text.size() || !is_digit(text[i])) return false;
    return comma + 4 >= text.size() || !is_digit(text[comma + 4]);
  };
  bool point = false;
  for (; at < text.size() && plain.size() < 24; ++at) {
    if (is_digit(text[at])) {
      plain += text[at];
    } else if (text[at] == '.' && !point && !plain.empty() && at + 1 < text.size() && is_digit(text[at + 1])) {
      point = true;
      plain += '.';
    } else if (text[at] != ',' || plain.empty() || point || !group_of_three(at)) {
      break;
    }
  }
  const auto number = number_of_text(plain);
  return number ? std::optional<Digits>({*number, at}) : std::nullopt;
}

/// Where in the line a name ends that is not the end of a longer one.
std::size_t end_of_name(std::string_view line, std::string_view name, std::size_t from) {
  for (std::size_t at = line.find(name, from); at != std::string_view::npos; at = line.find(name, at + 1))
    if (at == 0 || !is_word(name.front()) || !is_word(line[at - 1])) return at + name.size();
  return std::string_view::npos;
}

std::optional<double> number_in(std::string_view line, const LogNumber& sought) {
  if (line.find(sought.line) == std::string_view::npos) return std::nullopt;
  for (std::size_t at = end_of_name(line, sought.before, 0); at != std::string_view::npos;
       at = end_of_name(line, sought.before, at)) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t=", at), line.size());
    const auto digits = digits_at(line.substr(begin));
    if (digits && line.substr(begin + digits->length, sought.after.size()) == sought.after && digits->number > 0)
      return digits->number * sought.scale;
  }
  return std::nullopt;
}

std::string_view word_in(std::string_view line, const LogWord& sought) {
  if (line.find(sought.line) == std::string_view::npos) return {};
  const std::size_t at = end_of_name(line, sought.before, 0);
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at);
  while (!rest.empty() && (rest.front() == '\'' || rest.front() == ' ')) rest.remove_prefix(1);
  return rest.substr(0, std::min(rest.find_first_of("',) \t\r\""), rest.size()));
}

/// Name of a member in messages.
std::string_view name_of_fact(std::optional<double> LogFacts::*value) {
  for (const EngineFact& fact : kEngineFacts)
    if (static_cast<std::optional<double> LogFacts::*>(fact.value) == value) return fact.key;
  return value == &LogFacts::log_tensor ? "tp_size" : "streams";
}

std::string fact_text(double number) { return human_number(number, 9); }

class LogReader {
 public:
  Result<EngineFacts> read(std::string_view text) {
    int line = 0;
    for (std::size_t begin = 0; begin <= text.size() && errors_.empty();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(text.substr(begin, end - begin), ++line);
      begin = end + 1;
    }
    if (errors_.empty()) complete();
    if (!errors_.empty()) return failure(std::move(errors_));
    return EngineFacts(std::move(facts_));
  }

 private:
  void error(std::string code, int line, std::string message, std::string hint) {
    errors_.push_back(
        {std::move(code), line > 0 ? ":" + std::to_string(line) : "", std::move(message), std::move(hint)});
  }

  bool is_of(std::string_view engine, int line) {
    if (facts_.engine.empty()) {
      facts_.engine = engine;
      engine_line_ = line;
    }
    if (facts_.engine == engine) return true;
    error("conflict", line,
          "Line " + std::to_string(engine_line_) + " is of " + facts_.engine + ", line " + std::to_string(line) +
              " of " + std::string(engine) + ".",
          "Import the log of one engine.");
    return false;
  }

  void read_line(std::string_view line, int at) {
    if (line.size() < 8) return;
    // Several numbers of a line that are one figure add up: keys and values.
    std::array<std::optional<double>, std::size(kLogNumbers)> found;
    for (std::size_t i = 0; i < std::size(kLogNumbers); ++i) found[i] = number_in(line, kLogNumbers[i]);
    for (std::size_t i = 0; i < std::size(kLogNumbers); ++i) {
      if (!found[i]) continue;
      if (!is_of(kLogNumbers[i].engine, at)) return;
      double number = *found[i];
      for (std::size_t j = i + 1; j < std::size(kLogNumbers); ++j)
        if (found[j] && kLogNumbers[j].value == kLogNumbers[i].value && kLogNumbers[j].line == kLogNumbers[i].line) {
          number += *found[j];
          found[j].reset();
        }
      take(kLogNumbers[i], number, at);
    }
    for (const LogWord& word : kLogWords) {
      const std::string_view told = word_in(line, word);
      if (told.empty() || !is_of(word.engine, at)) continue;
      take_word(word, std::string(word.of(told)), at);
    }
    if (line.find("enable_dp_attention=True") != std::string_view::npos) attention_ranks_ = true;
  }

  void take(const LogNumber& sought, double number, int line) {
    std::optional<double>& kept = facts_.*sought.value;
    int& kept_line = lines_[static_cast<std::size_t>(&sought - kLogNumbers)];
    const int before = line_of(sought.value);
    kept_line = line;
    if (!kept) {
      kept = number;
      return;
    }
    if (*kept == number) {
      if (sought.repeated == Repeated::sum) *kept += number;
      return;
    }
    const auto both = [&] {
      return "Line " + std::to_string(before) + " says " + std::string(name_of_fact(sought.value)) + " " +
             fact_text(*kept) + ", line " + std::to_string(line) + " says " + fact_text(number) + ".";
    };
    switch (sought.repeated) {
      case Repeated::same:
        return error("conflict", line, both(), "Import the log of one start of one engine.");
      case Repeated::pool:
        if (std::fabs(number / *kept - 1) > kSamePool)
          return error("conflict", line, both(), "Import the log of one start of one engine.");
        [[fallthrough]];
      case Repeated::least:
        kept = std::min(*kept, number);
        return;
      case Repeated::most:
        kept = std::max(*kept, number);
        return;
      case Repeated::sum:
        *kept += number;
        return;
      case Repeated::last:
        facts_.notes.push_back(both() + " The last one counts.");
        kept = number;
        return;
    }
  }

  /// The last line that gave this figure.
  int line_of(std::optional<double> LogFacts::*value) const {
    int last = 0;
    for (std::size_t i = 0; i < std::size(kLogNumbers); ++i)
      if (kLogNumbers[i].value == value) last = std::max(last, lines_[i]);
    return last;
  }

  void take_word(const LogWord& word, std::string told, int line) {
    std::string& kept = facts_.*word.value;
    if (told.empty() || kept == told) return;
    if (!kept.empty() && word.value == &EngineFacts::version)
      return error(
          "conflict", line,
          "The log is of version " + kept + " and, in line " + std::to_string(line) + ", of version " + told + ".",
          "Import the log of one start of one engine.");
    kept = std::move(told);
  }

  /// What follows from several lines together.
  void complete() {
    LogFacts& f = facts_;
    if (f.log_tensor) {
      const double ranks = attention_ranks_ ? f.data_parallel.value_or(1) : 1;
      f.tensor = *f.log_tensor / ranks;
      if (attention_ranks_) f.attention_data = ranks;
    }
    if (f.kv_streams && f.kv_cache_tokens) *f.kv_cache_tokens *= *f.kv_streams;
    if (f.kv_blocks && !f.block_tokens && f.full_sequences && f.max_model_tokens) {
      // The log rounds the sequences to two decimals.
      const double size = *f.full_sequences * *f.max_model_tokens / *f.kv_blocks;
      if (const double whole = std::round(size); whole >= 1 && std::fabs(size / whole - 1) < 0.02)
        f.block_tokens = whole;
    }
    if (!f.kv_cache_tokens && f.kv_blocks && f.block_tokens) f.kv_cache_tokens = *f.kv_blocks * *f.block_tokens;
    if (!f.kv_cache_tokens)
      return error(
          "missing", 0,
          f.kv_blocks ? "The log says how many blocks the KV cache has, and not how many tokens a block has."
                      : "No line of this log says how many tokens the KV cache holds.",
          "vLLM prints \"GPU KV cache size: ... tokens\", SGLang \"max_total_num_tokens=\", TensorRT-LLM \"max "
          "tokens in paged KV cache\", llama.cpp \"llama_kv_cache: size =\": import the log from the start of "
          "the engine until it serves.");
    if (!f.full_sequences || !f.max_model_tokens) return;
    const double of_full = *f.full_sequences * *f.max_model_tokens;
    if (std::fabs(of_full / *f.kv_cache_tokens - 1) > 0.02 + 0.005 / *f.full_sequences)
      f.notes.push_back("The log's " + fact_text(*f.full_sequences) + " sequences of " +
                        fact_text(*f.max_model_tokens) + " tokens are " + fact_text(std::round(of_full)) +
                        " tokens, its KV cache holds " + fact_text(*f.kv_cache_tokens) +
                        ": layers with windows or states do not keep every token.");
  }

  LogFacts facts_;
  int engine_line_ = 0;
  bool attention_ranks_ = false;
  std::array<int, std::size(kLogNumbers)> lines_{};
  Errors errors_;
};

}  // namespace

std::string_view kv_precision_called(std::string_view name) {
  if (name.rfind("torch.", 0) == 0) name.remove_prefix(6);
  if (name.rfind("fp8", 0) == 0 || name.rfind("float8", 0) == 0) return "fp8";
  if (name == "bfloat16" || name == "bf16") return "bf16";
  if (name == "float16" || name == "fp16" || name == "half") return "fp16";
  if (name == "int8") return "int8";
  if (name == "nvfp4") return "nvfp4";
  return {};
}

std::string_view version_numbers(std::string_view version) {
  std::size_t end = 0;
  while (end < version.size() &&
         (is_digit(version[end]) || (version[end] == '.' && end + 1 < version.size() && is_digit(version[end + 1]))))
    ++end;
  return version.substr(0, end);
}

Result<EngineFacts> import_engine_log(std::string_view text) { return LogReader().read(text); }

FileFields engine_log_fields(std::string_view text) {
  FileFields fields;
  const auto facts = import_engine_log(text);
  if (!facts) return fields;
  for (const EngineFact& fact : kEngineFacts) {
    if (fact.key == "engines") break;  // what follows is of metrics
    ((*facts).*fact.value ? fields.used : fields.missing).emplace_back(fact.key);
  }
  (facts->version.empty() ? fields.missing : fields.used).emplace_back("version");
  (facts->kv_precision.empty() ? fields.missing : fields.used).emplace_back("kv_precision");
  return fields;
}

bool looks_like_engine_log(std::string_view text) {
  return std::any_of(std::begin(kLogMarks), std::end(kLogMarks),
                     [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

Result<EngineFacts> joined_engine_facts(std::span<const EngineFacts> files) {
  if (files.empty()) return failure({"missing", "", "There is no file to join.", ""});
  EngineFacts joined = files.front();
  for (std::size_t i = 1; i < files.size(); ++i) {
    const EngineFacts& other = files[i];
    const auto differ = [&](std::string_view key, const std::string& one, const std::string& two) {
      return Errors{{"conflict", "/" + std::to_string(i),
                     "Another file says " + std::string(key) + " " + one + ", this one says " + two + ".",
                     "Import files of one engine."}};
    };
    if (joined.engine != other.engine) return failure(differ("engine", joined.engine, other.engine));
    if (!joined.version.empty() && !other.version.empty() && joined.version != other.version)
      return failure(differ("version", joined.version, other.version));
    if (joined.version.empty()) joined.version = other.version;
    if (joined.kv_precision.empty()) joined.kv_precision = other.kv_precision;
    for (const EngineFact& fact : kEngineFacts) {
      std::optional<double>& kept = joined.*fact.value;
      const std::optional<double>& told = other.*fact.value;
      if (kept && told && std::fabs(*told - *kept) > 0.01 * std::fabs(*kept))
        joined.notes.push_back("Files differ in " + std::string(fact.key) + ": " + fact_text(*kept) + " and " +
                               fact_text(*told) + ". The first one counts.");
      if (!kept) kept = told;
    }
    joined.notes.insert(joined.notes.end(), other.notes.begin(), other.notes.end());
  }
  return joined;
}

}  // namespace podwright
