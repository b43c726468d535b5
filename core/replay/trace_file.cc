#include "replay/trace_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/civil_day.h"
#include "base/csv_read.h"
#include "base/json_read.h"
#include "base/stable_sort.h"
#include "base/told_number.h"

namespace podwright::replay {
namespace {

enum Column { kAt, kInput, kOutput, kColumns };

/// What published traces call them.
struct Name {
  std::string_view name;
  Column column;
  double unit = 1;  ///< s, of times
};
constexpr Name kNames[] = {{"arrived_at", kAt},
                           {"at_s", kAt},
                           {"arrival_s", kAt},
                           {"Timestamp", kAt},
                           {"TIMESTAMP", kAt},
                           {"timestamp_ms", kAt, 1e-3},
                           {"timestamp", kAt, 1e-3},
                           {"input_tokens", kInput},
                           {"input_length", kInput},
                           {"num_prefill_tokens", kInput},
                           {"ContextTokens", kInput},
                           {"Request tokens", kInput},
                           {"output_tokens", kOutput},
                           {"output_length", kOutput},
                           {"num_decode_tokens", kOutput},
                           {"GeneratedTokens", kOutput},
                           {"Response tokens", kOutput}};
constexpr std::string_view kSessions[] = {"session", "session_id", "Session ID"};
constexpr std::string_view kBlocks = "hash_ids";
/// Tokens of a block of `hash_ids`: Mooncake, github.com/kvcache-ai/Mooncake, FAST25-release/traces.
constexpr double kHashedTokens = 512;
constexpr std::size_t kMostRequests = 2'000'000;
/// Seconds: of a time since any start, and between the first request and the last.
constexpr double kMostTime = 1e12, kLongestTrace = 1e8;
/// Ids of blocks and of sessions that are whole numbers, of single prompts, and of those that are known by a name, lie
/// one above the other.
constexpr std::uint64_t kFirstId = std::uint64_t{1} << 52U;
constexpr std::uint64_t kSingle = 2 * kFirstId;
constexpr std::uint64_t kNamed = std::uint64_t{1} << 62U;
/// Whole numbers up to here are told apart.
constexpr double kMostId = 4503599627370495;

/// Of a name, which is not kept. FNV-1a.
std::uint64_t hashed(std::string_view name) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  return kNamed + (hash & (kNamed - 1));
}

/// Of a block, or of a session (from `first` on). A number beyond what is told apart, a list or the like is none.
std::optional<std::uint64_t> id_of(const JsonNode& node, std::uint64_t first) {
  if (node.is_text()) return hashed(node.text);
  if (!node.is_number() || !(node.number >= 0) || node.number > kMostId || node.number != std::floor(node.number))
    return std::nullopt;
  return first + static_cast<std::uint64_t>(node.number);
}

Error problem_of_trace(std::string path, std::string message) {
  return {"not-a-trace", std::move(path), std::move(message),
          "Each request needs a time, input and output tokens: arrived_at in seconds or timestamp in milliseconds, "
          "input_tokens, output_tokens; and may have a session, or hash_ids of blocks of 512 tokens."};
}

std::optional<double> plain_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !is_tellable(value)) return std::nullopt;
  return value;
}

/// A number, or a time such as "2023-11-16 18:15:46.6805900" in seconds.
std::optional<double> number_of(const std::string& text) {
  constexpr std::string_view kForm = "2023-11-16 18:15:46";
  if (const auto plain = plain_number(text)) return plain;
  if (text.size() < kForm.size() || text[13] != ':' || text[16] != ':') return std::nullopt;
  const auto day = day_number(text.substr(0, 10));
  const auto hour = plain_number(text.substr(11, 2));
  const auto minute = plain_number(text.substr(14, 2));
  const auto second = plain_number(text.substr(17, text.find_first_of("+Z", 17) - 17));
  if (!day || !hour || !minute || !second) return std::nullopt;
  return static_cast<double>(*day) * 86400 + *hour * 3600 + *minute * 60 + *second;
}

/// What a line says of one request.
struct TraceRow {
  std::array<std::optional<double>, kColumns> numbers;
  std::optional<std::uint64_t> session;
  const JsonNode* blocks = nullptr;
};

/// An empty session is none.
bool says_nothing(const JsonNode& node) { return node.type == JsonType::null || (node.is_text() && node.text.empty()); }

