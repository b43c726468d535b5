#pragma once
/// The memory that the loops of STREAM walk through: three arrays of which every operation takes the next window, so
/// that no cache still holds it.
#include <cstdint>
#include <memory>

#include "probes/cpu/memory.h"
#include "probes/cpu/operation.h"

namespace podwright::probes::cpu {

/// Each array has one slab for each thread, which that thread touches first.
struct StreamArena {
  int threads = 0;
  std::int64_t slab = 0;  ///< values of one thread in one array
  Pages<double> a, b, c;

  std::uint64_t bytes() const {
    return 3 * sizeof(double) * static_cast<std::uint64_t>(slab) * static_cast<std::uint64_t>(threads);
  }
};

/// An arena of `reach.arena_bytes` for this pool's threads, larger where a window of `count` values needs it. The last
/// one is kept and given again, since filling takes longer than measuring. Throws std::bad_alloc.
std::shared_ptr<StreamArena> stream_arena(std::int64_t count, std::uint64_t seed, ThreadPool& pool, const Reach& reach);

/// Gives the kept arena back, before other operations need the memory.
void drop_stream_arena();

}  // namespace podwright::probes::cpu
