#pragma once
/// What the CPU backend can run: one prepared operation that counts and checks itself.
#include <cstdint>
#include <memory>
#include <string>

#include "probes/backend.h"
#include "probes/cpu/thread_pool.h"

namespace podwright::probes::cpu {

class Operation {
 public:
  virtual ~Operation() = default;
  /// Runs the operation `count` times, one after the other.
  virtual void run(std::int64_t count) = 0;
  /// Runs once into poisoned outputs and compares.
  virtual PwCheck verify() = 0;

  std::string algorithm = "own";
};

/// Where memory probes must reach beyond: the last cache, and the most that operands may take.
struct Reach {
  std::uint64_t last_cache_bytes = 0;
  std::uint64_t most_bytes = 0;   ///< copies of the operands of one product
  std::uint64_t arena_bytes = 0;  ///< arrays of streams: four times the last cache, or a quarter of the memory
};

/// Copies of a footprint that an operation walks through so that each comes from memory: four times the last cache, as
/// far as `most_bytes` allows.
int copies_beyond_cache(std::uint64_t footprint, const Reach& reach);

/// Each makes the operation of a case, or nothing for a variant that it does not know.
std::unique_ptr<Operation> make_stream(const PwCase& one, const std::string& loop, ThreadPool& pool,
                                       const Reach& reach);
/// Gives the arrays of streams back, before other operations need the memory.
void drop_stream_arena();
/// What those arrays hold, 0 without them.
std::uint64_t stream_arena_bytes();
std::unique_ptr<Operation> make_product(const PwCase& one, ThreadPool& pool, const Reach& reach);
std::unique_ptr<Operation> make_chase(const PwCase& one, ThreadPool& pool);
std::unique_ptr<Operation> make_fork_join(const PwCase& one, ThreadPool& pool);
std::unique_ptr<Operation> make_copy(const PwCase& one, ThreadPool& pool);

/// PW_OK, or PW_SKIP with the fault: no BLAS, or none with a product of this type.
int product_supported(const std::string& dtype, PwFault& fault);

/// A check over `checked` values, of which `wrong` are NaN or infinite.
PwCheck check_of(double worst, double tolerance, std::uint64_t not_numbers, std::uint64_t checked, const char* note);

}  // namespace podwright::probes::cpu
