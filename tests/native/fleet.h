#pragma once
/// Several processes on this machine that stand for several nodes. They meet through a library that stands in for NCCL.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "native/runs.h"
#include "probes/elapsed.h"

namespace podwright::probes {

/// Free a moment ago, and the system does not give it away again at once.
inline int free_port() {
  const int here = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  bind(here, reinterpret_cast<sockaddr*>(&address), sizeof address);
  getsockname(here, reinterpret_cast<sockaddr*>(&address), &size);
  close(here);
  return ntohs(address.sin_port);
}

struct Fleet {
  std::vector<std::unique_ptr<Program>> ranks;
  std::string folder;  ///< of the profiles
  std::string place = "127.0.0.1:" + std::to_string(free_port());

  explicit Fleet(const std::string& name) : folder(scratch(name)) { std::filesystem::remove_all(folder); }
};

/// Waits for what must come; the limit only ends a test that failed.
inline bool until(const std::function<bool()>& came) {
  const Deadline deadline(240);
  while (!came() && deadline.left() > 0) usleep(10000);
  return came();
}

struct FleetOptions {
  std::string backend = "fake";
  std::string only;
  std::vector<std::string> more = {};
  std::string budget = "1";
  std::string patience = "120";
  int missing = -1;  ///< a rank that is not started
  /// Ranks of scripted devices that meet once each of them has measured by itself: their patience begins at one time,
  /// however busy the machine is.
  std::vector<int> at_once = {};
  std::string limit = "";  ///< seconds after which a rank is ended with code 124; empty: none
};

inline std::string sign_of(const Fleet& fleet) { return fleet.folder + ".meet"; }

/// Joins the group only at a sign.
inline void wait_for_sign(const Fleet& fleet, std::vector<std::string>& variables) {
  const std::string step = "meet_when=" + sign_of(fleet);
  for (std::string& variable : variables)
    if (variable.rfind("PODWRIGHT_FAKE=", 0) == 0) {
      variable += ";" + step;
      return;
    }
  variables.push_back("PODWRIGHT_FAKE=" + step);
}

inline std::unique_ptr<Program> start_rank(const Fleet& fleet, int rank, std::size_t world,
                                           std::vector<std::string> variables, const FleetOptions& options) {
  if (std::count(options.at_once.begin(), options.at_once.end(), rank) != 0) wait_for_sign(fleet, variables);
  std::vector<std::string> arguments = {"probe",
                                        "--cluster",
                                        "--quick",
                                        "--backend",
                                        options.backend,
                                        "--only",
                                        options.only,
                                        "--budget",
                                        options.budget,
                                        "--rank",
                                        std::to_string(rank),
                                        "--world",
                                        std::to_string(world),
                                        "--rendezvous",
                                        fleet.place,
                                        "--patience",
                                        options.patience,
                                        "-o",
                                        fleet.folder + "/"};
  arguments.insert(arguments.end(), options.more.begin(), options.more.end());
  variables.emplace_back("LD_LIBRARY_PATH=" PODWRIGHT_STAND_IN_NCCL);
  std::string program = PODWRIGHT_PROGRAM;
  if (!options.limit.empty()) {
    arguments.insert(arguments.begin(), {options.limit, program});
    program = "/usr/bin/timeout";
  }
  return std::make_unique<Program>(arguments, variables, fleet.folder + std::to_string(rank) + ".log", program);
}

inline std::string rank_path(const Fleet& fleet, int rank) {
  return fleet.folder + "/rank-0000" + std::to_string(rank) + ".json";
}

/// Has its profile come this far?
inline bool reached(const Fleet& fleet, int rank, RankPart part) {
  const auto read = read_profile(file_text(rank_path(fleet, rank)));
  return read && read->profile.run.rank->part >= part;
}

/// `variables` of each rank.
inline Fleet start(const std::string& name, const std::vector<std::vector<std::string>>& variables,
                   const FleetOptions& options) {
  Fleet fleet(name);
  std::filesystem::remove(sign_of(fleet));
  for (std::size_t rank = 0; rank < variables.size(); ++rank)
    if (static_cast<int>(rank) != options.missing)
      fleet.ranks.push_back(start_rank(fleet, static_cast<int>(rank), variables.size(), variables[rank], options));
  for (const int rank : options.at_once)
    EXPECT_TRUE(until([&] { return reached(fleet, rank, RankPart::alone); })) << rank;
  std::ofstream(sign_of(fleet)).flush();
  return fleet;
}

inline std::vector<int> codes(Fleet& fleet) {
  std::vector<int> all;
  for (auto& rank : fleet.ranks) all.push_back(rank->wait());
  return all;
}

/// What `merge` makes of the profiles, and its exit code.
struct Merged {
  int code = -1;
  HardwareProfile profile;

  /// Of events of this name.
  std::vector<std::string> devices_of(const std::string& event) const {
    std::vector<std::string> devices;
    for (const HealthEvent& one : profile.health_events)
      if (one.name == event) devices.push_back(one.device);
    return devices;
  }
  bool says(const std::string& words) const {
    for (const std::string& limit : profile.limits)
      if (limit.find(words) != std::string::npos) return true;
    return false;
  }
};
inline Merged merge(const Fleet& fleet) {
  const std::string file = fleet.folder + ".merged.json";
  std::filesystem::remove(file);
  Merged merged;
  merged.code = Program({"merge", fleet.folder, "-o", file}, {}, fleet.folder + ".log").wait();
  auto read = read_profile(file_text(file));
  EXPECT_TRUE(read) << (read ? "" : read.error().front().path + " " + read.error().front().message)
                    << file_text(fleet.folder + ".log.err");
  if (read) merged.profile = std::move(read->profile);
  return merged;
}

}  // namespace podwright::probes
