#pragma once
/// What every fuzz target holds its subject to.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_read.h"
#include "base/result.h"

namespace podwright::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// An error says what it is; with `path` in front where it is given.
inline void expect_told(const Errors& errors, std::string_view path = "") {
  PODWRIGHT_ASSERT(!errors.empty());
  for (const Error& error : errors)
    PODWRIGHT_ASSERT(!error.code.empty() && !error.message.empty() && error.path.substr(0, path.size()) == path);
}

/// An answer is JSON; a refusal says what and where.
inline void expect_answer(const std::string& text) {
  const Result<JsonNode> node = parse_json(text);
  PODWRIGHT_ASSERT(node && node->is_object());
  const JsonNode* errors = node->find("errors");
  if (errors == nullptr) return;
  PODWRIGHT_ASSERT(errors->is_list() && !errors->items.empty());
  for (const JsonNode& error : errors->items) {
    for (const std::string_view key : {"code", "path", "message", "hint"}) {
      const JsonNode* field = error.find(key);
      PODWRIGHT_ASSERT(field != nullptr && field->is_text());
    }
  }
}

/// Lines, or parts that stand between lines "--- NAME": (name, text).
inline std::vector<std::pair<std::string, std::string>> named_parts(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> parts;
  constexpr std::string_view kMark = "--- ";
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.substr(0, kMark.size()) == kMark)
      parts.push_back({std::string(line.substr(kMark.size())), ""});
    else if (!parts.empty())
      parts.back().second += std::string(line) + "\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

}  // namespace podwright::fuzz
