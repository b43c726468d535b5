#pragma once
/// Keeps a thread on the processors next to a device, so that its memory lies there and its copies cross no socket.
#include <sched.h>

#include <optional>
#include <string>

namespace podwright::probes::cuda {

/// The processors of a list of Linux, "0-3,8,10-11". Empty text names none; absent where it is no such list.
std::optional<cpu_set_t> processors_in(const std::string& list);

/// Binds the calling thread while it lives. Does nothing where the system does not say, or where the thread may use
/// none of those processors.
class NearDevice {
 public:
  explicit NearDevice(int device);
  ~NearDevice();
  NearDevice(const NearDevice&) = delete;
  NearDevice& operator=(const NearDevice&) = delete;

 private:
  cpu_set_t before_{};
  bool bound_ = false;
};

}  // namespace podwright::probes::cuda
