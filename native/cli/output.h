#pragma once
/// Standard output and error. All that is printed passes here: so a terminal finds no orders in names that others
/// chose, and an answer that did not arrive is noticed.
#include <array>
#include <streambuf>
#include <string>
#include <string_view>

namespace podwright::cli {

/// Text that a terminal only shows. Control characters other than tab and line break are written as in JSON, \u001b, so
/// that JSON says what it said; bytes that are no UTF-8 as \xff. Lines of tables end with a carriage return as well.
/// `on_terminal`: so are characters that would show a line in another order than it has, which files keep.
std::string visible(std::string_view text, bool of_tables = false, bool on_terminal = false);

/// A descriptor behind a stream, made visible.
class VisibleOutput : public std::streambuf {
 public:
  /// `by_line`: a line is written when it ends; else what is flushed and large pieces.
  VisibleOutput(int descriptor, bool by_line);
  /// Writes what is left: the error number of the first write that failed, or 0.
  int finish();
  /// Nothing was printed.
  bool is_untouched() const { return is_untouched_; }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  void write_all(std::string_view text);

  int descriptor_;
  bool by_line_;
  bool on_terminal_;
  int error_ = 0;
  bool is_untouched_ = true;
  std::string waiting_;
};

/// std::cout and std::cerr of a program, from its beginning to its end.
class StandardStreams {
 public:
  StandardStreams();
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;
  /// The exit code of a command that ended with `code`: another where its answer did not arrive, which is said. A
  /// reader that went away, as head does, had what it wanted.
  int ended(int code);

 private:
  VisibleOutput out_;
  VisibleOutput error_;
  std::array<std::streambuf*, 2> before_;
};

}  // namespace podwright::cli
