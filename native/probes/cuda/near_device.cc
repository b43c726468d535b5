#include "probes/cuda/near_device.h"

#include <cuda_runtime_api.h>

#include <cctype>
#include <cstdlib>
#include <fstream>

namespace podwright::probes::cuda {
namespace {

/// What the system says next to the device's place on the bus; nothing where it does not.
std::string local_processors(int device) {
  char place[32] = {};
  if (cudaDeviceGetPCIBusId(place, sizeof place, device) != cudaSuccess) {
    cudaGetLastError();
    return "";
  }
  for (char& letter : place) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  std::ifstream file(std::string("/sys/bus/pci/devices/") + place + "/local_cpulist");
  std::string list;
  std::getline(file, list);
  return list;
}

}  // namespace

std::optional<cpu_set_t> processors_in(const std::string& list) {
  cpu_set_t found;
  CPU_ZERO(&found);
  const char* at = list.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    if (std::isdigit(static_cast<unsigned char>(*at)) == 0) return std::nullopt;
    const long first = std::strtol(at, &end, 10);
    long last = first;
    if (*end == '-') {
      at = end + 1;
      if (std::isdigit(static_cast<unsigned char>(*at)) == 0) return std::nullopt;
      last = std::strtol(at, &end, 10);
    }
    if (last < first || last >= CPU_SETSIZE) return std::nullopt;
    for (long i = first; i <= last; ++i) CPU_SET(static_cast<std::size_t>(i), &found);
    if (*end != ',' && *end != '\0') return std::nullopt;
    if (*end == ',' && end[1] == '\0') return std::nullopt;
    at = *end == ',' ? end + 1 : end;
  }
  return found;
}

NearDevice::NearDevice(int device) {
  const auto near = processors_in(local_processors(device));
  if (!near || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t both;
  CPU_AND(&both, &*near, &before_);
  bound_ = CPU_COUNT(&both) > 0 && sched_setaffinity(0, sizeof both, &both) == 0;
}

NearDevice::~NearDevice() {
  if (bound_) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace podwright::probes::cuda
