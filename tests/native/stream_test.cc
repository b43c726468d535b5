/// The loops of STREAM walk through memory beyond the last cache, and stay right wherever they are.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "probes/backends.h"
#include "probes/catalogue.h"
#include "probes/cpu/operation.h"

namespace podwright::probes::stream_test {
namespace {

ProbeCase loop_of(const std::string& probe, double bytes, double threads) {
  ProbeCase one;
  one.probe = probe;
  one.dtype = "fp64";
  one.size.bytes = bytes;
  one.size.threads = threads;
  return one;
}

TEST(Stream, ArraysAreAsLargeAsAskedForOrAsOneWindow) {
  ThreadPool pool(2);
  const cpu::Reach reach = {.arena_bytes = 1 << 20};
  PwCase one = case_for(loop_of("cpu.stream.copy", 800, 2), 7);
  const auto small = cpu::make_stream(one, "copy", pool, reach);
  EXPECT_GE(cpu::stream_arena_bytes(), 1U << 20);
  one.bytes = 8 << 20;
  const auto large = cpu::make_stream(one, "copy", pool, reach);
  EXPECT_GE(cpu::stream_arena_bytes(), 3 * 8U << 20);
  cpu::drop_stream_arena();
  EXPECT_EQ(cpu::stream_arena_bytes(), 0U);
}

TEST(Stream, EveryWindowIsRight) {
  const PwBackend* backend = cpu_backend();
  void* session = nullptr;
  PwFault fault{};
  ASSERT_EQ(backend->open(0, &session, &fault), PW_OK);
  constexpr double kMiB = 1024 * 1024;
  // Each number of threads fills an arena of its own.
  for (const double threads : {2, 3})
    for (const char* loop : {"copy", "scale", "add", "triad", "dot"}) {
      // Odd sizes leave parts of unlike lengths.
      const ProbeCase planned = loop_of(std::string("cpu.stream.") + loop, 2 * kMiB + 8 * 13, threads);
      const PwCase one = case_for(planned, 7);
      PwPrepared prepared{};
      ASSERT_EQ(backend->prepare(session, &one, &prepared, &fault), PW_OK);
      for (int round = 0; round < 5; ++round) {
        PwBatch batch{};
        ASSERT_EQ(backend->batch(session, 3, &batch, &fault), PW_OK);
        EXPECT_GT(batch.seconds, 0);
        PwCheck check{};
        ASSERT_EQ(backend->verify(session, &check, &fault), PW_OK);
        EXPECT_EQ(check.status, PW_CHECK_PASS) << loop << ' ' << threads << ' ' << check.worst;
      }
    }
  backend->close(session);
}

}  // namespace
}  // namespace podwright::probes::stream_test
