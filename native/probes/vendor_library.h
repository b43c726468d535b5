#pragma once
/// Libraries of the vendor, opened by name: a build needs none of them, and a machine may have them in any of its
/// places.
#include <string>
#include <vector>

namespace podwright::probes {

/// The first of `names` (newest first) that the loader finds, else that lies in a toolkit or in a Python package of the
/// vendor. Null without one.
void* open_vendor_library(const std::vector<std::string>& names);

/// Files of this name in the places next to those of the loader, each below `root`.
std::vector<std::string> vendor_files(const std::string& name, const std::string& root = "");

/// A library whose functions are members: each is declared with the type that it has there, and looked up by its name.
class VendorLibrary {
 public:
  bool there() const { return missing.empty(); }
  std::string missing;  ///< why it cannot be used; empty where it can

 protected:
  /// A function of whatever type it is assigned to; null where the library has none of the name.
  struct Symbol {
    void* address;
    template <class Function>
    operator Function() const {
      return reinterpret_cast<Function>(address);
    }
  };

  /// `name` is how messages call it.
  VendorLibrary(const std::string& name, const std::vector<std::string>& files);
  Symbol optional(const char* symbol) const;
  Symbol needed(const char* symbol);

 private:
  std::string name_;
  void* library_;
};

}  // namespace podwright::probes
