#include "cli/site_files.h"

#include <event2/buffer.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <tuple>

#include "cli/http_fields.h"
#include "cli/http_reply.h"

namespace podwright::cli {
namespace {
namespace fs = std::filesystem;

/// What the site's files are; browsers refuse scripts and the engine under another name.
constexpr std::pair<const char*, const char*> kKinds[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript"},
    {".mjs", "text/javascript"},
    {".json", "application/json"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".webmanifest", "application/manifest+json"},
    {".png", "image/png"},
    {".txt", "text/plain; charset=utf-8"},
};

const char* kind_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  for (const auto& [name, kind] : kKinds)
    if (extension == name) return kind;
  return "application/octet-stream";
}

/// The file that an address asks for; empty where the address leads out of the folder or to what is hidden in it.
fs::path file_of(const fs::path& folder, const char* address) {
  std::size_t length = 0;
  const std::unique_ptr<char, decltype(&std::free)> decoded(evhttp_uridecode(address, 0, &length), std::free);
  if (decoded == nullptr || std::strlen(decoded.get()) != length) return {};
  const fs::path asked = fs::path(decoded.get()).relative_path();
  for (const fs::path& part : asked)
    if (part.native().starts_with('.') && part != ".") return {};
  return folder / (asked.has_filename() ? asked : asked / "index.html");
}

/// A file that is open, and what is known of it.
struct OpenFile {
  int descriptor = -1;
  bool is_lost = false;  ///< there was no descriptor left
  struct stat facts {};

  /// Closed again where it is no file, or lies outside `folder`, to which a link may lead.
  OpenFile(const fs::path& path, const fs::path& folder)
      // A pipe without a writer must not keep everyone waiting.
      : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    is_lost = descriptor < 0 && (errno == EMFILE || errno == ENFILE);
    if (descriptor < 0) return;
    if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode) || !is_inside(path, folder)) close_now();
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close_now(); }

  explicit operator bool() const { return descriptor >= 0; }
  bool is_older_than(const OpenFile& other) const {
    const timespec &own = facts.st_mtim, &others = other.facts.st_mtim;
    return std::tie(own.tv_sec, own.tv_nsec) < std::tie(others.tv_sec, others.tv_nsec);
  }
  /// What is in it from `part` on goes to `body`, which then owns it.
  void send(const ByteRange& part, evbuffer* body) {
    if (part.count > 0 && evbuffer_add_file(body, descriptor, part.first, part.count) == 0) descriptor = -1;
  }

 private:
  /// Whether it is a file of the folder that is not hidden, under the name that is left when links are followed.
  bool is_inside(const fs::path& path, const fs::path& folder) const {
    std::error_code failed;
    const fs::path own = fs::canonical(path, failed);
    const fs::path whole = failed ? fs::path() : fs::canonical(folder, failed);
    struct stat found {};
    return !failed && own.native().starts_with((whole / "").native()) &&
           own.native().find("/.", whole.native().size()) == std::string::npos && lstat(own.c_str(), &found) == 0 &&
           found.st_dev == facts.st_dev && found.st_ino == facts.st_ino;
  }
  void close_now() {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }
};

/// Another for each content and for each form of it: whoever writes a file changes its ctime, and cannot set it, while
/// the files of an archive may have one mtime in all its versions.
std::string tag_of(const OpenFile& file, const ContentCoding& coding) {
  std::ostringstream text;
  text << '"' << std::hex << file.facts.st_ino << '-' << file.facts.st_size << '-' << file.facts.st_ctim.tv_sec << '.'
       << file.facts.st_ctim.tv_nsec << '-' << coding.name << '"';
  return text.str();
}

/// Whether the client has what it asks for (RFC 9110, section 13.2.2).
bool is_kept(evhttp_request* request, const std::string& tag, std::time_t modified) {
  if (const auto tags = field_of(request, "If-None-Match")) return is_tag_among(tag, *tags);
  const auto since = field_of(request, "If-Modified-Since");
  const auto time = since ? time_of_http_date(*since) : std::nullopt;
  return time && modified <= *time;
}

/// Whether a part of the file fits what the client has of it.
bool fits_kept_part(evhttp_request* request, const std::string& tag, std::time_t modified) {
  const auto kept = field_of(request, "If-Range");
  return !kept || *kept == tag || *kept == http_date(modified);
}

/// Sends the file in the form `coding`, or the part of it that is asked for, or that the client has it.
void send_form(evhttp_request* request, OpenFile& file, const fs::path& path, const ContentCoding& coding) {
  const auto add = [request](const char* name, const std::string& value) { add_field(request, name, value); };
  const std::string tag = tag_of(file, coding);
  const std::time_t modified = file.facts.st_mtim.tv_sec;
  add("ETag", tag);
  add("Last-Modified", http_date(modified));
  // What is not named by its content is kept and asked for again each time: another build may be in the folder.
  add("Cache-Control", is_named_by_content(path.parent_path().filename().native(), path.stem().native())
                           ? "public, max-age=31536000, immutable"
                           : "no-cache");
  if (is_kept(request, tag, modified)) return evhttp_send_reply(request, HTTP_NOTMODIFIED, "Not Modified", nullptr);
  ByteRange part{.first = 0, .count = file.facts.st_size};
  RangeAsked asked = RangeAsked::kNone;
  const bool wants_head = evhttp_request_get_command(request) == EVHTTP_REQ_HEAD;
  if (coding.name == kIdentity.name) {
    add("Accept-Ranges", "bytes");
    const auto range = field_of(request, "Range");
    if (range && !wants_head && fits_kept_part(request, tag, modified))
      asked = range_asked(*range, file.facts.st_size, part);
  } else {
    add("Content-Encoding", std::string(coding.name));
  }
  const std::string size = std::to_string(file.facts.st_size);
  if (asked == RangeAsked::kOutside) {
    add("Content-Range", "bytes */" + size);
    return evhttp_send_reply(request, 416, "Range Not Satisfiable", nullptr);
  }
  add("Content-Length", std::to_string(part.count));
  if (asked == RangeAsked::kPart) {
    const std::string last = std::to_string(part.first + part.count - 1);
    add("Content-Range", "bytes " + std::to_string(part.first) + "-" + last + "/" + size);
  }
  if (!wants_head) file.send(part, evhttp_request_get_output_buffer(request));
  const bool is_part = asked == RangeAsked::kPart;
  evhttp_send_reply(request, is_part ? 206 : HTTP_OK, is_part ? "Partial Content" : "OK", nullptr);
}

/// Replies that there is nothing to send, with no body.
void send_nothing(evhttp_request* request, int status, const char* reason) {
  add_field(request, "Content-Type", "text/plain");
  evhttp_send_reply(request, status, reason, nullptr);
}

}  // namespace

void send_file(evhttp_request* request, const fs::path& folder) {
  const char* address = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request));
  const fs::path path = file_of(folder, address == nullptr ? "/" : address);
  const OpenFile plain(path, folder);
  if (plain.is_lost) return send_nothing(request, HTTP_SERVUNAVAIL, "Service Unavailable");
  if (!plain) return send_nothing(request, HTTP_NOTFOUND, "Not Found");
  add_field(request, "Vary", "Accept-Encoding");
  for (const ContentCoding& coding : accepted_codings(field_of(request, "Accept-Encoding"))) {
    OpenFile file(path.string() + coding.ending, folder);
    // A form that was made of an older file is another file's.
    if (!file || file.is_older_than(plain)) continue;
    add_field(request, "Content-Type", kind_of(path));
    return send_form(request, file, path, coding);
  }
  send_nothing(request, 406, "Not Acceptable");
}

}  // namespace podwright::cli
