#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "cli/api_server.h"
#include "cli/command.h"
#include "cli/http_connections.h"
#include "cli/http_fields.h"
#include "cli/http_reply.h"
#include "cli/site_files.h"

namespace podwright::cli {
namespace {
namespace fs = std::filesystem;

constexpr const char* kLoopback = "127.0.0.1";
/// Bytes of the first line and the fields of an HTTP request; what is longer ends its connection.
constexpr ev_ssize_t kHeadLimit = 16384;
/// Connections that the kernel keeps until they are accepted.
constexpr int kBacklog = 1024;
/// What the kernel may keep of an answer until its client takes it.
constexpr int kSendBuffer = 128 << 10;
/// Descriptors of the program itself.
constexpr rlim_t kOwnDescriptors = 64;

void stop(evutil_socket_t, short, void* loop) { event_base_loopbreak(static_cast<event_base*>(loop)); }

/// An address and a port as the kernel takes and gives them.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;

  sockaddr* data() { return reinterpret_cast<sockaddr*>(&storage); }
  in_port_t& port() {
    return storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port
                                         : reinterpret_cast<sockaddr_in*>(&storage)->sin_port;
  }
};

SocketAddress address_of(const std::string& host, int port) {
  SocketAddress address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(address.data());
  const bool is_v4 = inet_pton(AF_INET, host.c_str(), &v4->sin_addr) == 1;
  address.size = is_v4 ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  address.storage.ss_family = is_v4 ? AF_INET : AF_INET6;
  if (!is_v4) inet_pton(AF_INET6, host.c_str(), &reinterpret_cast<sockaddr_in6*>(address.data())->sin6_addr);
  address.port() = htons(static_cast<in_port_t>(port));
  return address;
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
  ConnectionLimits connections;
  std::vector<std::string> names;
};

/// What a server answers: the API where it is asked for, and the site where it was built.
struct Served {
  fs::path site;  ///< empty where there is none
  HostNames names{};
  ApiServer* api = nullptr;
  HttpConnections* connections = nullptr;
};

/// Refuses a request that was meant for another server; false where it was not.
bool is_misdirected(evhttp_request* request, const HostNames& names) {
  const char* host = evhttp_request_get_host(request);
  // Of two fields, others may go by the one and this program by the other.
  if (host == nullptr || field_of(request, "Host").value_or("").find(',') != std::string::npos) {
    refuse(request, HTTP_BADREQUEST, "Bad Request", "missing", "The request must have one field Host.");
    return true;
  }
  if (is_meant(host, names)) return false;
  refuse(request, 421, "Misdirected Request", "conflict", "The server does not answer to this host name.",
         "Ask for http://127.0.0.1, or start the server with --host-name and the name.");
  return true;
}

/// Refuses a request whose body others may see end elsewhere, and with it all that follows on its connection.
bool is_ambiguous(evhttp_request* request) {
  if (has_plain_names(request) &&
      has_one_end(field_of(request, "Content-Length"), field_of(request, "Transfer-Encoding")))
    return false;
  add_field(request, "Connection", "close");
  refuse(request, HTTP_BADREQUEST, "Bad Request", "conflict", "The length of the body is not said in one way.",
         "Send one Content-Length in digits, or Transfer-Encoding: chunked alone.");
  return true;
}

void send(evhttp_request* request, void* of) {
  auto& served = *static_cast<Served*>(of);
  served.connections->works_on(request);
  add_guards(request);
  if (is_ambiguous(request) || is_misdirected(request, served.names)) return;
  if (served.api != nullptr && served.api->answers(request)) return;
  const evhttp_cmd_type method = evhttp_request_get_command(request);
  if (served.site.empty()) return refuse_path(request);
  if (method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD) return send_file(request, served.site);
  refuse_method(request, "GET, HEAD");
}

/// No descriptor is left for another connection: those that wait are taken when others may have ended.
void pause_listening(evconnlistener* listener, void*) {
  const auto go_on = [](evutil_socket_t, short, void* of) { evconnlistener_enable(static_cast<evconnlistener*>(of)); };
  const timeval soon{.tv_sec = 0, .tv_usec = 100'000};
  evconnlistener_disable(listener);
  if (event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, go_on, listener, &soon) != 0)
    evconnlistener_enable(listener);
}

std::string bind_problem(const ServeOptions& options) {
  const std::string port = std::to_string(options.port);
  if (errno == EADDRNOTAVAIL) return options.host + " is not an address of this machine.";
  if (errno == EACCES) return "port " + port + " needs more rights. Take one from 1024 on with --port.";
  if (errno == EADDRINUSE && options.port != 0)
    return "port " + port + " is taken. Name another one with --port, or leave it out.";
  return "no port of " + options.host + " can be taken: " + std::strerror(errno) + ".";
}

/// Takes the port, which no other program can have at the same time, and says at which address it is, or why it is
/// nowhere.
bool listen(event_base* loop, evhttp& server, const ServeOptions& options, const char* what) {
  SocketAddress address = address_of(options.host, options.port);
  constexpr unsigned kFlags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE;
  evconnlistener* listener =
      evconnlistener_new_bind(loop, nullptr, nullptr, kFlags, kBacklog, address.data(), static_cast<int>(address.size));
  if (listener == nullptr) {
    std::cerr << "podwright: " << bind_problem(options) << '\n';
    return false;
  }
  setsockopt(evconnlistener_get_fd(listener), SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof kSendBuffer);
  evhttp_bind_listener(&server, listener);
  evconnlistener_set_error_cb(listener, pause_listening);
  getsockname(evconnlistener_get_fd(listener), address.data(), &address.size);
  const bool is_v6 = address.storage.ss_family == AF_INET6;
  std::cout << what << " is at http://" << (is_v6 ? "[" + options.host + "]" : options.host) << ':'
            << ntohs(address.port()) << "/ (stop with Ctrl-C)" << std::endl;
  if (!std::cout) std::cerr << "podwright: the address of the server could not be printed.\n";
  return static_cast<bool>(std::cout);
}

/// Each connection may need a second descriptor, for a file or for the process that answers. Where the system gives
/// fewer than that, there are fewer connections.
ConnectionLimits limits_of(const ServeOptions& options, std::size_t body_limit) {
  ConnectionLimits limits = options.connections;
  rlimit descriptors{};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  const rlim_t wanted = 2 * rlim_t{limits.connections} + kOwnDescriptors;
  if (descriptors.rlim_cur < wanted) {
    descriptors.rlim_cur = std::min(wanted, descriptors.rlim_max);
    setrlimit(RLIMIT_NOFILE, &descriptors);
  }
  const rlim_t most = std::max(descriptors.rlim_cur, kOwnDescriptors + 2) - kOwnDescriptors;
  limits.connections = std::min(limits.connections, static_cast<std::size_t>(most / 2));
  limits.bytes_held = limits.connections * kHeadLimit + static_cast<std::size_t>(kHeldBodies) * body_limit;
  return limits;
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
  Served served{.site = has_site ? options.site : "",
                .names = {.any_address = !is_loopback(options.host), .more = options.names}};
  served.names.more.push_back(options.host);
  // Those that no path takes are refused in the form of all refusals, too.
  evhttp_set_allowed_methods(server.get(), EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST | EVHTTP_REQ_OPTIONS |
                                               EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_PATCH);
  std::size_t body_limit = 0;
  if (options.api) {
    served.api = &api.emplace(loop.get(), *catalog, options.limits);
    // The API says that a body is too large; of one twice that size nothing more is read.
    body_limit = static_cast<std::size_t>(options.limits.body_limit_mb * 2e6);
  }
  evhttp_set_max_body_size(server.get(), static_cast<ev_ssize_t>(body_limit));
  evhttp_set_max_headers_size(server.get(), kHeadLimit);
  evhttp_set_gencb(server.get(), send, &served);
  HttpConnections connections(loop.get(), server.get(), limits_of(options, body_limit));
  served.connections = &connections;
  using Event = std::unique_ptr<event, decltype(&event_free)>;
  const Event interrupted(evsignal_new(loop.get(), SIGINT, stop, loop.get()), event_free);
  const Event ended(evsignal_new(loop.get(), SIGTERM, stop, loop.get()), event_free);
  for (const Event& signal : {std::cref(interrupted), std::cref(ended)}) event_add(signal.get(), nullptr);
  // A browser that goes away in the middle of a file ends its connection, not the program.
  std::signal(SIGPIPE, SIG_IGN);
  if (!listen(loop.get(), *server, options, has_site ? "The site" : "The API")) return kEnvironment;
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
  command->add_option("--host-name", options->names, "Names under which it is asked, next to this machine's own")
      ->type_name("NAME");
  command->add_option("--connections", options->connections.connections, "Connections at a time")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command
      ->add_option("--patience", options->connections.patience_s, "Time that a client may keep a connection waiting, s")
      ->check(number_within(0.1, 86400))
      ->capture_default_str();
  CLI::Option* api = command->add_flag("--api", options->api, "Answer requests: POST /v1/answer, GET /v1/openapi.json");
  command->add_option("--catalog", options->catalog, "Folder whose files come on top of the built-in catalog")
      ->type_name("DIR")
      ->needs(api);
  command->add_option("--cors", options->limits.cors, "Origins whose pages may read answers; * is all")
      ->type_name("ORIGIN")
      ->needs(api);
  command->add_option("--time-limit", options->limits.time_limit_s, "Time for an answer, s")
      ->check(number_within(0.01, 86400))
      ->capture_default_str()
      ->needs(api);
  command->add_option("--body-limit", options->limits.body_limit_mb, "Largest request, MB")
      ->check(number_within(0.001, 1024))
      ->capture_default_str()
      ->needs(api);
  command->add_option("--at-once", options->limits.at_once, "Answers worked out at the same time; default: processors")
      ->check(CLI::Range(1, 4096))
      ->needs(api);
  command->callback([&line, options] { line.exit_code = serve(*options); });
}

}  // namespace podwright::cli
