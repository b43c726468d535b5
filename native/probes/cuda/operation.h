#pragma once
/// What the CUDA backend can run: operations that go into a stream one after the other, or time themselves.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "probes/cuda/checked.h"
#include "probes/cuda/kernels.h"

namespace podwright::probes::cuda {

/// Facts of the device that operations size themselves by.
struct DeviceFacts {
  int number = 0;
  int multiprocessors = 1;
  int capability = 0;  ///< 90 of 9.0
  std::size_t l2_bytes = 0;
  std::size_t workspace_bytes = 0;
  cudaStream_t stream = nullptr;

  /// Copies that reach so many times beyond the second cache.
  int copies(std::size_t footprint, std::size_t caches = 4) const {
    return footprint == 0 ? 1
                          : static_cast<int>(std::max<std::size_t>(1, (caches * l2_bytes + footprint - 1) / footprint));
  }
  /// Of kernels that read or write four words of each thread at once: all run together.
  int stream_blocks() const { return kStreamBlocks * multiprocessors; }
};

/// Any device of this process with a stream of its own. It is the current device when it is opened.
struct OpenDevice {
  DeviceFacts facts;
  Stream stream;
  bool open(int device, Checked& checked);
};

class Operation {
 public:
  virtual ~Operation() = default;
  /// Allocates and fills, and waits for it. False after a failure, which `checked` holds.
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) {
    device_ = device;
    return set_up(one, checked) && checked(cudaStreamSynchronize(device.stream), "fill");
  }
  /// Puts the operation of this place in the row into the stream.
  virtual bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) = 0;
  /// Runs once into poisoned outputs and compares. Counts for nothing after a failure.
  virtual PwCheck verify(Checked& checked) = 0;
  /// Kernels that one operation starts; several go into a graph, as engines do it.
  virtual std::int64_t launches() const { return 1; }
  /// Of operations that time themselves.
  virtual void time(std::int64_t, PwBatch&, Checked&) {}

  bool times_itself = false;
  std::int64_t copies = 1;        ///< of the operands, through which operations walk
  std::size_t operand_bytes = 0;  ///< where the operation chooses its size itself
  std::string algorithm = "own";
  double first_proposal_s = 0;  ///< of a library that makes several

 protected:
  virtual bool set_up(const PwCase& one, Checked& checked) = 0;
  cudaStream_t stream() const { return device_.stream; }
  DeviceFacts device_;
};

/// More or less than work of one stream, so that it always times itself.
class TimedOperation : public Operation {
 public:
  TimedOperation() { times_itself = true; }
  bool enqueue(std::int64_t, cudaStream_t, Checked&) override { return true; }
  PwCheck verify(Checked&) override;

 protected:
  bool set_up(const PwCase&, Checked&) override { return true; }
};

/// Nothing is timed: what it tells is the size that its check finds.
class SizeOperation : public TimedOperation {
 public:
  void time(std::int64_t, PwBatch& batch, Checked&) override { batch.seconds = 1e-3; }
};

/// Null where this backend has no such probe; the others are the parts of its list.
std::unique_ptr<Operation> make_operation(const std::string& probe);
std::unique_ptr<Operation> make_memory(const std::string& probe);
std::unique_ptr<Operation> make_link(const std::string& probe);
std::unique_ptr<Operation> make_product(const std::string& probe);
std::unique_ptr<Operation> make_layer(const std::string& probe);
std::unique_ptr<Operation> make_load(const std::string& probe);
std::unique_ptr<Operation> make_collective(const std::string& probe);
/// False with the reason where a device of this capability (90 of 9.0) cannot run the case.
bool possible(const PwCase& one, int capability, PwFault& fault);
/// False with the reason where there is one device only, or no library.
bool collective_possible(const PwCase& one, PwFault& fault);

/// Allocates so many random values of this format.
bool allocate_normal(Memory& memory, Format format, std::size_t values, std::uint64_t seed, cudaStream_t stream,
                     Checked& checked);

/// Of what was compared on the host.
PwCheck check_of(bool right, std::uint64_t checked_values, const char* note);

/// Where kernels that compare leave the largest error, the number of values that are not numbers, and their scratch.
class Findings {
 public:
  bool allocate(Checked& checked, std::size_t doubles = 8) { return memory_.allocate(8 * doubles, checked); }
  /// Judges what `look` finds, which starts such a kernel.
  template <class Look>
  PwCheck judge(double tolerance, std::uint64_t checked_values, const char* note, cudaStream_t stream, Checked& checked,
                Look look) const {
    checked(cudaMemsetAsync(memory_.as<void>(), 0, 8 * sizeof(double), stream), "cudaMemset");
    if (checked.good()) look(memory_.as<double>());
    return read(tolerance, checked_values, note, stream, checked);
  }

 private:
  PwCheck read(double tolerance, std::uint64_t checked_values, const char* note, cudaStream_t stream,
               Checked& checked) const;
  Memory memory_;
};

/// Checks of several parts, each with a measure of its own: the worst is given in tolerances.
class JoinedCheck {
 public:
  explicit JoinedCheck(const char* note);
  void take(const PwCheck& one);
  const PwCheck& all() const { return all_; }

 private:
  PwCheck all_{};
};

}  // namespace podwright::probes::cuda
