#pragma once
/// Files that are at their places whole or not at all, whatever ends the program meanwhile.
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

/// Keeps signals that a person or a scheduler ends the program with until nothing half is left behind.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  /// One of them waits.
  static bool waiting();

 private:
  sigset_t before_;
};

/// Files that belong together. Each is written under a name that nobody can guess beside its place; `place` moves all
/// to their places. What was not moved is removed at the end.
class WholeFiles {
 public:
  WholeFiles() = default;
  ~WholeFiles();
  WholeFiles(const WholeFiles&) = delete;
  WholeFiles& operator=(const WholeFiles&) = delete;

  /// Why the file cannot be written; empty where it could. Devices and pipes are written at once.
  std::string add(const std::string& path, std::string_view text);
  /// Why the file after `placed()` cannot be moved to its place; empty where all are there.
  std::string place();
  /// Those that `place` has moved, in the order of `add`.
  const std::vector<std::string>& placed() const { return placed_; }

 private:
  struct Part {
    std::string path;    ///< as it was given
    std::string part;    ///< where the text is; empty for a device
    std::string target;  ///< the file that `path` means
  };
  HeldSignals held_;  // first, so that parts are removed before a signal ends the program
  std::vector<Part> parts_;
  std::vector<std::string> placed_;
};

/// One file; why it cannot be written, empty where it could.
std::string write_whole(const std::string& path, std::string_view text);

}  // namespace podwright
