#include "probes/cluster/launchers.h"

#include <algorithm>
#include <cstdlib>

namespace podwright::probes {
namespace {

constexpr int kMostRanks = 1000000;
constexpr int kUsualPort = 29500;  // of torchrun, where nothing else is said

/// Variables of a launcher. The first whose rank and number of ranks are set counts: a launcher that was started by
/// another stands before it.
struct Launcher {
  const char* rank;
  const char* ranks;
  const char* local_rank;
  const char* local_ranks;
};
constexpr Launcher kLaunchers[] = {
    // docs.pytorch.org/docs/stable/elastic/run.html#environment-variables
    {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    // docs.open-mpi.org/en/v5.0.x/tuning-apps/environment-var.html
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
    // Hydra, of MPICH and Intel MPI
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"PMIX_RANK", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
    // kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode; the manifest says how many there are
    {"JOB_COMPLETION_INDEX", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    // slurm.schedmd.com/srun.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
};
/// With one of these Slurm shows a task its own GPUs alone.
constexpr const char* kOwnDevices[] = {"SLURM_GPUS_PER_TASK", "SLURM_TRES_PER_TASK"};

/// The whole number that the text begins with: Slurm writes "8(x4)" for eight tasks on each of four nodes.
std::optional<int> whole_of(const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (end == text.c_str() || (*end != '\0' && *end != '(' && *end != ',') || value < 0 || value > kMostRanks)
    return std::nullopt;
  return static_cast<int>(value);
}

/// "host:port", also of "[::1]:port"; empty where it is none.
std::string address_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || text.find('/') != std::string::npos) return "";
  const int port = whole_of(text.substr(colon + 1)).value_or(0);
  return port > 0 && port < 65536 ? text : "";
}

std::string with_port(const std::string& host, int port) {
  const bool v6 = host.find(':') != std::string::npos && host.front() != '[';
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

/// Where rank 0 listens; empty where nobody says.
std::string meeting_place(const std::string& rendezvous, const Variables& variable) {
  if (!rendezvous.empty()) return address_of(rendezvous);
  if (const std::string host = variable("MASTER_ADDR"); !host.empty()) {
    const int port = whole_of(variable("MASTER_PORT")).value_or(kUsualPort);
    // There torchrun itself listens: torch/distributed/elastic/agent/server/local_elastic_agent.py.
    return with_port(host, variable("TORCHELASTIC_USE_AGENT_STORE") == "True" ? port % 65535 + 1 : port);
  }
  if (const std::string known = variable("NCCL_COMM_ID"); !known.empty()) return address_of(known);
  const std::string host = first_host(variable("SLURM_STEP_NODELIST"));
  // Another port for each job, since several may share a node: by the last digits of its number.
  const std::string job = variable("SLURM_JOB_ID");
  return host.empty()
             ? ""
             : with_port(host, 20000 + whole_of(job.substr(std::max<std::size_t>(job.size(), 4) - 4)).value_or(0));
}

}  // namespace

std::string first_host(const std::string& list) {
  const std::size_t bracket = list.find_first_of("[,");
  if (bracket == std::string::npos || list[bracket] == ',') return list.substr(0, bracket);
  const std::size_t end = list.find_first_of("-,]", bracket + 1);
  const std::size_t close = list.find(']', bracket);
  if (end == std::string::npos || close == std::string::npos) return "";
  const std::size_t next = list.find(',', close);
  const std::string behind = list.substr(close + 1, next == std::string::npos ? next : next - close - 1);
  // A name of two such parts, "r[1-2]n[1-8]".
  return list.substr(0, bracket) + list.substr(bracket + 1, end - bracket - 1) +
         (behind.find('[') == std::string::npos ? behind
                                                : first_host(behind + list.substr(std::min(next, list.size()))));
}

PlaceOrWhy place_of(const RankOptions& options, const Variables& variable) {
  RankPlace place;
  const Launcher* const launcher = std::find_if(std::begin(kLaunchers), std::end(kLaunchers), [&](const Launcher& one) {
    return whole_of(variable(one.rank)) && whole_of(variable(one.ranks));
  });
  if (options.rank && options.world) {
    place.rank = *options.rank;
    place.ranks = *options.world;
  } else if (launcher != std::end(kLaunchers)) {
    place.rank = *whole_of(variable(launcher->rank));
    place.ranks = *whole_of(variable(launcher->ranks));
    place.local_rank = whole_of(variable(launcher->local_rank)).value_or(0);
    place.local_ranks = std::max(1, whole_of(variable(launcher->local_ranks)).value_or(1));
  } else {
    return {{}, "no launcher's variables say which rank this is, and --rank and --world are not given"};
  }
  if (place.rank >= place.ranks)
    return {{},
            "rank " + std::to_string(place.rank) + " is not below the number of ranks, " + std::to_string(place.ranks)};
  for (const char* own : kOwnDevices) place.own_devices = place.own_devices || !variable(own).empty();
  place.address = meeting_place(options.rendezvous, variable);
  if (place.address.empty() && place.ranks > 1)
    return {{},
            "where the ranks meet is not known: give --rendezvous HOST:PORT of rank 0, or set MASTER_ADDR and "
            "MASTER_PORT"};
  return {place, ""};
}

}  // namespace podwright::probes
