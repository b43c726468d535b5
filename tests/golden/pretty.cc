#include "golden/pretty.h"

#include <cstddef>

namespace golden {
namespace {

constexpr std::size_t kWidth = 120;

/// The quote that closes the text beginning at `at`.
std::size_t end_of_text(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at)
    if (json[at] == '\\') ++at;
  return at;
}

/// The comma or bracket that follows the member beginning at `at`.
std::size_t end_of_member(std::string_view json, std::size_t at) {
  for (int depth = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') at = end_of_text(json, at);
    if (c == '{' || c == '[') ++depth;
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '}' || c == ']') --depth;
  }
  return at;
}

/// A value, or a key with its value.
void write(std::string& out, std::string_view member, std::size_t indent) {
  std::size_t value = 0;
  if (member.front() == '"') {
    const std::size_t key_end = end_of_text(member, 0);
    if (key_end + 1 < member.size()) value = key_end + 2;
  }
  const bool is_group = member[value] == '{' || member[value] == '[';
  out.append(indent, ' ');
  if (!is_group || indent + member.size() < kWidth) {
    out += member;
    return;
  }
  out += member.substr(0, value + 1);
  for (std::size_t at = value + 1; at < member.size();) {
    const std::size_t end = end_of_member(member, at);
    out += '\n';
    write(out, member.substr(at, end - at), indent + 2);
    if (member[end] == ',') out += ',';
    at = end + 1;
  }
  out += '\n';
  out.append(indent, ' ');
  out += member.back();
}

}  // namespace

std::string pretty(std::string_view json) {
  std::string out;
  write(out, json, 0);
  return out + '\n';
}

}  // namespace golden
