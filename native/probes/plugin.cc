#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "probes/backends.h"
#include "probes/gpu_program.h"
#include "probes/opens_libraries.h"

#ifdef PODWRIGHT_CUDA_STATIC
extern "C" const PwBackend* podwright_probe_backend(void);
#endif

namespace podwright::probes {
namespace fs = std::filesystem;

constexpr const char* kPlugin = "libpodwright_cuda.so";

void set_fault(PwFault& fault, const std::string& reason, const std::string& detail) {
  const auto set = [](auto& to, const std::string& from) {
    const std::size_t length = std::min(from.size(), sizeof to - 1);
    std::memcpy(to, from.data(), length);
    to[length] = '\0';
  };
  set(fault.reason, reason);
  set(fault.detail, detail);
}

bool fits(const PwBackend* backend, const std::string& where, PwFault& fault) {
  if (backend != nullptr && backend->abi == PODWRIGHT_PROBE_ABI && backend->size == sizeof(PwBackend)) return true;
  set_fault(fault, "plugin_missing",
            where + " was built for another version: interface " +
                (backend == nullptr ? std::string("unknown") : std::to_string(backend->abi)) + ", this program needs " +
                std::to_string(PODWRIGHT_PROBE_ABI));
  return false;
}

std::vector<std::string> plugin_places() {
  if (const char* place = std::getenv("PODWRIGHT_CUDA_PLUGIN"); place != nullptr) return {place};
  std::error_code failed;
  const fs::path folder = fs::read_symlink("/proc/self/exe", failed).parent_path();
  return {(folder / kPlugin).string(), (folder.parent_path() / "lib/podwright" / kPlugin).lexically_normal().string()};
}

const PwBackend* cuda_backend(PwFault& fault) {
#ifdef PODWRIGHT_CUDA_STATIC
  const PwBackend* backend = podwright_probe_backend();
  return fits(backend, "the built-in CUDA backend", fault) ? backend : nullptr;
#else
  if (!opens_libraries()) {
    set_fault(fault, "plugin_missing", gpu_program().problem);
    return nullptr;
  }
  std::string tried;
  for (const std::string& place : plugin_places()) {
    tried += (tried.empty() ? "" : ", ") + place;
    std::error_code failed;
    if (!fs::exists(place, failed)) continue;
    void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      set_fault(fault, "plugin_missing", std::string("the CUDA plugin does not load: ") + dlerror());
      return nullptr;
    }
    const auto entry = reinterpret_cast<PwEntry>(dlsym(library, PODWRIGHT_PROBE_ENTRY));
    const PwBackend* backend = entry == nullptr ? nullptr : entry();
    return fits(backend, place, fault) ? backend : nullptr;
  }
  set_fault(fault, "plugin_missing", "no CUDA plugin: " + tried);
  return nullptr;
#endif
}

}  // namespace podwright::probes
