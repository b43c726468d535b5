#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>

#include "cli/api_server.h"
#include "cli/command.h"
#include "cli/http_fields.h"

namespace podwright::cli {
namespace {
namespace fs = std::filesystem;

constexpr const char* kLoopback = "127.0.0.1";
/// Bytes of the first line and the fields of an HTTP request; what is longer ends its connection.
constexpr ev_ssize_t kHeadLimit = 65536;
/// Seconds that a connection may say nothing.
constexpr int kPatience = 60;

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

/// The file that an address asks for; empty where the address leads out of the folder.
fs::path file_of(const fs::path& folder, const char* address) {
  std::size_t length = 0;
  const std::unique_ptr<char, decltype(&std::free)> decoded(evhttp_uridecode(address, 0, &length), std::free);
  if (decoded == nullptr || std::strlen(decoded.get()) != length) return {};
  const fs::path asked = fs::path(decoded.get()).relative_path();
  for (const fs::path& part : asked)
    if (part == "..") return {};
  return folder / (asked.has_filename() ? asked : asked / "index.html");
}

/// A file that is open, and what is known of it.
struct OpenFile {
  int descriptor = -1;
  struct stat facts {};

  explicit OpenFile(const fs::path& path) : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor >= 0 && (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode))) close_now();
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
  void close_now() {
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }
};

/// The field of that name, its lines joined; empty where there is none.
std::optional<std::string> field_of(evhttp_request* request, const char* name) {
  std::optional<std::string> joined;
  const evkeyvalq* headers = evhttp_request_get_input_headers(request);
  for (const evkeyval* line = headers->tqh_first; line != nullptr; line = line->next.tqe_next)
    if (evutil_ascii_strcasecmp(line->key, name) == 0) joined = joined ? *joined + ", " + line->value : line->value;
  return joined;
}

/// Another for each content, as far as size and time tell contents apart, and for each form of it.
std::string tag_of(const OpenFile& file, const ContentCoding& coding) {
  std::ostringstream text;
  text << '"' << std::hex << file.facts.st_size << '-' << file.facts.st_mtim.tv_sec << '.' << file.facts.st_mtim.tv_nsec
       << '-' << coding.name << '"';
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
void send_form(evhttp_request* request, OpenFile& file, const ContentCoding& coding) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  const auto add = [headers](const char* name, const std::string& value) {
    evhttp_add_header(headers, name, value.c_str());
  };
  const std::string tag = tag_of(file, coding);
  const std::time_t modified = file.facts.st_mtim.tv_sec;
  add("ETag", tag);
  add("Last-Modified", http_date(modified));
  // Kept, and asked for again each time: another build may stand in the folder.
  add("Cache-Control", "no-cache");
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

/// Sends the file that is asked for in the form that the client wants most of those that are there, or "not found".
void send_file(evhttp_request* request, void* folder) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
  evhttp_add_header(headers, "Referrer-Policy", "no-referrer");
  const char* address = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request));
  const fs::path path = file_of(*static_cast<const fs::path*>(folder), address == nullptr ? "/" : address);
  const OpenFile plain(path);
  if (!plain) {
    evhttp_add_header(headers, "Content-Type", "text/plain");
    return evhttp_send_reply(request, HTTP_NOTFOUND, "Not Found", nullptr);
  }
  evhttp_add_header(headers, "Vary", "Accept-Encoding");
  for (const ContentCoding& coding : accepted_codings(field_of(request, "Accept-Encoding"))) {
    OpenFile file(path.string() + coding.ending);
    // A form that was made of an older file is another file's.
    if (!file || file.is_older_than(plain)) continue;
    evhttp_add_header(headers, "Content-Type", kind_of(path));
    return send_form(request, file, coding);
  }
  evhttp_add_header(headers, "Content-Type", "text/plain");
  evhttp_send_reply(request, 406, "Not Acceptable", nullptr);
}

void stop(evutil_socket_t, short, void* loop) { event_base_loopbreak(static_cast<event_base*>(loop)); }

int port_of(evhttp_bound_socket* bound) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(evhttp_bound_socket_get_fd(bound), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&address)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&address)->sin_port);
}

bool is_loopback(const std::string& host) { return host.starts_with("127.") || host == "::1"; }

/// Why a text is not an IPv4 or IPv6 address; empty where it is one.
std::string address_problem(const std::string& text) {
  in6_addr address{};
  for (const int family : {AF_INET, AF_INET6})
    if (inet_pton(family, text.c_str(), &address) == 1) return "";
  return text + " is not an address such as 127.0.0.1, 0.0.0.0 or ::1";
}

/// The site that was built with the program, or installed with it.
std::string default_site(const char* program) {
  std::error_code failed;
  fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (failed) self = program;
  const fs::path folder = self.parent_path().parent_path();
  const fs::path installed = folder / "share/podwright/site";
  return (fs::exists(installed / "index.html", failed) ? installed : folder / "site").string();
}

struct ServeOptions {
  std::string site;
  std::string catalog;
  std::string host = kLoopback;
  int port = 0;
  bool api = false;
  ApiOptions limits;
};

/// What a server answers: the API where it is asked for, and the site where it was built.
struct Served {
  fs::path site;
  ApiServer* api = nullptr;
};

void send(evhttp_request* request, void* of) {
  auto& served = *static_cast<Served*>(of);
  if (served.api != nullptr && served.api->answers(request)) return;
  const evhttp_cmd_type method = evhttp_request_get_command(request);
  if (method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD) return send_file(request, &served.site);
  evhttp_add_header(evhttp_request_get_output_headers(request), "Allow", "GET, HEAD");
  evhttp_send_reply(request, HTTP_BADMETHOD, "Method Not Allowed", nullptr);
}

