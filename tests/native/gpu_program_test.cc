/// podwright-gpu, which holds the CUDA kernels, without a GPU; and the program of the archive that is linked without
/// shared libraries and goes on as podwright-gpu to measure.
#include "native/runs.h"

namespace podwright::probes::gpu_program_test {
namespace {
namespace fs = std::filesystem;

/// Stands beside the program where it was built.
std::string beside(const char* name) { return (fs::path(PODWRIGHT_PROGRAM).parent_path() / name).string(); }

/// The program without shared libraries in a folder of its own, beside a script as podwright-gpu unless that is empty.
std::string static_program(const std::string& folder, const std::string& script) {
  const fs::path place = scratch(folder);
  fs::create_directories(place);
  fs::copy_file(beside("podwright_static"), place / "podwright", fs::copy_options::overwrite_existing);
  if (!script.empty()) {
    std::ofstream(place / "podwright-gpu") << "#!/bin/sh\n" << script << '\n';
    fs::permissions(place / "podwright-gpu", fs::perms::owner_all);
  }
  return (place / "podwright").string();
}

/// Exit code and all that is said of `probe --backend cuda`.
std::pair<int, std::string> probe_cuda(const std::string& program) {
  const std::string log = scratch("probe_cuda.log");
  // A machine with a driver hides its devices, so that nothing is measured there either.
  Program run({"probe", "--backend", "cuda"}, {"CUDA_VISIBLE_DEVICES="}, log, program);
  const int code = run.wait();
  return {code, file_text(log) + file_text(log + ".err")};
}

TEST(GpuProgram, StartsWithoutADriver) {
  if (!fs::exists(beside("podwright-gpu"))) GTEST_SKIP() << "the program with the kernels was not built";
  const std::string log = scratch("gpu_version.log");
  EXPECT_EQ(Program({"--version"}, {}, log, beside("podwright-gpu")).wait(), 0);
  EXPECT_FALSE(file_text(log).empty());
}

TEST(GpuProgram, NamesWhatIsMissing) {
  if (!fs::exists(beside("podwright-gpu"))) GTEST_SKIP() << "the program with the kernels was not built";
  const auto [code, told] = probe_cuda(beside("podwright-gpu"));
  EXPECT_EQ(code, 3);
  const bool no_driver = told.find("no_driver: cudaGetDeviceCount: error 35") != std::string::npos;
  const bool no_device = told.find("no_device: cudaGetDeviceCount: error 100") != std::string::npos;
  EXPECT_TRUE(no_driver || no_device) << told;
}

// As the program that is not linked statically does.
TEST(GpuProgram, MeasuresForTheOneBesideIt) {
  if (!fs::exists(beside("podwright-gpu"))) GTEST_SKIP() << "the program with the kernels was not built";
  EXPECT_EQ(probe_cuda(PODWRIGHT_PROGRAM), probe_cuda(beside("podwright-gpu")));
}

TEST(StaticProgram, NamesTheProgramThatMeasuresGpus) {
  if (!fs::exists(beside("podwright_static"))) GTEST_SKIP() << "there is no static C library to link with";
  const auto [code, told] = probe_cuda(static_program("alone", ""));
  EXPECT_EQ(code, 3);
  EXPECT_NE(told.find("cuda_missing: podwright-gpu measures GPUs, and is missing at"), std::string::npos) << told;
}

TEST(StaticProgram, SaysThatTheOtherOneDoesNotStart) {
  if (!fs::exists(beside("podwright_static"))) GTEST_SKIP() << "there is no static C library to link with";
  const auto [code, told] = probe_cuda(static_program("beside_another_library", "exit 1"));
  EXPECT_EQ(code, 3);
  EXPECT_NE(told.find("podwright-gpu measures GPUs, and does not start; it needs glibc 2.34 or newer"),
            std::string::npos)
      << told;
}

TEST(StaticProgram, GoesOnAsTheOtherOne) {
  if (!fs::exists(beside("podwright_static"))) GTEST_SKIP() << "there is no static C library to link with";
  const auto [code, told] =
      probe_cuda(static_program("beside_it", "[ $1 = --version ] || { echo asked: $*; exit 4; }"));
  EXPECT_EQ(code, 4);
  EXPECT_EQ(told, "asked: probe --backend cuda\n");
}

}  // namespace
}  // namespace podwright::probes::gpu_program_test
