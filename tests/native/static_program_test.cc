/// The program that holds the CUDA kernels, without a GPU: it starts, names what is missing and ends with 3.
#include "native/runs.h"

namespace podwright::probes::static_program_test {
namespace {

/// Stands beside the program where nvcc built it.
std::string static_program() {
  return (std::filesystem::path(PODWRIGHT_PROGRAM).parent_path() / "podwright_static").string();
}

TEST(StaticProgram, StartsWithoutADriver) {
  if (!std::filesystem::exists(static_program())) GTEST_SKIP() << "the program with the kernels was not built";
  const std::string log = scratch("static_version.log");
  EXPECT_EQ(Program({"--version"}, {}, log, static_program()).wait(), 0);
  EXPECT_FALSE(file_text(log).empty());
}

TEST(StaticProgram, NamesWhatIsMissing) {
  if (!std::filesystem::exists(static_program())) GTEST_SKIP() << "the program with the kernels was not built";
  const std::string log = scratch("static_probe.log");
  // No plugin is looked for. A machine with a driver hides its devices, so that nothing is measured there either.
  Program program({"probe", "--backend", "cuda"},
                  {"PODWRIGHT_CUDA_PLUGIN=/nowhere/libpodwright_cuda.so", "CUDA_VISIBLE_DEVICES="}, log,
                  static_program());
  EXPECT_EQ(program.wait(), 3);
  const std::string told = file_text(log + ".err");
  const bool no_driver = told.find("no_driver: cudaGetDeviceCount: error 35") != std::string::npos;
  const bool no_device = told.find("no_device: cudaGetDeviceCount: error 100") != std::string::npos;
  EXPECT_TRUE(no_driver || no_device) << told;
}

}  // namespace
}  // namespace podwright::probes::static_program_test
