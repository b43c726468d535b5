#include "probes/gpu_program.h"

#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>

namespace podwright::probes {
namespace {
namespace fs = std::filesystem;

/// On an older C library the loader ends it before it starts.
bool starts(const std::string& program) {
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  char name[] = "podwright-gpu";
  char version[] = "--version";
  char* const words[] = {name, version, nullptr};
  pid_t process = 0;
  int status = 1;
  const bool spawned = posix_spawn(&process, program.c_str(), &quiet, nullptr, words, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  return spawned && waitpid(process, &status, 0) == process && status == 0;
}

}  // namespace

bool opens_libraries() {
  // The program itself comes first; it names a loader when it is linked with shared libraries.
  const auto names_loader = [](dl_phdr_info* program, std::size_t, void*) {
    for (int i = 0; i < program->dlpi_phnum; ++i)
      if (program->dlpi_phdr[i].p_type == PT_INTERP) return 1;
    return -1;
  };
  return dl_iterate_phdr(names_loader, nullptr) > 0;
}

GpuProgram gpu_program() {
  std::error_code failed;
  const fs::path path = fs::read_symlink("/proc/self/exe", failed).parent_path() / "podwright-gpu";
  if (!fs::exists(path, failed)) return {{}, "podwright-gpu measures GPUs, and is missing at " + path.string()};
  if (!starts(path.string()))
    return {{}, "podwright-gpu measures GPUs, and does not start; it needs glibc 2.34 or newer: " + path.string()};
  return {path.string(), {}};
}

}  // namespace podwright::probes
