#include "probes/cluster/meeting.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "base/digest.h"
#include "probes/elapsed.h"
#include "probes/host.h"
#include "probes/interrupt.h"
#include "probes/wire.h"

namespace podwright::probes {
namespace fs = std::filesystem;
namespace {

constexpr double kGreeting = 5;  // seconds for the first words of either side
constexpr const char* kSeated = "seated";

std::string fresh_nonce() {
  std::random_device device;
  std::string text;
  for (int i = 0; i < 4; ++i) text += std::to_string(device()) + "-";
  return sha256_hex(text).substr(0, 32);
}

constexpr double kOldestFile = 3600;  // seconds: a file of a job of yesterday is not an invitation

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
  return sha256_hex("podwright-run " + first_line("/proc/sys/kernel/random/boot_id")).substr(0, 16);
}

constexpr std::string_view kScheme = "tcp://";

/// The place that "tcp://HOST:PORT" names; without a port where it is none.
MeetingPlace place_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const int port = std::atoi(text.c_str() + colon + 1);
  if (colon <= kScheme.size() || port <= 0 || port > 65535) return {};
  return {{text.substr(kScheme.size(), colon - kScheme.size())}, port, "", 0};
}

bool write_place(const std::string& path, MeetingPlace place) {
  place.written = static_cast<double>(std::time(nullptr));
  const std::string part = path + ".part";
  std::ofstream file(part);
  file << wire_text(place);
  file.close();
  std::error_code failed;
  if (file) fs::rename(part, path, failed);
  return file && !failed;
}

std::optional<MeetingPlace> read_place(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  auto place = read_wire<MeetingPlace>(text.str());
  if (place && static_cast<double>(std::time(nullptr)) - place->written > kOldestFile) place.reset();
  return place;
}

/// Rank 0 opens the place of meeting. `given`: the operator named it.
Joined receive(const RankOptions& options, Hello hello, const std::optional<MeetingPlace>& given) {
  Joined joined;
  Listener listener(given ? given->port : 0);
  if (!listener.open()) {
    joined.why = "rank 0 cannot listen on port " + std::to_string(given ? given->port : 0);
    return joined;
  }
  const MeetingPlace place = given ? *given : own_place(listener);
  if (!given && !write_place(options.rendezvous, place)) {
    joined.why = "the rendezvous file " + options.rendezvous + " cannot be written";
    return joined;
  }
  hello.nonce = place.nonce;
  joined.members = receive_ranks(listener, hello, options.patience_s);
  std::error_code ignored;
  if (!given) fs::remove(options.rendezvous, ignored);
  return joined;
}

}  // namespace

MeetingPlace own_place(const Listener& listener) { return {own_addresses(), listener.port(), fresh_nonce(), 0}; }

std::vector<Member> receive_ranks(Listener& listener, const Hello& own, double seconds) {
  std::vector<Member> members(static_cast<std::size_t>(own.world));
  for (int rank = 0; rank < own.world; ++rank) members[static_cast<std::size_t>(rank)].rank = rank;
  members.front().host = own.host;
  const Deadline deadline(seconds);
  for (int here = 1; here < own.world && deadline.left() > 0 && interrupted_by() == 0;) {
    Connection caller = listener.accept(deadline.left());
    if (!caller.open()) continue;
    const auto hello = read_wire<Hello>(caller.receive_text(kGreeting).value_or(""));
    if (!hello || hello->nonce != own.nonce || hello->world != own.world || hello->rank <= 0 ||
        hello->rank >= own.world)
      continue;
    // At once, so that a caller knows that it came to the right place.
    if (!caller.send_text(kSeated, kGreeting)) continue;
    Member& member = members[static_cast<std::size_t>(hello->rank)];
    here += member.connection.open() ? 0 : 1;  // one that heard nothing comes again
    member.host = hello->host;
    member.connection = std::move(caller);
  }
  for (Member& member : members) member.lost = member.rank != 0 && !member.connection.open();
  return members;
}

Connection visit_first_rank(const std::function<std::optional<MeetingPlace>()>& place, Hello own, double seconds) {
  const Deadline deadline(seconds);
  while (deadline.left() > 0 && interrupted_by() == 0) {
    const auto found = place();
    for (const std::string& address : found ? found->addresses : std::vector<std::string>()) {
      own.nonce = found->nonce;
      Connection trial = connect_to(address, found->port, 2);
      if (trial.open() && trial.send_text(wire_text(own), kGreeting) && trial.receive_text(kGreeting) == kSeated)
        return trial;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return Connection();
}

HelloOrWhy own_hello(const RankOptions& options) {
  if (options.rank || options.world) {
    if (!options.rank || !options.world) return {std::nullopt, "--rank and --world belong together"};
    if (*options.world < 1 || *options.rank < 0 || *options.rank >= *options.world)
      return {std::nullopt, "--rank must be in 0.." + std::to_string(*options.world - 1)};
    return {Hello{*options.rank, *options.world, "", system_mark()}, ""};
  }
  // Open MPI, PMI, Slurm, torch.
  for (const auto& [rank_name, world_name] : {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                              {"PMI_RANK", "PMI_SIZE"},
                                              {"SLURM_PROCID", "SLURM_NTASKS"},
                                              {"RANK", "WORLD_SIZE"}}) {
    const auto rank = whole_of(rank_name);
    const auto world = whole_of(world_name);
    if (rank && world && *rank < *world) return {Hello{*rank, *world, "", system_mark()}, ""};
  }
  return {std::nullopt, "no rank: start with mpirun or srun, or give --rank, --world and --rendezvous to each process"};
}

Joined meet(const RankOptions& options, const Hello& hello) {
  std::optional<MeetingPlace> given;
  if (options.rendezvous.rfind(kScheme, 0) == 0) given = place_of(options.rendezvous);
  Joined joined;
  if (given && given->port == 0) {
    joined.why = "--rendezvous " + options.rendezvous + " is not a tcp://HOST:PORT";
    return joined;
  }
  if (hello.rank == 0) return receive(options, hello, given);
  joined.to_first =
      visit_first_rank([&] { return given ? given : read_place(options.rendezvous); }, hello, options.patience_s);
  if (!joined.to_first.open())
    joined.why = "rank 0 was not found at " + options.rendezvous + " within " +
                 std::to_string(static_cast<int>(options.patience_s)) + " s";
  return joined;
}

}  // namespace podwright::probes
