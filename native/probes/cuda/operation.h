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

/// All but the stream, of any device of this process.
bool describe_device(int device, DeviceFacts& facts, Checked& checked);

class Operation {
 public:
  virtual ~Operation() = default;
  /// Allocates and fills. False after a failure, which `checked` holds.
  virtual bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) = 0;
  /// Puts the operation of this place in the row into the stream.
  virtual bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) = 0;
  /// Runs once into poisoned outputs and compares.
  virtual void verify(PwCheck& check, Checked& checked) = 0;
  /// Kernels that one operation starts; several go into a graph, as engines do it.
  virtual std::int64_t launches() const { return 1; }
  /// Operations that time themselves return true.
  virtual bool times_itself() const { return false; }
  virtual bool time(std::int64_t, PwBatch&, Checked&) { return false; }

  /// Time of the first proposal of a library that makes several; 0 without one.
  virtual double first_proposal_s() const { return 0; }

  std::size_t footprint_bytes = 0;
  std::size_t rotated_bytes = 0;  ///< of all copies
  std::int64_t copies = 1;        ///< of the operands, through which operations walk
  std::size_t operand_bytes = 0;  ///< where the operation chooses its size itself
  std::string algorithm = "own";
};

/// Null where this backend has no such probe; the others are the parts of its list.
std::unique_ptr<Operation> make_operation(const std::string& probe);
std::unique_ptr<Operation> make_memory(const std::string& probe);
std::unique_ptr<Operation> make_integrity(const std::string& probe);
std::unique_ptr<Operation> make_link(const std::string& probe);
std::unique_ptr<Operation> make_product(const std::string& probe);
std::unique_ptr<Operation> make_layer(const std::string& probe);
std::unique_ptr<Operation> make_row(const std::string& probe);
std::unique_ptr<Operation> make_expert(const std::string& probe);
std::unique_ptr<Operation> make_load(const std::string& probe);
std::unique_ptr<Operation> make_collective(const std::string& probe);
/// False with the reason where a device of this capability (90 of 9.0) cannot run the case.
bool possible(const PwCase& one, int capability, PwFault& fault);
/// False with the reason where there is one device only, or no library.
bool collective_possible(const PwCase& one, PwFault& fault);

/// Reads the two doubles of a check kernel and judges them.
void judge(double* device_out, double tolerance, std::uint64_t checked_values, const char* note, cudaStream_t stream,
           PwCheck& check, Checked& checked);

/// Checks of several parts, each with a measure of its own: the worst is told in tolerances.
class JoinedCheck {
 public:
  explicit JoinedCheck(const char* note);
  void take(const PwCheck& one);
  const PwCheck& all() const { return all_; }

 private:
  PwCheck all_{};
};

}  // namespace podwright::probes::cuda
