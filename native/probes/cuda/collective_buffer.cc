#include "probes/cuda/collective_buffer.h"

namespace podwright::probes::cuda {

CollectiveBuffer::~CollectiveBuffer() {
  const Nccl& nccl = Nccl::instance();
  // An aborted communicator has forgotten its buffers.
  if (registration_ != nullptr && member_->comm != nullptr) nccl.deregister_buffer(member_->comm, registration_);
  if (of_library_ != nullptr) nccl.free(of_library_);
}

bool CollectiveBuffer::allocate(std::size_t bytes, bool registered, const Team::Member& member, Checked& checked) {
  member_ = &member;
  if (!registered) return plain_.allocate(bytes, checked);
  const Nccl& nccl = Nccl::instance();
  if (nccl.allocate(&of_library_, bytes) != Nccl::kSuccess) {
    of_library_ = nullptr;
    cudaGetLastError();
    checked.fail(PW_SKIP, "oom", "ncclMemAlloc refuses " + std::to_string(bytes >> 20U) + " MiB");
    return false;
  }
  const int code = nccl.register_buffer(member.comm, of_library_, bytes, &registration_);
  if (code == Nccl::kSuccess) return true;
  registration_ = nullptr;
  checked.fail(PW_SKIP, "not_supported", std::string("ncclCommRegister: ") + nccl.error_string(code));
  return false;
}

}  // namespace podwright::probes::cuda
