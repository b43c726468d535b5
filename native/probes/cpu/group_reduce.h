#pragma once
/// All-reduce between processes, each the processors of its node, over TCP.
#include <cstdint>
#include <memory>

#include "probes/backend.h"
#include "probes/cluster/process_group.h"

namespace podwright::probes::cpu {

class GroupReduce {
 public:
  explicit GroupReduce(std::unique_ptr<ProcessGroup> group) : group_(std::move(group)) {}

  void prepare(std::int64_t bytes) { bytes_ = bytes; }
  std::int64_t bytes() const { return bytes_; }
  /// A barrier, then `count` all-reduces.
  int batch(std::int64_t count, PwBatch& batch, PwFault& fault);
  int verify(PwCheck& check, PwFault& fault);

 private:
  std::unique_ptr<ProcessGroup> group_;
  std::int64_t bytes_ = 0;
};

}  // namespace podwright::probes::cpu
