#include "probes/cluster/ranks.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "base/digest.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "probes/elapsed.h"
#include "probes/probe_case.h"

namespace podwright::probes {
namespace fs = std::filesystem;
namespace {

constexpr double kOldestFile = 3600;  // seconds: a file of a job of yesterday is no invitation

std::optional<int> whole_of(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end != '\0' || value < 0 || value > 1000000) return std::nullopt;
  return static_cast<int>(value);
}

/// Same text for processes of one running system, also in different containers.
std::string system_mark() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return sha256_hex("podwright-run " + boot).substr(0, 16);
}

std::string fresh_nonce() {
  std::random_device device;
  std::string text;
  for (int i = 0; i < 4; ++i) text += std::to_string(device()) + "-";
  return sha256_hex(text).substr(0, 32);
}

std::string hello_text(const Hello& hello) {
  JsonWriter json;
  json.begin_object();
  json.number("rank", hello.rank);
  json.number("world", hello.world);
  json.text("nonce", hello.nonce);
  json.text("host", hello.host);
  json.end_object();
  return json.take();
}

std::optional<Hello> read_hello(const std::string& text) {
  const auto node = parse_json(text);
  if (!node || !node->is_object()) return std::nullopt;
  Hello hello;
  hello.rank = static_cast<int>(number_at(*node, "rank", -1));
  hello.world = static_cast<int>(number_at(*node, "world"));
  hello.nonce = text_at(*node, "nonce");
  hello.host = text_at(*node, "host");
  return hello;
}

/// Where rank 0 listens.
struct Meeting {
  std::vector<std::string> addresses;
  int port = 0;
  std::string nonce;  ///< empty when the operator gave the address
};

std::optional<Meeting> parse_tcp(const std::string& text) {
  constexpr const char* kScheme = "tcp://";
  if (text.rfind(kScheme, 0) != 0) return std::nullopt;
  const std::size_t colon = text.rfind(':');
  const std::string host = text.substr(6, colon - 6);
  const int port = std::atoi(text.c_str() + colon + 1);
  if (colon <= 6 || port <= 0 || port > 65535) return Meeting{};
  return Meeting{{host}, port, ""};
}

bool write_meeting(const std::string& path, const Meeting& meeting) {
  JsonWriter json;
  json.begin_object();
  json.begin_list("addresses");
  for (const std::string& address : meeting.addresses) json.text(address);
  json.end_list();
  json.number("port", meeting.port);
  json.text("nonce", meeting.nonce);
  json.number("written", static_cast<double>(std::time(nullptr)));
  json.end_object();
  const std::string part = path + ".part";
  std::ofstream file(part);
  file << json.take();
  file.close();
  std::error_code failed;
  if (file) fs::rename(part, path, failed);
  return file && !failed;
}

std::optional<Meeting> read_meeting(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto node = parse_json(text.str());
  if (!node || !node->is_object()) return std::nullopt;
  if (static_cast<double>(std::time(nullptr)) - number_at(*node, "written") > kOldestFile) return std::nullopt;
  Meeting meeting;
  if (const JsonNode* addresses = node->find("addresses"); addresses != nullptr)
    for (const JsonNode& address : addresses->items) meeting.addresses.push_back(address.text);
  meeting.port = static_cast<int>(number_at(*node, "port"));
  meeting.nonce = text_at(*node, "nonce");
  return meeting;
}

