#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "measure/health_check.h"
#include "probes/host.h"

namespace podwright::probes {
namespace fs = std::filesystem;
namespace {

constexpr const char* kErrorCounters[] = {"symbol_error",
                                          "link_error_recovery",
                                          "link_downed",
                                          "port_rcv_errors",
                                          "port_xmit_discards",
                                          "local_link_integrity_errors",
                                          "excessive_buffer_overrun_errors"};

bool is_there(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

/// Names in a folder, sorted; none where it cannot be read.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// "4: ACTIVE" without its number.
std::string word_after_number(const std::string& line) {
  const std::size_t colon = line.find(": ");
  return colon == std::string::npos ? line : line.substr(colon + 2);
}

std::map<std::string, double> errors_of(const std::string& port) {
  std::map<std::string, double> errors;
  for (const char* name : kErrorCounters) {
    const std::string line = first_line(port + "/counters/" + name);
    if (!line.empty() && line[0] >= '0' && line[0] <= '9') errors[name] = std::strtod(line.c_str(), nullptr);
  }
  return errors;
}

std::string cards_below(const std::string& root) { return root + "/sys/class/infiniband/"; }

std::vector<PortReading> ports_of(const std::string& root) {
  std::vector<PortReading> ports;
  for (const std::string& card : names_in(cards_below(root)))
    for (const std::string& port : names_in(cards_below(root) + card + "/ports")) {
      const std::string at = cards_below(root) + card + "/ports/" + port;
      ports.push_back({.card = card,
                       .port = port,
                       .board = first_line(cards_below(root) + card + "/board_id"),
                       .layer = first_line(at + "/link_layer"),
                       .state = word_after_number(first_line(at + "/state")),
                       .physical_state = word_after_number(first_line(at + "/phys_state")),
                       .rate = first_line(at + "/rate"),
                       .errors_before = errors_of(at)});
    }
  return ports;
}

/// DMA-BUF carries memory of devices from 5.12 on.
bool carries_dma_buf(const std::string& release) {
  int major = 0;
  int minor = 0;
  return std::sscanf(release.c_str(), "%d.%d", &major, &minor) == 2 && (major > 5 || (major == 5 && minor >= 12));
}

/// NVSwitches are bridges of NVIDIA's that belong to no class of bridges.
double nvswitches_of(const std::string& root) {
  const std::string devices = root + "/sys/bus/pci/devices/";
  double count = 0;
  for (const std::string& name : names_in(devices))
    if (first_line(devices + name + "/vendor") == "0x10de" && first_line(devices + name + "/class") == "0x068000")
      ++count;
  return count;
}

void look_for_services(const std::string& root, HostReading& host) {
  for (const std::string& name : names_in(root + "/proc")) {
    if (name.empty() || name[0] < '0' || name[0] > '9') continue;
    const std::string process = first_line(root + "/proc/" + name + "/comm");
    // A name has 15 characters at most.
    host.fabric_manager = host.fabric_manager || process == "nv-fabricmanage";
    host.imex = host.imex || process == "nvidia-imex";
    // The kernel's second process, which only the host itself shows.
    host.processes_shown = host.processes_shown || (name == "2" && process == "kthreadd");
  }
}

/// The end of a file, or all records of a kernel's ring. Returns why there is no text, empty where there is one.
std::string read_log(const std::string& path, std::string& text) {
  constexpr off_t kMost = 16 << 20;
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::strerror(errno);
  struct stat about {};
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > kMost)
    lseek(file, about.st_size - kMost, SEEK_SET);
  std::string reason = "empty";
  char record[8192];
  while (static_cast<off_t>(text.size()) < kMost) {
    const ssize_t got = read(file, record, sizeof record);
    if (got < 0 && (errno == EPIPE || errno == EINTR)) continue;  // a record was overwritten meanwhile
    if (got < 0) reason = std::strerror(errno);
    if (got <= 0) break;
    text.append(record, static_cast<std::size_t>(got));
  }
  close(file);
  return text.empty() ? reason : "";
}

void look_for_xids(const std::string& root, HostReading& host) {
  for (const char* path : {"/dev/kmsg", "/var/log/kern.log", "/var/log/messages"}) {
    std::string text;
    const std::string reason = read_log(root + path, text);
    if (reason.empty()) {
      host.xids = xids_in(text);
      return;
    }
    host.log_missing += (host.log_missing.empty() ? "" : "; ") + std::string(path) + ": " + reason;
  }
}

}  // namespace

HostReading host_state(const std::string& root) {
  HostReading host;
  const std::string driver = first_line(root + "/proc/driver/nvidia/version");
  host.nvidia_driver = !driver.empty();
  host.open_modules = driver.find("Open Kernel Module") != std::string::npos;
  for (const char* module : {"/sys/module/nvidia_peermem", "/sys/kernel/mm/memory_peers/nv_mem",
                             "/sys/kernel/mm/memory_peers/nv_mem_nc", "/sys/kernel/mm/memory_peers/nvidia-peermem"})
    host.peer_memory = host.peer_memory || is_there(root + module);
  host.dma_buf = carries_dma_buf(first_line(root + "/proc/sys/kernel/osrelease"));
  host.nvswitches = nvswitches_of(root);
  host.imex_channel = !names_in(root + "/dev/nvidia-caps-imex-channels").empty();
  host.ports = ports_of(root);
  look_for_services(root, host);
  look_for_xids(root, host);
  if (const double uptime = std::strtod(first_line(root + "/proc/uptime").c_str(), nullptr); uptime > 0)
    host.uptime_s = uptime;
  return host;
}

void read_errors_after(const std::string& root, HostReading& host) {
  for (PortReading& port : host.ports)
    port.errors_after = errors_of(cards_below(root) + port.card + "/ports/" + port.port);
}

}  // namespace podwright::probes
