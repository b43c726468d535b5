#include "probes/vendor_library.h"

#include <dlfcn.h>
#include <glob.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace podwright::probes {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Where packages of Python may lie. An environment is often entered by PATH alone.
std::vector<std::string> python_roots() {
  std::vector<std::string> roots = {"/usr", "/usr/local", "/opt/*"};
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::string place = variable(name); !place.empty()) roots.push_back(place);
  if (const std::string home = variable("HOME"); !home.empty()) roots.push_back(home + "/.local");
  const std::string bin = "/bin";
  std::istringstream path(variable("PATH"));
  for (std::string place; std::getline(path, place, ':');)
    if (place.size() > bin.size() && place.compare(place.size() - bin.size(), bin.size(), bin) == 0)
      roots.push_back(place.substr(0, place.size() - bin.size()));
  return roots;
}

}  // namespace

std::vector<std::string> vendor_files(const std::string& name, const std::string& root) {
  std::vector<std::string> folders = {"/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/x86_64-linux/lib"};
  for (const std::string& python : python_roots())
    for (const char* packages : {"site-packages", "dist-packages"})
      folders.push_back(python + "/lib/python3*/" + packages + "/nvidia/*/lib");
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    glob_t found{};
    if (glob((root + folder + "/" + name).c_str(), 0, nullptr, &found) == 0)
      for (std::size_t i = 0; i < found.gl_pathc; ++i)
        if (std::find(files.begin(), files.end(), found.gl_pathv[i]) == files.end())
          files.emplace_back(found.gl_pathv[i]);
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

VendorLibrary::VendorLibrary(const std::string& name, const std::vector<std::string>& files)
    : name_(name), library_(open_vendor_library(files)) {
  if (library_ == nullptr) missing = name + " was not found";
}

VendorLibrary::Symbol VendorLibrary::optional(const char* symbol) const {
  return {library_ == nullptr ? nullptr : dlsym(library_, symbol)};
}

VendorLibrary::Symbol VendorLibrary::needed(const char* symbol) {
  const Symbol found = optional(symbol);
  if (found.address == nullptr && there()) missing = name_ + " has no " + symbol;
  return found;
}

}  // namespace podwright::probes