/// Rank 0: takes who comes with the right nonce until all are there.
Joined host_meeting(const RankOptions& options, const Hello& hello, const std::optional<Meeting>& given) {
  Joined joined;
  Listener listener(given ? given->port : 0);
  if (!listener.open()) {
    joined.why = "rank 0 cannot listen on port " + std::to_string(given ? given->port : 0);
    return joined;
  }
  const std::string nonce = given ? "" : fresh_nonce();
  if (!given && !write_meeting(options.rendezvous, {own_addresses(), listener.port(), nonce})) {
    joined.why = "the rendezvous file " + options.rendezvous + " cannot be written";
    return joined;
  }
  joined.members.resize(static_cast<std::size_t>(hello.world));
  for (int rank = 0; rank < hello.world; ++rank) joined.members[static_cast<std::size_t>(rank)].rank = rank;
  const auto seat = [&](const Hello& one, Connection connection) {
    Member& member = joined.members[static_cast<std::size_t>(one.rank)];
    member.host = one.host;
    member.connection = std::move(connection);
  };
  seat(hello, Connection());
  int seated = 1;
  const auto start = Clock::now();
  while (seated < hello.world && seconds_since(start) < options.patience_s) {
    Connection connection = listener.accept(std::min(1.0, options.patience_s));
    if (!connection.open()) continue;
    const auto text = connection.receive_text(5);
    const auto one = text ? read_hello(*text) : std::nullopt;
    const bool right = one && one->nonce == nonce && one->world == hello.world && one->rank > 0 &&
                       one->rank < hello.world &&
                       !joined.members[static_cast<std::size_t>(one->rank)].connection.open();
    if (!connection.send_text(right ? "welcome" : "another run", 5) || !right) continue;
    seat(*one, std::move(connection));
    ++seated;
  }
  if (!given) {
    std::error_code failed;
    fs::remove(options.rendezvous, failed);
  }
  for (Member& member : joined.members)
    if (member.rank != 0 && !member.connection.open()) {
      member.lost = true;
      joined.missing.push_back(member.rank);
    }
  return joined;
}

/// Another rank: tries until rank 0 says welcome.
Joined visit_meeting(const RankOptions& options, Hello hello, const std::optional<Meeting>& given) {
  Joined joined;
  const auto start = Clock::now();
  while (seconds_since(start) < options.patience_s) {
    const auto meeting = given ? given : read_meeting(options.rendezvous);
    if (meeting) {
      hello.nonce = meeting->nonce;
      for (const std::string& address : meeting->addresses) {
        Connection connection = connect_to(address, meeting->port, 2);
        if (!connection.open() || !connection.send_text(hello_text(hello), 5)) continue;
        if (connection.receive_text(5) != "welcome") continue;
        joined.to_first = std::move(connection);
        return joined;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  joined.why = "rank 0 was not found at " + options.rendezvous + " within " +
               std::to_string(static_cast<int>(options.patience_s)) + " s";
  return joined;
}

}  // namespace

PlaceOrWhy find_place(const RankOptions& options) {
  if (options.rank || options.world) {
    if (!options.rank || !options.world) return {std::nullopt, "--rank and --world belong together"};
    if (*options.world < 1 || *options.rank < 0 || *options.rank >= *options.world)
      return {std::nullopt, "--rank must lie in 0.." + std::to_string(*options.world - 1)};
    return {Place{*options.rank, *options.world, "flags"}, ""};
  }
  constexpr const char* kLaunchers[][3] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "Open MPI"},
                                           {"PMI_RANK", "PMI_SIZE", "PMI"},
                                           {"SLURM_PROCID", "SLURM_NTASKS", "Slurm"},
                                           {"RANK", "WORLD_SIZE", "torch"}};
  for (const auto& launcher : kLaunchers) {
    const auto rank = whole_of(launcher[0]);
    const auto world = whole_of(launcher[1]);
    if (rank && world && *rank < *world) return {Place{*rank, *world, launcher[2]}, ""};
  }
  return {std::nullopt, "no rank: start with mpirun or srun, or give --rank, --world and --rendezvous to each process"};
}

Hello own_hello(const Place& place) { return {place.rank, place.world, "", system_mark()}; }

Joined meet(const RankOptions& options, const Hello& hello) {
  const auto given = parse_tcp(options.rendezvous);
  if (given && given->port == 0) {
    Joined joined;
    joined.why = "--rendezvous " + options.rendezvous + " is no tcp://HOST:PORT";
    return joined;
  }
  return hello.rank == 0 ? host_meeting(options, hello, given) : visit_meeting(options, hello, given);
}

}  // namespace podwright::probes
