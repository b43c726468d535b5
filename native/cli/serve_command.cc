#include <httplib.h>

#include <csignal>
#include <filesystem>
#include <iostream>

#include "cli/commands.h"
#include "cli/exit_code.h"

namespace podwright::cli {
namespace {

httplib::Server* running = nullptr;

void stop(int) {
  if (running != nullptr) running->stop();
}

}  // namespace

int serve_command(const std::string& folder, int port) {
  if (!std::filesystem::exists(std::filesystem::path(folder) / "index.html")) {
    std::cerr << "podwright: there is no site in " << folder
              << ". Build it with ./dev build, or name its folder with --site.\n";
    return kEnvironment;
  }
  httplib::Server server;
  server.set_mount_point("/", folder);
  server.set_file_extension_and_mimetype_mapping("wasm", "application/wasm");
  server.set_file_extension_and_mimetype_mapping("mjs", "text/javascript");
  server.set_file_extension_and_mimetype_mapping("webmanifest", "application/manifest+json");
  server.set_default_headers({{"X-Content-Type-Options", "nosniff"}, {"Referrer-Policy", "no-referrer"}});
  constexpr const char* kLoopback = "127.0.0.1";
  if (port == 0) {
    port = server.bind_to_any_port(kLoopback);
    if (port < 0) {
      std::cerr << "podwright: no port of " << kLoopback << " can be taken.\n";
      return kEnvironment;
    }
  } else if (!server.bind_to_port(kLoopback, port)) {
    std::cerr << "podwright: port " << port << " is taken. Name another one with --port, or leave it out.\n";
    return kEnvironment;
  }
  running = &server;
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  std::cout << "The site is at http://" << kLoopback << ':' << port << "/ (stop with Ctrl-C)" << std::endl;
  server.listen_after_bind();
  running = nullptr;
  return kAnswer;
}

}  // namespace podwright::cli
