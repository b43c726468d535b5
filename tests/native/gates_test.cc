/// What a health gate asks for by name is measured, or the code says that it was not.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "native/fleet.h"
#include "probes/catalogue.h"

namespace podwright::probes::gates_test {
namespace {

struct Gate {
  std::vector<std::string> arguments;
  int code;
  std::string says;  ///< on the error stream
};

TEST(Gates, PassNothingThatWasNotTried) {
  const std::string profile = scratch("gate.json");
  const std::string log = scratch("gate.log");
  for (const Gate& gate : std::vector<Gate>{
           {{"--require", "gemm", "--only", "hbm.triad", "--backend", "fake"},
            3,
            "1 of 1 required probes were not tried: gemm"},
           {{"--require", "nosuch", "--backend", "fake"}, 2, "--require: The name of no probe begins with \"nosuch\"."},
           {{"--require", "gemm.fp4typo", "--backend", "fake"}, 2, "Did you mean \"gemm.fp"},
           {{"--only", "nosuch", "--backend", "cpu", "-o", profile}, 2, "--only: The name of no probe begins with"},
           {{"--only", "", "--backend", "cpu"}, 2, "--only"},
           // Known, and of another backend or of longer runs.
           {{"--only", "gemm", "--backend", "cpu", "-o", profile}, 3, "no probe of this run on cpu begins with gemm"},
           {{"--require", "soak,hbm", "--only", "hbm.triad", "--backend", "fake"},
            3,
            "1 of 2 required probes were not tried: soak"},
           {{"--only", "hbm.triad,cpu", "--backend", "fake"}, 0, "No probe of this run on fake begins with cpu."},
           {{"--require", "hbm.triad", "--only", "hbm", "--backend", "fake"}, 0, ""},
           // Another way to do the same is chosen by its own name.
           {{"--require", "gemm.bf16.best", "--only", "gemm.bf16.best", "--backend", "fake"},
            3,
            "on fake begins with gemm.bf16.best"}}) {
    std::vector<std::string> arguments = {"probe"};
    arguments.insert(arguments.end(), gate.arguments.begin(), gate.arguments.end());
    EXPECT_EQ(Program(arguments, {}, log).wait(), gate.code) << gate.says << file_text(log + ".err");
    EXPECT_NE(file_text(log + ".err").find(gate.says), std::string::npos) << gate.says << file_text(log + ".err");
    EXPECT_FALSE(std::filesystem::exists(profile)) << "nothing was measured";
  }
}

TEST(Gates, KnowEveryProbeThatAMachineCanRun) {
  const std::vector<std::string> list = probe_names();
  const std::set<std::string> names(list.begin(), list.end());
  for (const char* one : {"cpu.threads.triad", "cpu.gemm.bf16", "gemm.int8", "gemm.fp8-block", "gemm.nvfp4", "soak.all",
                          "coll.allreduce.no_nvls", "overlap.collective", "p2p.matrix", "gemm.fp16.best", "idle"})
    EXPECT_EQ(names.count(one), 1U) << one;
  for (const RunMode mode : {RunMode::quick, RunMode::standard, RunMode::soak, RunMode::cluster})
    for (const int capability : {0, 70, 75, 80, 86, 89, 90, 100, 120})
      for (const ProbeCase& one : gpu_cases({.backend = "cuda",
                                  .memory_bytes = 80e9,
                                  .devices = 8,
                                  .capability = capability,
                                  .members = {0, 1, 2, 3}},
                                            mode))
        EXPECT_EQ(names.count(one.name()), 1U) << one.name();
}

TEST(Gates, NumbersThatAreNoneAreRefused) {
  for (const char* option : {"--budget", "--seed", "--watchdog", "--patience"})
    EXPECT_EQ(Program({"probe", "--backend", "fake", "--cluster", option, "nan"}, {}, scratch("nan.log")).wait(), 2)
        << option;
}

TEST(Gates, OfSeveralRanksCountWhatTheyTriedTogether) {
  Fleet lacks = start("gate_lacks", {{"PODWRIGHT_FAKE=host=a"}, {"PODWRIGHT_FAKE=host=b"}},
                      {.only = "hbm.triad", .more = {"--require", "coll.sendrecv"}});
  EXPECT_EQ(codes(lacks), (std::vector<int>{3, 3}));
  EXPECT_EQ(merge(lacks).code, 3);
  Fleet has = start("gate_has", {{"PODWRIGHT_FAKE=host=a"}, {"PODWRIGHT_FAKE=host=b"}},
                    {.only = "hbm.triad,coll.sendrecv", .more = {"--require", "coll.sendrecv,hbm"}});
  EXPECT_EQ(codes(has), (std::vector<int>{0, 0}));
  // A library that one of them lacks is everybody's skip; the first of a team tells it.
  Fleet skips =
      start("gate_skips", {{"PODWRIGHT_FAKE=host=a"}, {"PODWRIGHT_FAKE=host=b;library_missing@coll.allreduce"}},
            {.only = "coll.allreduce", .more = {"--require", "coll.allreduce"}});
  EXPECT_EQ(codes(skips).front(), 3);
  EXPECT_EQ(merge(skips).code, 3);
}

}  // namespace
}  // namespace podwright::probes::gates_test
