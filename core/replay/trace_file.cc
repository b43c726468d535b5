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

namespace podwright::replay {
namespace {

enum Column { kAt, kInput, kOutput, kSession, kColumns };

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
                           {"Response tokens", kOutput},
                           {"session", kSession},
                           {"session_id", kSession},
                           {"Session ID", kSession}};
constexpr std::string_view kBlocks = "hash_ids";
/// Tokens of a block of `hash_ids`: Mooncake, github.com/kvcache-ai/Mooncake, FAST25-release/traces.
constexpr double kHashedTokens = 512;
constexpr std::size_t kMostRequests = 2'000'000;
/// Ids of sessions and of single prompts lie above those of blocks.
constexpr std::uint64_t kFirstId = std::uint64_t{1} << 52U;

Error not_a_trace(int line, std::string message) {
  return {"not-a-trace", ":" + std::to_string(line), std::move(message),
          "Each request needs a time, input and output tokens: arrived_at in seconds or timestamp in milliseconds, "
          "input_tokens, output_tokens; and may have a session, or hash_ids of blocks of 512 tokens."};
}

std::optional<double> plain_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !std::isfinite(value)) return std::nullopt;
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

class TraceReader {
 public:
  void add(int line, const std::array<std::optional<double>, kColumns>& row, const JsonNode* blocks) {
    if (!row[kAt] || !row[kInput] || !row[kOutput]) return problem(line, "The request lacks a time or a length.");
    Request request;
    request.at = *row[kAt];
    request.input_tokens = std::floor(*row[kInput]);
    request.output_tokens = std::max(1.0, std::floor(*row[kOutput]));
    if (!(request.input_tokens >= 1) || request.input_tokens > 1e8 || request.output_tokens > 1e8)
      return problem(line, "The request has no prompt, or one beyond 100 million tokens.");
    if (blocks != nullptr) {
      double left = request.input_tokens;
      for (const JsonNode& block : blocks->items) {
        if (!(left > 0) || !(block.number >= 0)) break;
        request.parts.push_back({static_cast<std::uint64_t>(block.number), std::min(left, kHashedTokens)});
        left -= request.parts.back().tokens;
      }
      request.continued = false;
    } else {
      const std::uint64_t id = row[kSession] ? static_cast<std::uint64_t>(std::fabs(*row[kSession])) : alone_++;
      request.parts.push_back({kFirstId + (row[kSession] ? 0 : kFirstId) + id, request.input_tokens});
    }
    requests_.push_back(std::move(request));
    if (requests_.size() > kMostRequests) problem(line, "The trace has more than 2 million requests.");
  }

  void problem(int line, std::string message) {
    if (errors_.size() < 20) errors_.push_back(not_a_trace(line, std::move(message)));
  }

  Result<std::vector<Request>> take() {
    if (errors_.empty() && requests_.empty()) problem(1, "The trace has no request.");
    if (!errors_.empty()) return failure(std::move(errors_));
    sort_stably(requests_, [](const Request& a, const Request& b) { return a.at < b.at; });
    const double first = requests_.front().at;
    for (Request& request : requests_) request.at -= first;
    return std::move(requests_);
  }

 private:
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
    std::array<std::optional<double>, kColumns> row;
    for (const Name& name : kNames)
      if (const JsonNode* node = object->find(name.name); node != nullptr && !row[name.column]) {
        row[name.column] = node->is_number() ? std::optional(node->number) : number_of(node->text);
        if (row[name.column]) *row[name.column] *= name.unit;
      }
    reader.add(line, row, object->find(kBlocks));
  }
  return reader.take();
}

Result<std::vector<Request>> read_table(std::string_view text) {
  const auto table = parse_csv(text);
  if (!table) return failure(table.error());
  TraceReader reader;
  for (const CsvTable::Row& cells : table->rows) {
    std::array<std::optional<double>, kColumns> row;
    for (const Name& name : kNames)
      if (const int column = table->column(name.name); column >= 0 && !row[name.column]) {
        row[name.column] = number_of(cells.cells[static_cast<std::size_t>(column)]);
        if (row[name.column]) *row[name.column] *= name.unit;
      }
    reader.add(cells.line, row, nullptr);
  }
  return reader.take();
}

}  // namespace

Result<std::vector<Request>> read_trace(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return read_lines(text);
  return read_table(text);
}

}  // namespace podwright::replay
