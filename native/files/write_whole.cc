#include "files/write_whole.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

namespace podwright {
namespace fs = std::filesystem;
namespace {

constexpr int kHeld[] = {SIGINT, SIGTERM, SIGHUP};

std::string reason(int error) { return std::generic_category().message(error); }

/// Writes all and closes: 0, or the error number.
int write_and_close(int descriptor, std::string_view text, bool to_disk) {
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t size = write(descriptor, text.data(), text.size());
    if (size >= 0) text.remove_prefix(static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) error = errno;
  }
  if (error == 0 && to_disk && fsync(descriptor) != 0) error = errno;
  if (close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

/// Devices, pipes and what a shell has open, which a new file must not replace.
bool is_written_in_place(const std::string& path, const struct stat& found, bool exists) {
  return (exists && !S_ISREG(found.st_mode)) || path.starts_with("/dev/std") || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/");
}

/// A name beside `target` that nobody can guess, so that nobody can plant a link at it.
std::string name_beside(const fs::path& target) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::random_device random;
  std::string name = ".podwright-";
  for (int i = 0; i < 16; ++i) name += kDigits[random() % 16];
  return (target.parent_path() / (name + ".part")).string();
}

/// The file that a link stands for, so that the link stays.
fs::path target_of(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? fs::path(path) : real;
}

}  // namespace

HeldSignals::HeldSignals() : before_() {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : kHeld) sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool HeldSignals::waiting() {
  sigset_t pending;
  sigpending(&pending);
  for (const int signal : kHeld)
    if (sigismember(&pending, signal) == 1) return true;
  return false;
}

WholeFiles::~WholeFiles() {
  for (const Part& part : parts_)
    if (!part.part.empty()) unlink(part.part.c_str());
}

std::string WholeFiles::add(const std::string& path, std::string_view text) {
  struct stat found {};
  const bool exists = stat(path.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) return reason(EISDIR);
  if (is_written_in_place(path, found, exists)) {
    const int device = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = device < 0 ? errno : write_and_close(device, text, false);
    if (error == 0) parts_.push_back({path, "", path});
    return error == 0 ? "" : reason(error);
  }
  const fs::path target = target_of(path);
  const std::string part = name_beside(target);
  const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return reason(errno);
  parts_.push_back({path, part, target.string()});
  if (exists && fchmod(file, found.st_mode & 07777U) != 0) {
    const int error = errno;
    close(file);
    return reason(error);
  }
  const int error = write_and_close(file, text, true);
  return error == 0 ? "" : reason(error);
}

std::string WholeFiles::place() {
  for (Part& one : parts_) {
    if (!one.part.empty() && rename(one.part.c_str(), one.target.c_str()) != 0) return reason(errno);
    one.part.clear();
    placed_.push_back(one.path);
  }
  return "";
}

std::string write_whole(const std::string& path, std::string_view text) {
  WholeFiles file;
  const std::string why = file.add(path, text);
  return why.empty() ? file.place() : why;
}

}  // namespace podwright
