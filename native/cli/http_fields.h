#pragma once
/// What the fields of an HTTP request ask for (RFC 9110), as text in and values out.
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podwright::cli {

/// A form in which a file can be sent, and what the name of the file in that form ends in.
struct ContentCoding {
  std::string_view name;
  const char* ending;
};
inline constexpr ContentCoding kBrotli{"br", ".br"};
inline constexpr ContentCoding kGzip{"gzip", ".gz"};
inline constexpr ContentCoding kIdentity{"identity", ""};

/// The forms that `accept_encoding` (section 12.5.3) accepts, the most wanted first; of equally wanted ones the
/// smallest. Without the field it is the file as it is: who wants another form says so.
std::vector<ContentCoding> accepted_codings(std::optional<std::string_view> accept_encoding);

/// Whether `tag` is one of the list `entity_tags` or that is "*", by weak comparison (section 13.1.2).
bool is_tag_among(std::string_view tag, std::string_view entity_tags);

/// Names and addresses under which a server is asked.
struct HostNames {
  bool any_address = false;         ///< all addresses; else those of the loopback interface that everyone uses
  std::vector<std::string> more{};  ///< next to localhost, 127.0.0.1 and [::1]
};
/// Whether a request to `host`, which has no port, is meant for that server. A page of others can give this machine's
/// address a name of its own, and then ask as if it were of this site; it cannot do that to an address.
bool is_meant(std::string_view host, const HostNames& names);

/// Whether a file has a digest of its content in its name: what the site's bundler writes into `assets`, and names that
/// end in at least 16 hexadecimal digits. `stem` is the name without its last extension.
bool is_named_by_content(std::string_view folder, std::string_view stem);

/// Whether all who read a request see its body end at the same place (RFC 9112, section 6.3): it has one length in
/// digits, or is chunked and nothing else, or has no body. Both fields with their lines joined.
bool has_one_end(std::optional<std::string_view> content_length, std::optional<std::string_view> transfer_encoding);

std::string http_date(std::time_t time);
/// Empty where the text is not a date in the form that http_date() writes.
std::optional<std::time_t> time_of_http_date(const std::string& date);

/// Bytes of a file: `first` is below its size, and there is at least one.
struct ByteRange {
  std::int64_t first;
  std::int64_t count;
};
enum class RangeAsked { kNone, kPart, kOutside };
/// What a field Range asks of a file of `size` bytes (section 14.1.2). Of several ranges, and of units other than
/// bytes, nothing is asked: the whole file answers them.
RangeAsked range_asked(std::string_view range, std::int64_t size, ByteRange& part);

}  // namespace podwright::cli
