#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>

#include "probes/cpu/thread_pool.h"
#include "probes/host.h"

namespace podwright::probes {
namespace fs = std::filesystem;
namespace {

// Variables that change what is measured and name no one.
constexpr const char* kVariables[] = {"CUDA_VISIBLE_DEVICES",
                                      "CUDA_DEVICE_MAX_CONNECTIONS",
                                      "CUDA_MODULE_LOADING",
                                      "NCCL_ALGO",
                                      "NCCL_PROTO",
                                      "NCCL_NVLS_ENABLE",
                                      "NCCL_P2P_DISABLE",
                                      "NCCL_IB_DISABLE",
                                      "NCCL_NET",
                                      "NCCL_CUMEM_ENABLE",
                                      "OMP_NUM_THREADS",
                                      "OMP_PROC_BIND",
                                      "OPENBLAS_NUM_THREADS",
                                      "MKL_NUM_THREADS",
                                      "BLIS_NUM_THREADS",
                                      "NVIDIA_TF32_OVERRIDE"};

struct CpuInfo {
  std::string model;
  std::set<std::string> sockets;
  std::set<std::string> cores;
};

CpuInfo read_cpuinfo() {
  CpuInfo info;
  std::ifstream file("/proc/cpuinfo");
  std::string socket;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    const std::string value = line.substr(colon + 2);
    if (line.rfind("model name", 0) == 0 && info.model.empty()) info.model = value;
    if (line.rfind("physical id", 0) == 0) info.sockets.insert(socket = value);
    if (line.rfind("core id", 0) == 0) info.cores.insert(socket + "/" + value);
  }
  return info;
}

double numa_nodes() {
  std::error_code failed;
  double nodes = 0;
  for (const auto& entry : fs::directory_iterator("/sys/devices/system/node", failed)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("node", 0) == 0 && name.size() > 4 && name[4] >= '0' && name[4] <= '9') ++nodes;
  }
  return nodes;
}

}  // namespace

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

ProfileEnvironment environment_facts() {
  ProfileEnvironment environment;
  utsname system{};
  if (uname(&system) == 0) {
    environment.os = "linux";
    environment.kernel = system.release;
    environment.cpu_architecture = system.machine;
  }
  std::error_code failed;
  environment.container = fs::exists("/.dockerenv", failed) || fs::exists("/run/.containerenv", failed) ||
                          std::getenv("container") != nullptr || std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
  environment.frequency_governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  for (const char* name : kVariables)
    if (const char* value = std::getenv(name); value != nullptr) environment.variables.push_back({name, value});
  return environment;
}

ProfileHost host_facts() {
  ProfileHost host;
  const CpuInfo info = read_cpuinfo();
  host.cpu_model = info.model;
  if (!info.sockets.empty()) host.sockets = static_cast<double>(info.sockets.size());
  if (!info.cores.empty()) host.cores = static_cast<double>(info.cores.size());
  host.logical_cores = usable_processors();
  if (const double nodes = numa_nodes(); nodes > 0) host.numa_nodes = nodes;
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0)
    host.memory_gib = static_cast<double>(pages) * static_cast<double>(page) / (1024.0 * 1024.0 * 1024.0);
  return host;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

}  // namespace podwright::probes
