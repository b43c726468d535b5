#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/command.h"

namespace podwright::cli {
namespace {
namespace fs = std::filesystem;

constexpr const char* kLoopback = "127.0.0.1";

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

/// Sends the file that is asked for, or "not found".
void send_file(evhttp_request* request, void* folder) {
  evkeyvalq* headers = evhttp_request_get_output_headers(request);
  evhttp_add_header(headers, "X-Content-Type-Options", "nosniff");
  evhttp_add_header(headers, "Referrer-Policy", "no-referrer");
  const char* address = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request));
  const fs::path file = file_of(*static_cast<const fs::path*>(folder), address == nullptr ? "/" : address);
  const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat facts {};
  if (opened < 0 || fstat(opened, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    if (opened >= 0) close(opened);
    evhttp_add_header(headers, "Content-Type", "text/plain");
    evhttp_send_reply(request, HTTP_NOTFOUND, "Not Found", nullptr);
    return;
  }
  evhttp_add_header(headers, "Content-Type", kind_of(file));
  evhttp_add_header(headers, "Content-Length", std::to_string(facts.st_size).c_str());
  evbuffer* body = evhttp_request_get_output_buffer(request);
  if (facts.st_size == 0 || evhttp_request_get_command(request) == EVHTTP_REQ_HEAD ||
      evbuffer_add_file(body, opened, 0, facts.st_size) != 0)
    close(opened);
  evhttp_send_reply(request, HTTP_OK, "OK", nullptr);
}

void stop(evutil_socket_t, short, void* loop) { event_base_loopbreak(static_cast<event_base*>(loop)); }

int port_of(evhttp_bound_socket* bound) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(evhttp_bound_socket_get_fd(bound), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

/// The site that was built beside the program.
std::string default_site(const char* program) {
  std::error_code failed;
  fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (failed) self = program;
  return (self.parent_path().parent_path() / "site").string();
}

/// Serves the static site in `folder` on the loopback interface until it is stopped.
int serve(const std::string& folder, int port) {
  fs::path site(folder);
  if (!fs::exists(site / "index.html")) {
    std::cerr << "podwright: there is no site in " << folder
              << ". Build it with ./dev build, or name its folder with --site.\n";
    return kEnvironment;
  }
  const std::unique_ptr<event_base, decltype(&event_base_free)> loop(event_base_new(), event_base_free);
  const std::unique_ptr<evhttp, decltype(&evhttp_free)> server(evhttp_new(loop.get()), evhttp_free);
  evhttp_set_allowed_methods(server.get(), EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
  evhttp_set_gencb(server.get(), send_file, &site);
  evhttp_bound_socket* bound = evhttp_bind_socket_with_handle(server.get(), kLoopback, static_cast<ev_uint16_t>(port));
  if (bound == nullptr) {
    std::cerr << "podwright: "
              << (port == 0
                      ? "no port of " + std::string(kLoopback) + " can be taken.\n"
                      : "port " + std::to_string(port) + " is taken. Name another one with --port, or leave it out.\n");
    return kEnvironment;
  }
  using Event = std::unique_ptr<event, decltype(&event_free)>;
  const Event interrupted(evsignal_new(loop.get(), SIGINT, stop, loop.get()), event_free);
  const Event ended(evsignal_new(loop.get(), SIGTERM, stop, loop.get()), event_free);
  for (const Event& signal : {std::cref(interrupted), std::cref(ended)}) event_add(signal.get(), nullptr);
  // A browser that goes away in the middle of a file ends its connection, not the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::cout << "The site is at http://" << kLoopback << ':' << port_of(bound) << "/ (stop with Ctrl-C)" << std::endl;
  event_base_dispatch(loop.get());
  return kAnswer;
}

}  // namespace

void add_serve_command(CommandLine& line) {
  struct Options {
    std::string site;
    int port = 0;
  };
  const auto options = std::make_shared<Options>();
  options->site = default_site(line.words[0]);
  CLI::App* command = line.app.add_subcommand("serve", "The static site on the loopback interface");
  command->footer("Example:\n  podwright serve --port 8080");
  command->add_option("--port", options->port, "Port; 0 takes a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--site", options->site, "Folder of the site");
  command->callback([&line, options] { line.exit_code = serve(options->site, options->port); });
}

}  // namespace podwright::cli
