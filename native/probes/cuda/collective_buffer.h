#pragma once
/// Memory of one rank of a collective, which the library may know before it is used.
#include "probes/cuda/checked.h"
#include "probes/cuda/team.h"

namespace podwright::probes::cuda {

class CollectiveBuffer {
 public:
  CollectiveBuffer() = default;
  ~CollectiveBuffer();
  CollectiveBuffer(const CollectiveBuffer&) = delete;
  CollectiveBuffer& operator=(const CollectiveBuffer&) = delete;

  /// On the current device, which is that of `member`. To be registered it comes from the library's own allocator,
  /// without which switches cannot reach it. `member` outlives this.
  bool allocate(std::size_t bytes, bool registered, const Team::Member& member, Checked& checked);
  template <class T>
  T* as() const {
    return static_cast<T*>(of_library_ != nullptr ? of_library_ : plain_.as<void>());
  }

 private:
  const Team::Member* member_ = nullptr;
  Memory plain_;
  void* of_library_ = nullptr;
  void* registration_ = nullptr;
};

}  // namespace podwright::probes::cuda
