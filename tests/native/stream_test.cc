/// The loops of STREAM walk through memory beyond the last cache, and stay right wherever they are.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "probes/backends.h"
#include "probes/catalogue.h"

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

TEST(Stream, WindowsRotateBeyondTheCacheAndEveryOneIsRight) {
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
      // Four last caches of 8 MiB at least, or a quarter of the memory.
      EXPECT_GE(prepared.rotated_bytes, 28 * static_cast<std::uint64_t>(kMiB)) << loop;
      EXPECT_EQ(prepared.rotated_bytes % prepared.footprint_bytes, 0U);
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
