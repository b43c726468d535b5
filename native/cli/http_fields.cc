#include "cli/http_fields.h"

#include <arpa/inet.h>
#include <event2/util.h>

#include <algorithm>
#include <array>
#include <limits>

namespace podwright::cli {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The text before the next `mark`, which it takes off `rest` together with the mark.
std::string_view take_until(char mark, std::string_view& rest) {
  const std::size_t at = std::min(rest.find(mark), rest.size());
  const std::string_view taken = without_blanks(rest.substr(0, at));
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return taken;
}

bool is_word(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(), [](char given, char wanted) {
    return (given >= 'A' && given <= 'Z' ? given + 32 : given) == wanted;
  });
}

/// A weight in thousandths (section 12.4.2); 0, which refuses, where it is not one.
int weight_of(std::string_view parameter) {
  if (parameter.empty()) return 1000;
  const std::string_view name = take_until('=', parameter);
  if (!is_word(name, "q") || parameter.empty() || parameter.size() > 5 || parameter[0] < '0' || parameter[0] > '1')
    return 0;
  if (parameter.size() > 1 && parameter[1] != '.') return 0;
  int thousandths = 0;
  for (std::size_t i = 2, unit = 100; i < parameter.size(); ++i, unit /= 10) {
    if (!is_digit(parameter[i])) return 0;
    thousandths += static_cast<int>(unit) * (parameter[i] - '0');
  }
  const int weight = 1000 * (parameter[0] - '0') + thousandths;
  return weight <= 1000 ? weight : 0;
}

/// A number of digits alone, or nothing.
std::optional<std::int64_t> count_in(std::string_view text) {
  std::int64_t count = 0;
  for (const char letter : text) {
    if (!is_digit(letter) || count > std::numeric_limits<std::int64_t>::max() / 10 - 1) return std::nullopt;
    count = 10 * count + (letter - '0');
  }
  return text.empty() ? std::nullopt : std::optional(count);
}

}  // namespace

std::vector<ContentCoding> accepted_codings(std::optional<std::string_view> accept_encoding) {
  if (!accept_encoding) return {kIdentity};
  constexpr std::array kCodings = {kBrotli, kGzip, kIdentity};
  std::array<std::optional<int>, kCodings.size()> weights;
  std::optional<int> of_others;
  for (std::string_view rest = *accept_encoding; !rest.empty();) {
    std::string_view element = take_until(',', rest);
    const std::string_view name = take_until(';', element);
    const int weight = weight_of(without_blanks(element));
    if (name == "*") of_others = weight;
    for (std::size_t i = 0; i < kCodings.size(); ++i)
      if (is_word(name, kCodings[i].name)) weights[i] = weight;
  }
  // The file as it is needs no mention, and is wanted less than whatever has one.
  const std::array unnamed = {of_others.value_or(0), of_others.value_or(0), of_others.value_or(1)};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < kCodings.size(); ++i) {
    weights[i] = weights[i].value_or(unnamed[i]);
    if (*weights[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](auto one, auto other) { return *weights[one] > *weights[other]; });
  std::vector<ContentCoding> codings;
  for (const std::size_t i : order) codings.push_back(kCodings[i]);
  return codings;
}

bool is_tag_among(std::string_view tag, std::string_view entity_tags) {
  if (without_blanks(entity_tags) == "*") return true;
  for (std::string_view rest = entity_tags; !rest.empty();) {
    std::string_view one = take_until(',', rest);
    if (one.substr(0, 2) == "W/") one.remove_prefix(2);
    if (one == tag) return true;
  }
  return false;
}

bool is_meant(std::string_view host, const HostNames& names) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  const std::string name(host);
  const auto is_name = [&](const std::string& one) { return evutil_ascii_strcasecmp(one.c_str(), name.c_str()) == 0; };
  if (is_name("localhost") || is_name("127.0.0.1") || is_name("::1")) return true;
  if (std::any_of(names.more.begin(), names.more.end(), is_name)) return true;
  in6_addr address{};
  const auto is_address = [&](int family) { return inet_pton(family, name.c_str(), &address) == 1; };
  return names.any_address && (is_address(AF_INET) || is_address(AF_INET6));
}

bool is_named_by_content(std::string_view folder, std::string_view stem) {
  constexpr std::size_t kBundlersDigest = 8;
  constexpr std::size_t kHexDigest = 16;
  const auto is_hex = [](char one) { return is_digit(one) || (one >= 'a' && one <= 'f'); };
  const auto is_of_base64 = [](char one) {
    return is_digit(one) || (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || one == '-' || one == '_';
  };
  if (folder == "assets" && stem.size() > kBundlersDigest && stem[stem.size() - kBundlersDigest - 1] == '-' &&
      std::all_of(stem.end() - kBundlersDigest, stem.end(), is_of_base64))
    return true;
  const std::size_t mark = stem.find_last_of("-.");
  const std::string_view last = stem.substr(mark == std::string_view::npos ? stem.size() : mark + 1);
  return last.size() >= kHexDigest && std::all_of(last.begin(), last.end(), is_hex);
}

bool has_one_end(std::optional<std::string_view> content_length, std::optional<std::string_view> transfer_encoding) {
  if (transfer_encoding) return !content_length && is_word(*transfer_encoding, "chunked");
  return !content_length || count_in(*content_length).has_value();
}

std::string http_date(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 64> text{};
  evutil_date_rfc1123(text.data(), text.size(), &parts);
  return text.data();
}

std::optional<std::time_t> time_of_http_date(const std::string& date) {
  std::tm parts{};
  const char* end = strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return timegm(&parts);
}

RangeAsked range_asked(std::string_view range, std::int64_t size, ByteRange& part) {
  const std::string_view unit = take_until('=', range);
  if (!is_word(unit, "bytes") || range.find(',') != std::string_view::npos) return RangeAsked::kNone;
  const std::string_view before = take_until('-', range);
  const std::string_view after = without_blanks(range);
  const std::optional<std::int64_t> first = count_in(before);
  const std::optional<std::int64_t> last = count_in(after);
  if (before.empty() && last) {  // so many at the end
    if (*last == 0 || size == 0) return RangeAsked::kOutside;
    part = {.first = std::max<std::int64_t>(size - *last, 0), .count = std::min(*last, size)};
    return RangeAsked::kPart;
  }
  if (!first || (!last && !after.empty()) || (last && *last < *first)) return RangeAsked::kNone;
  if (*first >= size) return RangeAsked::kOutside;
  part = {.first = *first, .count = std::min(last.value_or(size - 1), size - 1) - *first + 1};
  return RangeAsked::kPart;
}

}  // namespace podwright::cli
