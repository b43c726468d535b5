#include "probes/cuda/nccl.h"

namespace podwright::probes::cuda {

Nccl::Nccl() : VendorLibrary("libnccl", {"libnccl.so.2", "libnccl.so"}) {
  constexpr int kOldest = 21800;  // 2.18: the first whose communicators can be aborted while others continue
  if (there() && get_version(&version) != kSuccess) missing = "libnccl gives no version";
  if (there() && version < kOldest)
    missing = "libnccl " + version_text() + " is older than 2.18, which these probes need";
}

std::string Nccl::version_text() const {
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

const Nccl& Nccl::instance() {
  static const Nccl found;
  return found;
}

}  // namespace podwright::probes::cuda
