/// Products of the processors through a BLAS that is opened at run time, with one that the tests bring along.
#include <algorithm>

#include "native/runs.h"
#include "probes/catalogue.h"
#include "probes/worker_process.h"

namespace podwright::probes::blas_test {
namespace {

/// A small product in a worker of its own, since a process looks for its library once.
Measured measured(const std::string& probe, const std::string& dtype, const std::string& program = PODWRIGHT_PROGRAM) {
  WorkerJob job;
  job.backend = "cpu";
  job.seed = 3;
  ProbeCase one;
  one.probe = probe;
  one.dtype = dtype;
  one.size.m = 65;
  one.size.n = 130;
  one.size.k = 300;
  one.counted = product_work(65, 130, 300, 4, 4);
  one.sample_s = 0.001;
  one.warm_up_s = 0.01;
  one.budget_s = 0.1;
  job.cases = {one};
  WorkerProcess worker(program, job);
  WorkerMessage message;
  while (worker.next(kStartPatience, message) == WorkerProcess::Wait::message)
    if (message.kind == WorkerMessage::Kind::finished) return message.measured;
  ADD_FAILURE() << worker.end_of(WorkerProcess::Wait::ended, "").detail;
  return {};
}

TEST(Blas, RunsTheProductAndIsNamedWithItsVersion) {
  const Variable library("PODWRIGHT_BLAS", PODWRIGHT_STAND_IN_BLAS);
  const Measured one = measured("cpu.gemm.f32", "fp32");
  EXPECT_EQ(one.end, CaseEnd::measured) << one.detail;
  EXPECT_EQ(one.result.check.status, CheckStatus::pass) << one.result.check.worst.value_or(-1);
  EXPECT_EQ(one.result.variant.algorithm, "OpenBLAS 9.9.9");
  EXPECT_FALSE(one.result.samples_s.empty());
}

TEST(Blas, OneWrongValueIsFound) {
  const Variable library("PODWRIGHT_BLAS", PODWRIGHT_STAND_IN_BLAS);
  const Variable mood("STAND_IN_BLAS", "wrong");
  EXPECT_EQ(measured("cpu.gemm.f32", "fp32").result.check.status, CheckStatus::fail);
}

TEST(Blas, WhatALibraryLacksIsSkippedByItsName) {
  const Variable library("PODWRIGHT_BLAS", PODWRIGHT_STAND_IN_BLAS);
  for (const auto& [probe, dtype] : {std::pair("cpu.gemm.f64", "fp64"), {"cpu.gemm.bf16", "bf16"}}) {
    const Measured one = measured(probe, dtype);
    EXPECT_EQ(one.reason, "not_supported");
    EXPECT_EQ(one.detail, std::string("OpenBLAS 9.9.9 has no product in ") + dtype);
  }
}

TEST(Blas, AFileThatIsNoneIsMissing) {
  // It opens, and has no product.
  for (const char* file : {"/nowhere/libblas.so", "libc.so.6"}) {
    const Variable library("PODWRIGHT_BLAS", file);
    const Measured one = measured("cpu.gemm.f32", "fp32");
    EXPECT_EQ(one.reason, "library_missing");
    EXPECT_EQ(one.detail, std::string(file) + ", which PODWRIGHT_BLAS names, is not a BLAS that opens");
  }
}

TEST(Blas, WithoutOneThePackagesAreNamed) {
  const Variable library("PODWRIGHT_BLAS", "");
  const Measured one = measured("cpu.gemm.f32", "fp32");
  if (one.end == CaseEnd::measured) GTEST_SKIP() << "this machine has " << one.result.variant.algorithm;
  EXPECT_EQ(one.reason, "library_missing");
  for (const char* package : {"libopenblas0-pthread", "openblas-threads", "BLIS", "MKL", "NVPL, or name one"})
    EXPECT_NE(one.detail.find(package), std::string::npos) << one.detail;
}

TEST(Blas, StaticProgramOpensNone) {
  const auto program = std::filesystem::path(PODWRIGHT_PROGRAM).parent_path() / "podwright_static";
  if (!std::filesystem::exists(program)) GTEST_SKIP() << "there is no static C library to link with";
  const Variable library("PODWRIGHT_BLAS", PODWRIGHT_STAND_IN_BLAS);
  const Measured one = measured("cpu.gemm.f32", "fp32", program);
  EXPECT_EQ(one.reason, "library_missing");
  EXPECT_NE(one.detail.find("linked statically"), std::string::npos) << one.detail;
}

TEST(Blas, RunWithoutOneMeasuresTheRest) {
  const std::string file = scratch("no_blas.json");
  const std::vector<std::string> arguments = {"probe",  "--backend",           "cpu", "--budget", "5",
                                              "--only", "cpu.gemm,cpu.launch", "-o",  file};
  const std::vector<std::string> variables = {"PODWRIGHT_BLAS=/nowhere/libblas.so"};
  EXPECT_EQ(Program(arguments, variables, scratch("no_blas.log")).wait(), 0);
  const auto read = read_profile(file_text(file));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->profile.run.complete);
  EXPECT_TRUE(read->profile.environment.blas.empty());
  int measured = 0;
  for (const ProbeResult& result : read->profile.results) {
    measured += result.usable();
    if (result.probe != "cpu.gemm.f32") continue;
    ASSERT_TRUE(result.skip);
    EXPECT_EQ(result.skip->reason, SkipReason::library_missing);
    EXPECT_EQ(result.skip->consequence, "matrix products of this machine stay unknown");
  }
  EXPECT_EQ(measured, 1);
  std::vector<std::string> required = arguments;
  required.insert(required.end(), {"--require", "cpu.gemm"});
  EXPECT_EQ(Program(required, variables, scratch("no_blas.log")).wait(), 3);
}

}  // namespace
}  // namespace podwright::probes::blas_test
