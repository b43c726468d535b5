#pragma once
/// Memory that the threads which use it touch first, so that it lies on their node, and its contents.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "probes/cpu/thread_pool.h"

namespace podwright::probes::cpu {

/// Values aligned to pages, not set before a thread writes them. Null when memory is refused.
template <class T>
struct FreePages {
  void operator()(T* pages) const { ::operator delete[](pages, std::align_val_t{4096}); }
};
template <class T>
using Pages = std::unique_ptr<T[], FreePages<T>>;
template <class T>
Pages<T> pages(std::int64_t count) {
  return Pages<T>(
      static_cast<T*>(::operator new[](static_cast<std::size_t>(count) * sizeof(T), std::align_val_t{4096})));
}

/// Fills each thread's part with values of [-1, 1) that depend on seed, stream and place alone. Drawn ones are
/// repeated, since no kernel's time depends on them; their number is prime, so that no two rows of a matrix are alike.
template <class T>
void fill_randomly(T* values, std::int64_t count, std::uint64_t seed, std::uint64_t stream, ThreadPool& pool) {
  constexpr std::size_t kDrawn = 65521;
  std::vector<T> drawn(kDrawn);
  const random::Stream draws(seed, stream);
  for (std::size_t i = 0; i < kDrawn; ++i) drawn[i] = static_cast<T>(2.0 * draws.uniform(i) - 1.0);
  pool.run([&](int thread, int threads) {
    const Part part = part_of(count, thread, threads);
    for (std::int64_t i = part.first; i < part.last; ++i) values[i] = drawn[static_cast<std::size_t>(i) % kDrawn];
  });
}

}  // namespace podwright::probes::cpu
