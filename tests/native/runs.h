#pragma once
/// Runs of the program's runner with scripted devices.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "measure/profile_file.h"
#include "probes/backends.h"
#include "probes/result_of_case.h"
#include "probes/runner.h"

namespace podwright::probes {

/// Sets an environment variable while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

inline RunOptions fake_options(std::vector<std::string> only) {
  RunOptions options;
  options.program = PODWRIGHT_PROGRAM;
  options.backend = "fake";
  options.only = std::move(only);
  options.version = "test";
  return options;
}

/// A standard run of scripted devices.
inline RunOutcome run_standard(const std::string& script, std::vector<std::string> only) {
  const Variable variable("PODWRIGHT_FAKE", script);
  RunOptions options = fake_options(std::move(only));
  options.budget.mode = RunMode::standard;
  return run_probes(options);
}

/// A script that hangs is given seconds instead of half a minute; still far more than its other probes need.
inline RunOutcome run_fake(const std::string& script, std::vector<std::string> only) {
  const Variable variable("PODWRIGHT_FAKE", script);
  RunOptions options = fake_options(std::move(only));
  if (script.find("hang") != std::string::npos) options.watchdog_factor = 0.2;
  return run_probes(options);
}

/// The profile of a quick run of processors, whose products and triads a scripted device measures in their place.
inline HardwareProfile scripted_processors() {
  HardwareProfile profile;
  profile.run.started = "2026-01-31T12:00:00Z";
  profile.run.backend = "cpu";
  profile.run.complete = true;
  profile.host.cpu_model = "Scripted processors";
  profile.host.logical_cores = 4;
  profile.host.memory_gib = 64;
  ProfileDevice& device = profile.devices.emplace_back();
  device.id = "d0";
  device.kind = "cpu";
  device.name = profile.host.cpu_model;
  const PwBackend& backend = *fake_backend();
  void* session = nullptr;
  PwFault fault{};
  EXPECT_EQ(backend.open(0, &session, &fault), PW_OK);
  for (const ProbeCase& one : plan_cases({.backend = "cpu", .threads = 4}, {RunMode::quick, 0}, 1))
    if (chosen(one.probe, {"cpu.gemm", "cpu.stream.triad"}))
      take_case(profile, 0, {}, one, measure_case(backend, session, one, 1));
  backend.close(session);
  return profile;
}

inline std::string scratch(const std::string& name) {
  const auto folder = std::filesystem::temp_directory_path() / ("podwright_probes_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

inline std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The program as a process of its own; its output goes to files beside it.
class Program {
 public:
  Program(const std::vector<std::string>& arguments, const std::vector<std::string>& variables, const std::string& log,
          const std::string& program = PODWRIGHT_PROGRAM) {
    process_ = fork();
    if (process_ != 0) return;
    for (const std::string& variable : variables) putenv(strdup(variable.c_str()));
    std::vector<char*> list{strdup(program.c_str())};
    for (const std::string& argument : arguments) list.push_back(strdup(argument.c_str()));
    list.push_back(nullptr);
    if (freopen(log.c_str(), "w", stdout) == nullptr || freopen((log + ".err").c_str(), "w", stderr) == nullptr)
      _exit(126);
    execv(list.front(), list.data());
    _exit(127);
  }
  ~Program() {
    if (process_ > 0) {
      kill(SIGKILL);
      wait();
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void kill(int signal) const {
    if (process_ > 0) ::kill(process_, signal);
  }
  /// The exit code; 128 and more: ended by a signal.
  int wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t process_ = -1;
};

}  // namespace podwright::probes
