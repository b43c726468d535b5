#pragma once
/// A strict reader of the YAML that exports are written in, for tests: mappings and lists in block style, one entry a
/// line, indentation by two spaces. Escapes as quoted texts have them.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace podwright::test {

struct YamlLine {
  std::size_t indent = 0;  ///< of the key; a dash before it counts two
  bool item = false;       ///< first of a list's entry
  std::string key;
  std::string value;  ///< without quotes; empty where a block follows
};

inline std::string without_quotes(const std::string& text) {
  if (text.empty() || text.front() != '"') return text;
  EXPECT_GE(text.size(), 2u);
  EXPECT_EQ(text.back(), '"');
  std::string plain;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    EXPECT_NE(text[i], '"') << text;
    if (text[i] != '\\') {
      plain += text[i];
    } else if (text[++i] == 'x') {
      plain += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      EXPECT_TRUE(text[i] == '"' || text[i] == '\\') << text;
      plain += text[i];
    }
  }
  return plain;
}

inline std::vector<YamlLine> yaml_lines(const std::string& text) {
  std::vector<YamlLine> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line == "---") continue;
    EXPECT_EQ(line.find('\t'), std::string::npos);
    YamlLine entry{.indent = line.find_first_not_of(' ')};
    EXPECT_NE(entry.indent, std::string::npos);
    EXPECT_EQ(entry.indent % 2, 0u) << line;
    if (line.compare(entry.indent, 2, "- ") == 0) entry.item = true, entry.indent += 2;
    const std::size_t from = entry.indent;
    const std::size_t quote = line[from] == '"' ? line.find('"', from + 1) : from;
    const std::size_t colon = line.find(':', quote);
    EXPECT_NE(colon, std::string::npos) << line;
    entry.key = without_quotes(line.substr(from, colon - from));
    if (colon + 1 < line.size()) {
      EXPECT_EQ(line[colon + 1], ' ') << line;
      entry.value = without_quotes(line.substr(colon + 2));
    }
    // A deeper line belongs to a key without a value.
    if (!lines.empty() && entry.indent > lines.back().indent) {
      EXPECT_TRUE(lines.back().value.empty()) << line;
    }
    lines.push_back(entry);
  }
  return lines;
}

/// Of the first line with this key.
inline std::string yaml_value(const std::vector<YamlLine>& lines, const std::string& key) {
  for (const YamlLine& line : lines)
    if (line.key == key) return line.value;
  return {};
}

}  // namespace podwright::test
