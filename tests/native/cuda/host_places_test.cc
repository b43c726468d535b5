#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "probes/cuda/near_device.h"
#include "probes/vendor_library.h"

namespace podwright::probes::cuda::host_places_test {
namespace {

int count_of(const std::string& list) {
  const auto found = processors_in(list);
  return found ? CPU_COUNT(&*found) : -1;
}

TEST(ProcessorList, NamesProcessorsAndRanges) {
  const auto found = processors_in("0-3,8,10-11");
  ASSERT_TRUE(found);
  EXPECT_EQ(count_of("0-3,8,10-11"), 7);
  for (const std::size_t one : {0U, 3U, 8U, 10U, 11U}) EXPECT_TRUE(CPU_ISSET(one, &*found)) << one;
  for (const std::size_t one : {4U, 9U, 12U}) EXPECT_FALSE(CPU_ISSET(one, &*found)) << one;
  EXPECT_EQ(count_of("7"), 1);
  EXPECT_EQ(count_of(""), 0);
}

TEST(ProcessorList, RefusesWhatIsNone) {
  for (const char* wrong : {"a", "1-", "-1", "3-1", "1,", ",1", "1;2", "0-99999", "1 2"})
    EXPECT_FALSE(processors_in(wrong)) << wrong;
}

/// Without a GPU no place is known: the thread stays as free as it was.
TEST(NearDevice, LeavesTheThreadAsItWas) {
  cpu_set_t before;
  cpu_set_t after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  { const NearDevice near(0); }
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(VendorLibrary, LiesInToolkitsAndPythonPackages) {
  const auto root = std::filesystem::path(testing::TempDir()) / "podwright_vendor";
  std::filesystem::remove_all(root);
  // An environment of which only PATH tells, as those of images are.
  const std::string path = std::getenv("PATH");
  setenv("PATH", (path + ":/usr/local/bin:/srv/torch/.venv/bin").c_str(), 1);
  const char* const there[] = {"usr/local/cuda-13.0/lib64", "usr/local/cuda-12.9/targets/x86_64-linux/lib",
                               "usr/local/lib/python3.12/dist-packages/nvidia/cublas/lib",
                               "opt/venv/lib/python3.11/site-packages/nvidia/cu13/lib",
                               "srv/torch/.venv/lib/python3.12/site-packages/nvidia/cublas/lib"};
  for (const char* folder : there) {
    std::filesystem::create_directories(root / folder);
    std::ofstream(root / folder / "libpodwright.so.1") << "no library";
  }
  EXPECT_EQ(vendor_files("libpodwright.so.1", root.string()).size(), std::size(there));
  EXPECT_TRUE(vendor_files("libpodwright.so.2", root.string()).empty());
  setenv("PATH", path.c_str(), 1);
  std::filesystem::remove_all(root);
}

struct Maths : VendorLibrary {
  explicit Maths(const char* file = "libm.so.6") : VendorLibrary("libm", {file}) {}
  double (*cosine)(double) = needed("cos");
  int (*newer)(int) = optional("podwright_of_nobody");
};
struct NewerMaths : Maths {
  int (*newest)(int) = needed("podwright_of_nobody");
};

TEST(VendorLibrary, LooksUpFunctionsAndTellsWhatIsMissing) {
  const Maths maths;
  ASSERT_TRUE(maths.there()) << maths.missing;
  EXPECT_EQ(maths.cosine(0), 1);
  EXPECT_EQ(maths.newer, nullptr);
  EXPECT_EQ(NewerMaths().missing, "libm has no podwright_of_nobody");
  EXPECT_EQ(Maths("libpodwright_of_nobody.so").missing, "libm was not found");
}

TEST(VendorLibrary, NoneIsNoFault) { EXPECT_EQ(open_vendor_library({"libpodwright_of_nobody.so"}), nullptr); }

}  // namespace
}  // namespace podwright::probes::cuda::host_places_test
