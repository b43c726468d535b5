#include "probes/cpu/stream_arena.h"

#include <algorithm>
#include <cstring>

namespace podwright::probes::cpu {
namespace {

std::shared_ptr<StreamArena>& kept() {
  static std::shared_ptr<StreamArena> arena;
  return arena;
}

/// Random numbers up to here, then copies of them: no loop's time depends on the values.
constexpr std::int64_t kDrawn = 1 << 16;

void fill_slab(double* slab, std::int64_t length, std::uint64_t seed, std::uint64_t stream) {
  const random::Stream draws(seed, stream);
  const std::int64_t drawn = std::min(length, kDrawn);
  for (std::int64_t i = 0; i < drawn; ++i) slab[i] = 2.0 * draws.uniform(static_cast<std::uint64_t>(i)) - 1.0;
  for (std::int64_t done = drawn; done < length; done += std::min(drawn, length - done))
    std::memcpy(slab + done, slab, static_cast<std::size_t>(std::min(drawn, length - done)) * sizeof(double));
}

}  // namespace

std::shared_ptr<StreamArena> stream_arena(std::int64_t count, std::uint64_t seed, ThreadPool& pool,
                                          const Reach& reach) {
  const int threads = pool.threads();
  const auto all = static_cast<std::int64_t>(reach.arena_bytes / (3 * sizeof(double)));
  constexpr std::int64_t kPage = 4096 / sizeof(double);
  const std::int64_t part = (std::max(count, all) + threads - 1) / threads;
  const std::int64_t slab = (part + kPage - 1) / kPage * kPage;
  if (kept() && kept()->threads == threads && kept()->slab >= slab) return kept();
  kept().reset();
  auto arena = std::make_shared<StreamArena>();
  arena->threads = threads;
  arena->slab = slab;
  arena->a = pages<double>(slab * threads);
  arena->b = pages<double>(slab * threads);
  arena->c = pages<double>(slab * threads);
  pool.run([&](int thread, int) {
    const std::int64_t first = slab * thread;
    fill_slab(arena->a.get() + first, slab, seed, static_cast<std::uint64_t>(2 * thread + 1));
    fill_slab(arena->b.get() + first, slab, seed, static_cast<std::uint64_t>(2 * thread + 2));
    std::fill(arena->c.get() + first, arena->c.get() + first + slab, 0.0);
  });
  kept() = arena;
  return arena;
}

void drop_stream_arena() { kept().reset(); }

}  // namespace podwright::probes::cpu
