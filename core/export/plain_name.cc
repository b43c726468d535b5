#include "export/plain_name.h"

namespace podwright {
namespace {

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

std::string plain_name(std::string_view label) {
  std::string name(label);
  for (char& c : name)
    if (!is_plain(c)) c = '-';
  return name;
}

std::string slug_of(std::string_view name) {
  std::string slug;
  for (char c : plain_name(name)) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c != '-' || (!slug.empty() && slug.back() != '-')) slug += c;
  }
  if (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

}  // namespace podwright
