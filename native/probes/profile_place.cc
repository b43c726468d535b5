#include "probes/profile_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "probes/worker.h"

namespace podwright::probes {
namespace {
namespace fs = std::filesystem;

/// A new file of a name that nobody could know, which is gone unless it was moved.
class NewFile {
 public:
  explicit NewFile(const std::string& path) : name_(path + ".part-XXXXXX"), file_(mkostemp(name_.data(), O_CLOEXEC)) {}
  ~NewFile() {
    if (file_ < 0) return;
    close(file_);
    unlink(name_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  bool there() const { return file_ >= 0; }
  /// A machine that a fault stops soon after still has it.
  bool take(const std::string& text) const {
    const mode_t mask = umask(0);
    umask(mask);
    return write_all(file_, text) && fchmod(file_, 0666 & ~mask) == 0 && fsync(file_) == 0;
  }
  bool move(const std::string& path) {
    if (close(file_) != 0 || rename(name_.c_str(), path.c_str()) != 0) {
      unlink(name_.c_str());
      file_ = -1;
      return false;
    }
    file_ = -1;
    return true;
  }

 private:
  std::string name_;
  int file_;
};

bool is_another_thing(const std::string& path) {
  std::error_code failed;
  const fs::file_status there = fs::status(path, failed);
  return fs::exists(there) && !fs::is_regular_file(there);
}

int open_as_it_is(const std::string& path) { return open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK); }

}  // namespace

bool write_beside(const std::string& path, const std::string& text) {
  if (is_another_thing(path)) {
    const int file = open_as_it_is(path);
    return file >= 0 && write_all(file, text) && close(file) == 0;
  }
  NewFile made(path);
  return made.there() && made.take(text) && made.move(path);
}

bool can_write_beside(const std::string& path) {
  if (is_another_thing(path)) {
    const int file = open_as_it_is(path);
    return file >= 0 && close(file) == 0;
  }
  return NewFile(path).there();
}

}  // namespace podwright::probes
