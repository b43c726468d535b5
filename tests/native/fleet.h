#pragma once
/// Several processes on this machine that stand for several nodes.
#include <memory>

#include "native/runs.h"

namespace podwright::probes {

struct Fleet {
  std::vector<std::unique_ptr<Program>> ranks;
  std::string profile;
};

/// `variables` of each rank; `place` of the rendezvous.
inline Fleet start(const std::string& name, const std::vector<std::vector<std::string>>& variables,
                   const std::string& place, const std::string& backend, const std::string& only,
                   const std::vector<std::string>& more = {}, const std::string& budget = "1") {
  Fleet fleet;
  fleet.profile = scratch(name + ".json");
  const int world = static_cast<int>(variables.size());
  for (int rank = 0; rank < world; ++rank) {
    std::vector<std::string> arguments = {"probe",
                                          "--cluster",
                                          "--quick",
                                          "--backend",
                                          backend,
                                          "--only",
                                          only,
                                          "--budget",
                                          budget,
                                          "--rank",
                                          std::to_string(rank),
                                          "--world",
                                          std::to_string(world),
                                          "--rendezvous",
                                          place,
                                          "--patience",
                                          "20",
                                          "-o",
                                          fleet.profile};
    arguments.insert(arguments.end(), more.begin(), more.end());
    fleet.ranks.push_back(std::make_unique<Program>(arguments, variables[static_cast<std::size_t>(rank)],
                                                    scratch(name + std::to_string(rank) + ".log")));
  }
  return fleet;
}

inline std::vector<int> codes(Fleet& fleet) {
  std::vector<int> all;
  for (auto& rank : fleet.ranks) all.push_back(rank->wait());
  return all;
}

}  // namespace podwright::probes
