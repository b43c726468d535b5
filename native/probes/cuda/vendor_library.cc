#include "probes/cuda/vendor_library.h"

#include <dlfcn.h>
#include <glob.h>

#include <cstdlib>

namespace podwright::probes::cuda {

std::vector<std::string> vendor_files(const std::string& name, const std::string& root) {
  std::vector<std::string> folders = {"/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/x86_64-linux/lib"};
  std::vector<std::string> pythons = {"/usr", "/usr/local", "/opt/*"};
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char* place = std::getenv(variable); place != nullptr && *place != '\0') pythons.emplace_back(place);
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    pythons.push_back(std::string(home) + "/.local");
  for (const std::string& python : pythons)
    for (const char* packages : {"site-packages", "dist-packages"})
      folders.push_back(python + "/lib/python3*/" + packages + "/nvidia/*/lib");
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    glob_t found{};
    if (glob((root + folder + "/" + name).c_str(), 0, nullptr, &found) == 0)
      for (std::size_t i = 0; i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
    globfree(&found);
  }
  return files;
}

void* open_vendor_library(const std::vector<std::string>& names) {
  constexpr int kOwnSymbols = RTLD_NOW | RTLD_LOCAL;
  for (const std::string& name : names)
    if (void* library = dlopen(name.c_str(), kOwnSymbols)) return library;
  for (const std::string& name : names)
    for (const std::string& file : vendor_files(name))
      if (void* library = dlopen(file.c_str(), kOwnSymbols)) return library;
  return nullptr;
}

}  // namespace podwright::probes::cuda