class TraceReader {
 public:
  void add(int line, const TraceRow& row) {
    const auto& [at, input, output] = row.numbers;
    if (!at || !input || !output) return problem(line, "The request lacks a time or a length.");
    if (!(std::fabs(*at) <= kMostTime)) return problem(line, "The time is beyond 1e12 seconds.");
    Request request;
    request.at = *at;
    request.input_tokens = std::floor(*input);
    request.output_tokens = std::floor(*output);
    if (!(request.input_tokens >= 1) || request.input_tokens > 1e8)
      return problem(line, "The prompt has no token, or more than 100 million.");
    if (!(request.output_tokens >= 1) || request.output_tokens > 1e8)
      return problem(line, "The answer has no token, or more than 100 million: leave requests that failed out.");
    if (row.blocks != nullptr) {
      if (!add_blocks(*row.blocks, request)) return problem(line, "hash_ids is not a list of whole numbers or texts.");
    } else {
      request.parts.push_back({row.session.value_or(kSingle + alone_++), request.input_tokens});
    }
    requests_.push_back(std::move(request));
    if (requests_.size() > kMostRequests) problem(line, "The trace has more than 2 million requests.");
  }

  void problem(int line, std::string message) {
    if (errors_.size() < 20) errors_.push_back(problem_of_trace(":" + std::to_string(line), std::move(message)));
  }

  Result<std::vector<Request>> take() {
    if (errors_.empty() && requests_.empty()) errors_.push_back(problem_of_trace("", "The trace has no request."));
    if (!errors_.empty()) return failure(std::move(errors_));
    sort_stably(requests_, [](const Request& a, const Request& b) { return a.at < b.at; });
    const double first = requests_.front().at;
    if (requests_.back().at - first > kLongestTrace)
      return failure(
          problem_of_trace("", "More than 1e8 seconds (three years) pass between the first request and the last."));
    for (Request& request : requests_) request.at -= first;
    return std::move(requests_);
  }

 private:
  static bool add_blocks(const JsonNode& blocks, Request& request) {
    if (!blocks.is_list()) return false;
    request.continued = false;
    double left = request.input_tokens;
    for (const JsonNode& block : blocks.items) {
      const auto id = id_of(block, 0);
      if (!id) return false;
      if (!(left > 0)) break;
      request.parts.push_back({*id, std::min(left, kHashedTokens)});
      left -= request.parts.back().tokens;
    }
    return true;
  }

  std::vector<Request> requests_;
  Errors errors_;
  std::uint64_t alone_ = 0;
};

Result<std::vector<Request>> read_lines(std::string_view text) {
  TraceReader reader;
  int line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto object = parse_json(one);
    if (!object || !object->is_object()) {
      reader.problem(line, "The line is not a JSON object.");
      continue;
    }
    TraceRow row;
    for (const Name& name : kNames)
      if (const JsonNode* node = object->find(name.name); node != nullptr && !row.numbers[name.column]) {
        row.numbers[name.column] = node->is_number() ? std::optional(node->number) : number_of(node->text);
        if (row.numbers[name.column]) *row.numbers[name.column] *= name.unit;
      }
    bool told_apart = true;
    for (const std::string_view name : kSessions)
      if (const JsonNode* node = object->find(name); node != nullptr && !row.session && !says_nothing(*node)) {
        row.session = id_of(*node, kFirstId);
        told_apart = row.session.has_value();
      }
    if (!told_apart) {
      reader.problem(line, "The session is neither a text nor a whole number below 2^52, which alone is told apart.");
      continue;
    }
    row.blocks = object->find(kBlocks);
    reader.add(line, row);
  }
  return reader.take();
}

Result<std::vector<Request>> read_table(std::string_view text) {
  const auto table = parse_csv(text);
  if (!table) return failure(table.error());
  TraceReader reader;
  for (const CsvTable::Row& cells : table->rows) {
    TraceRow row;
    for (const Name& name : kNames)
      if (const int column = table->column(name.name); column >= 0 && !row.numbers[name.column]) {
        row.numbers[name.column] = number_of(cells.cells[static_cast<std::size_t>(column)]);
        if (row.numbers[name.column]) *row.numbers[name.column] *= name.unit;
      }
    for (const std::string_view name : kSessions)
      if (const int column = table->column(name); column >= 0 && !row.session)
        if (const std::string& cell = cells.cells[static_cast<std::size_t>(column)]; !cell.empty())
          row.session = hashed(cell);
    reader.add(cells.line, row);
  }
  return reader.take();
}

}  // namespace

Result<std::vector<Request>> read_trace(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return TraceReader().take();
  if (text[first] == '{') return read_lines(text);
  return read_table(text);
}

}  // namespace podwright::replay
