#include "base/slug.h"

#include "base/digest.h"
#include "base/lower_case.h"

namespace podwright {
namespace {

constexpr std::size_t kDigest = 8;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool is_usual(char c) { return is_plain(c) || std::string_view(" '()+,-./:_").find(c) != std::string_view::npos; }

}  // namespace

std::string plain_name(std::string_view label) {
  std::string name(label);
  for (char& c : name)
    if (!is_plain(c)) c = '-';
  return name;
}

std::string short_digest(std::string_view name) { return sha256_hex(name).substr(0, kDigest); }

std::string slug_of(std::string_view name, std::size_t most) {
  std::string slug;
  for (const std::string& word : words_of(name)) slug += (slug.empty() ? "" : "-") + word;
  bool usual = !slug.empty() && slug.size() <= most;
  for (const char c : name) usual = usual && is_usual(c);
  if (usual) return slug;
  slug = slug.substr(0, most - kDigest - 1);
  if (!slug.empty() && slug.back() != '-') slug += '-';
  return slug + short_digest(name);
}

}  // namespace podwright