/// No descriptor is left for another connection: those that wait are taken when others may have ended.
void pause_listening(evconnlistener* listener, void*) {
  const auto go_on = [](evutil_socket_t, short, void* of) { evconnlistener_enable(static_cast<evconnlistener*>(of)); };
  const timeval soon{.tv_sec = 0, .tv_usec = 100'000};
  evconnlistener_disable(listener);
  if (event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, go_on, listener, &soon) != 0)
    evconnlistener_enable(listener);
}

/// Says at which address it is, or why it is nowhere.
bool listen(evhttp& server, const ServeOptions& options, const char* what) {
  const auto port = static_cast<ev_uint16_t>(options.port);
  evhttp_bound_socket* bound = evhttp_bind_socket_with_handle(&server, options.host.c_str(), port);
  if (bound == nullptr) {
    std::cerr << "podwright: "
              << (port == 0
                      ? "no port of " + options.host + " can be taken.\n"
                      : "port " + std::to_string(port) + " is taken. Name another one with --port, or leave it out.\n");
    return false;
  }
  evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(bound), pause_listening);
  const bool is_v6 = options.host.find(':') != std::string::npos;
  std::cout << what << " is at http://" << (is_v6 ? "[" + options.host + "]" : options.host) << ':' << port_of(bound)
            << "/ (stop with Ctrl-C)" << std::endl;
  return true;
}

/// Serves the site, the API or both until it is stopped.
int serve(const ServeOptions& options) {
  const bool has_site = fs::exists(fs::path(options.site) / "index.html");
  if (!has_site && !options.api) {
    std::cerr << "podwright: there is no site in " << options.site
              << ". Build it with ./dev build, or name its folder with --site.\n";
    return kEnvironment;
  }
  const Catalog* catalog = options.api ? load_catalog(options.catalog) : nullptr;
  if (options.api && catalog == nullptr) return kWrongInput;
  const std::unique_ptr<event_base, decltype(&event_base_free)> loop(event_base_new(), event_base_free);
  std::optional<ApiServer> api;
  // Connections that end tell the API, so that it outlives them.
  const std::unique_ptr<evhttp, decltype(&evhttp_free)> server(evhttp_new(loop.get()), evhttp_free);
  Served served{.site = options.site};
  evhttp_set_allowed_methods(server.get(), EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
  if (options.api) {
    served.api = &api.emplace(loop.get(), *catalog, options.limits);
    evhttp_set_allowed_methods(server.get(), EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST | EVHTTP_REQ_OPTIONS);
    // The API says that a body is too large; of one twice that size nothing more is read.
    evhttp_set_max_body_size(server.get(), static_cast<ev_ssize_t>(options.limits.body_limit_mb * 2e6));
  }
  evhttp_set_max_headers_size(server.get(), kHeadLimit);
  evhttp_set_timeout(server.get(), kPatience);
  evhttp_set_gencb(server.get(), send, &served);
  using Event = std::unique_ptr<event, decltype(&event_free)>;
  const Event interrupted(evsignal_new(loop.get(), SIGINT, stop, loop.get()), event_free);
  const Event ended(evsignal_new(loop.get(), SIGTERM, stop, loop.get()), event_free);
  for (const Event& signal : {std::cref(interrupted), std::cref(ended)}) event_add(signal.get(), nullptr);
  // A browser that goes away in the middle of a file ends its connection, not the program.
  std::signal(SIGPIPE, SIG_IGN);
  if (!listen(*server, options, has_site ? "The site" : "The API")) return kEnvironment;
  event_base_dispatch(loop.get());
  return kAnswer;
}

}  // namespace

void add_serve_command(CommandLine& line) {
  const auto options = std::make_shared<ServeOptions>();
  options->site = default_site(line.words[0]);
  options->limits.at_once = std::max(1U, std::thread::hardware_concurrency());
  CLI::App* command = line.app.add_subcommand("serve", "The static site, and the engine over HTTP, on this machine");
  command->footer("Example:\n  podwright serve --port 8080\n  podwright serve --api");
  command->add_option("--port", options->port, "Port; 0 takes a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--site", options->site, "Folder of the site");
  command->add_option("--host", options->host, "Address to listen on; 0.0.0.0 is every one of this machine")
      ->check(address_problem)
      ->capture_default_str();
  CLI::Option* api = command->add_flag("--api", options->api, "Answer requests: POST /v1/answer, GET /v1/openapi.json");
  command->add_option("--catalog", options->catalog, "Folder whose files come on top of the built-in catalog")
      ->type_name("DIR")
      ->needs(api);
  command->add_option("--cors", options->limits.cors, "Origins whose pages may read answers; * is all")
      ->type_name("ORIGIN")
      ->needs(api);
  command->add_option("--time-limit", options->limits.time_limit_s, "Time for an answer, s")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str()
      ->needs(api);
  command->add_option("--body-limit", options->limits.body_limit_mb, "Largest request, MB")
      ->check(CLI::Range(0.001, 1024.0))
      ->capture_default_str()
      ->needs(api);
  command->add_option("--at-once", options->limits.at_once, "Answers worked out at the same time; default: processors")
      ->check(CLI::Range(1, 4096))
      ->needs(api);
  command->callback([&line, options] {
    options->limits.any_host = !is_loopback(options->host);
    line.exit_code = serve(*options);
  });
}

}  // namespace podwright::cli
