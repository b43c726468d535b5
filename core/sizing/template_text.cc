#include "sizing/template_text.h"

#include <algorithm>
#include <vector>

#include "base/result.h"

namespace podwright::sizing {
namespace {

/// The lines of a text, without what ends them.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

const std::string& value_at(const Places& places, std::string_view place) {
  const auto found = places.find(place);
  PODWRIGHT_ASSERT(found != places.end());
  return found->second;
}

void add_line(std::string_view line, const Places& places, std::string& out) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (line.substr(indent, 2) == "{{" && line.find("}}") + 2 == line.size()) {
    for (const std::string_view each : lines_of(value_at(places, line.substr(indent + 2, line.size() - indent - 4))))
      out.append(each.empty() ? 0 : indent, ' ').append(each).append("\n");
    return;
  }
  for (std::size_t at = line.find("{{"); at != std::string_view::npos; at = line.find("{{")) {
    const std::size_t end = line.find("}}", at);
    out.append(line.substr(0, at)).append(value_at(places, line.substr(at + 2, end - at - 2)));
    line.remove_prefix(end + 2);
  }
  out.append(line).append("\n");
}

}  // namespace

std::string filled(std::span<const EmbeddedText> files, std::string_view file, const Places& places) {
  std::string out;
  for (const EmbeddedText& part : files)
    if (part.path == file)
      for (const std::string_view line : lines_of(part.text)) add_line(line, places, out);
  PODWRIGHT_ASSERT(!out.empty());
  return out;
}

std::string with_doubled_dollars(std::string_view text) {
  std::string out;
  for (const char c : text) out.append(c == '$' ? 2 : 1, c);
  return out;
}

}  // namespace podwright::sizing
