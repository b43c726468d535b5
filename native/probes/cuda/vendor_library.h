#pragma once
/// Libraries of the vendor, opened by name: a build needs none of them, and a machine may have them in any of its
/// places.
#include <string>
#include <vector>

namespace podwright::probes::cuda {

/// The first of `names` (newest first) that the loader finds, else that lies in a toolkit or in a Python package of the
/// vendor. Null without one.
void* open_vendor_library(const std::vector<std::string>& names);

/// Files of this name in the places beside those of the loader, each below `root`.
std::vector<std::string> vendor_files(const std::string& name, const std::string& root = "");

}  // namespace podwright::probes::cuda
