#include "measure/identifiers.h"

#include <set>
#include <string>

#include "base/lower_case.h"
#include "measure/foreign_parts.h"

namespace podwright {
namespace {

using Found = std::array<std::set<std::string, std::less<>>, kIdentifierWords.size()>;

void add(Found& found, IdentifierKind kind, std::string_view value) {
  found[static_cast<std::size_t>(kind)].emplace(value);
}

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Length of the shape at the start of `text`: x stands for a hexadecimal digit; 0 where it is another.
std::size_t shape_at(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return 0;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'x' ? !is_hex(text[i]) : text[i] != shape[i]) return 0;
  const bool goes_on = text.size() > shape.size() && (is_word(text[shape.size()]) || text[shape.size()] == shape[2]);
  return goes_on ? 0 : shape.size();
}

/// Four numbers up to 255 without leading zeros, as versions have them; 0 for anything else and for the machine itself.
std::size_t address_at(std::string_view text) {
  std::size_t at = 0;
  for (int part = 0; part < 4; ++part) {
    const std::size_t begin = at;
    int value = 0;
    while (at < text.size() && is_digit(text[at]) && at - begin < 4) value = value * 10 + (text[at++] - '0');
    if (at == begin || value > 255 || (at - begin > 1 && text[begin] == '0')) return 0;
    if (part == 3) break;
    if (at >= text.size() || text[at++] != '.') return 0;
  }
  if (at < text.size() && (is_word(text[at]) || text[at] == '.')) return 0;
  const std::string_view address = text.substr(0, at);
  return address.substr(0, 4) == "127." || address == "0.0.0.0" ? 0 : at;
}

void find_shapes(std::string_view text, Found& found) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && (is_word(text[i - 1]) || text[i - 1] == '.' || text[i - 1] == ':')) continue;
    const std::string_view rest = text.substr(i);
    if (const std::size_t uuid = shape_at(rest, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"))
      add(found, IdentifierKind::uuid, rest.substr(0, uuid));
    if (const std::size_t mac = shape_at(rest, "xx:xx:xx:xx:xx:xx"))
      add(found, IdentifierKind::mac_address, rest.substr(0, mac));
    if (const std::size_t address = address_at(rest)) add(found, IdentifierKind::ip_address, rest.substr(0, address));
  }
}

/// Folders of users: "/home/<name>".
void find_users(std::string_view text, Found& found) {
  for (const std::string_view root : {"/home/", "/Users/"})
    for (std::size_t at = text.find(root); at != std::string_view::npos; at = text.find(root, at + 1)) {
      std::size_t end = at + root.size();
      while (end < text.size() && (is_word(text[end]) || text[end] == '-' || text[end] == '.')) ++end;
      if (end > at + root.size())
        add(found, IdentifierKind::user_name, text.substr(at + root.size(), end - at - root.size()));
    }
}

void take_named(std::string_view name, std::string_view value, Found& found) {
  const std::string word = lower_case(std::string(name));
  const std::string_view body = trimmed(value);
  if (body.empty() || body == "N/A" || body == "null" || body.size() > 200) return;
  if (word.ends_with("serial") || word.ends_with("serial_number") || word.ends_with("serial_num"))
    add(found, IdentifierKind::serial_number, body);
  if (word.ends_with("hostname") || word.ends_with("host_name") || word.ends_with("node_name"))
    add(found, IdentifierKind::host_name, body);
  if (word.ends_with("uuid")) {
    // One that has the shape was found by it.
    Found shaped;
    find_shapes(body, shaped);
    if (shaped[static_cast<std::size_t>(IdentifierKind::uuid)].empty()) add(found, IdentifierKind::uuid, body);
  }
}

/// <name>value</name>
void find_elements(std::string_view text, Found& found) {
  for (std::size_t open = text.find('<'); open != std::string_view::npos; open = text.find('<', open + 1)) {
    const std::size_t end = text.find_first_of("<>", open + 1);
    if (end == std::string_view::npos || text[end] == '<') continue;
    const std::size_t close = text.find('<', end);
    if (close != std::string_view::npos)
      take_named(text.substr(open + 1, end - open - 1), text.substr(end + 1, close - end - 1), found);
  }
}

/// "name": "value"
void find_members(std::string_view text, Found& found) {
  for (std::size_t colon = text.find("\":"); colon != std::string_view::npos; colon = text.find("\":", colon + 1)) {
    const std::size_t begin = colon == 0 ? std::string_view::npos : text.rfind('"', colon - 1);
    const std::size_t value = text.find_first_not_of(" \t", colon + 2);
    if (begin == std::string_view::npos || value == std::string_view::npos || text[value] != '"') continue;
    const std::size_t end = text.find('"', value + 1);
    if (end != std::string_view::npos)
      take_named(text.substr(begin + 1, colon - begin - 1), text.substr(value + 1, end - value - 1), found);
  }
}

/// nvbandwidth: "0: NVIDIA H100 80GB HBM3 (00000000:18:00): (<host>)"
void find_device_hosts(std::string_view text, Found& found) {
  constexpr std::string_view kBefore = "): (";
  for (std::size_t at = text.find(kBefore); at != std::string_view::npos; at = text.find(kBefore, at + 1)) {
    const std::string_view rest = text.substr(at + kBefore.size());
    const std::size_t end = rest.find_first_of(")\"\n");
    if (end != std::string_view::npos && end > 0 && rest[end] == ')')
      add(found, IdentifierKind::host_name, rest.substr(0, end));
  }
}

/// nccl-tests: "#  Rank  0 Group  0 Pid 100 on <host> device  0 ..."
void find_ranks(std::string_view text, Found& found) {
  for (std::size_t at = text.find("Pid "); at != std::string_view::npos; at = text.find("Pid ", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::size_t begin = line.find(" on ");
    const std::size_t end = line.find(" device ");
    if (begin != std::string_view::npos && end != std::string_view::npos && end > begin + 4)
      add(found, IdentifierKind::host_name, trimmed(line.substr(begin + 4, end - begin - 4)));
  }
}

}  // namespace

std::vector<IdentifierCount> identifiers_in(std::string_view text) {
  Found found;
  find_shapes(text, found);
  find_users(text, found);
  find_elements(text, found);
  find_members(text, found);
  find_ranks(text, found);
  if (text.find("\"nvbandwidth\"") != std::string_view::npos) find_device_hosts(text, found);
  std::vector<IdentifierCount> counts;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!found[i].empty()) counts.push_back({static_cast<IdentifierKind>(i), static_cast<int>(found[i].size())});
  return counts;
}

std::string without_identifiers(std::string_view text) {
  constexpr std::string_view kHidden = "(hidden)";
  Found found;
  find_shapes(text, found);
  find_users(text, found);
  std::string plain(text);
  for (const auto& values : found)
    for (const std::string& value : values)
      for (std::size_t at = plain.find(value); at != std::string::npos; at = plain.find(value, at + kHidden.size()))
        plain.replace(at, value.size(), kHidden);
  return plain;
}

}  // namespace podwright
