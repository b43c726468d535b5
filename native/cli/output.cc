#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iostream>
#include <system_error>

#include "base/characters.h"
#include "cli/exit_codes.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kPiece = 65536;

bool is_plain(char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; }

std::string escape(std::string_view form, unsigned char byte) {
  static constexpr char kDigits[] = "0123456789abcdef";
  return std::string(form) + kDigits[byte / 16] + kDigits[byte % 16];
}

/// Bytes of `text` before the character that begins at its end and is not whole yet.
std::size_t whole_length(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte == '\r' && back == 1) return text.size() - 1;
    if (byte < 0x80) break;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    if (length > 1) return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

/// A descriptor that was closed would be taken by the next file that is opened, and get the answer. Reading and writing
/// fail at these as at a closed one.
void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

}  // namespace

namespace {

/// Embeddings, overrides and isolates of direction (U+202A to U+202E, U+2066 to U+2069): with them a line shows another
/// order of its characters than it has.
bool reorders(std::uint32_t code) { return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069); }

}  // namespace

std::string visible(std::string_view text, bool of_tables, bool on_terminal) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto plain = std::find_if_not(text.begin(), text.end(), is_plain);
    shown.append(text.begin(), plain);
    text.remove_prefix(static_cast<std::size_t>(plain - text.begin()));
    if (text.empty()) break;
    const Character next = first_character(text);
    if (!next.whole)
      shown += escape("\\x", static_cast<unsigned char>(text.front()));
    else if (is_control(next.code) && !(of_tables && text.substr(0, 2) == "\r\n"))
      shown += escape("\\u00", static_cast<unsigned char>(next.code));
    else if (on_terminal && reorders(next.code))
      shown += escape("\\u20", static_cast<unsigned char>(next.code & 0xFFU));
    else
      shown += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
  }
  return shown;
}

// Asked once: what is not a terminal would set the error number of whoever prints.
VisibleOutput::VisibleOutput(int descriptor, bool by_line)
    : descriptor_(descriptor), by_line_(by_line), on_terminal_(isatty(descriptor) == 1) {}

void VisibleOutput::write_all(std::string_view text) {
  while (!text.empty() && error_ == 0) {
    const ssize_t size = write(descriptor_, text.data(), text.size());
    if (size >= 0) text.remove_prefix(static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) error_ = errno;
  }
}

VisibleOutput::int_type VisibleOutput::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize VisibleOutput::xsputn(const char* text, std::streamsize size) {
  const std::string_view added(text, static_cast<std::size_t>(size));
  is_untouched_ = false;
  // In pieces, so that a large answer needs no second place in memory.
  for (std::size_t from = 0; from < added.size(); from += kPiece) {
    waiting_ += added.substr(from, kPiece);
    if (waiting_.size() >= kPiece) sync();
  }
  if (by_line_ && added.find('\n') != std::string_view::npos) sync();
  return error_ == 0 ? size : 0;
}

int VisibleOutput::sync() {
  const std::size_t whole = whole_length(waiting_);
  write_all(visible(std::string_view(waiting_).substr(0, whole), !by_line_, on_terminal_));
  waiting_.erase(0, whole);
  return error_ == 0 ? 0 : -1;
}

int VisibleOutput::finish() {
  write_all(visible(waiting_, !by_line_, on_terminal_));
  waiting_.clear();
  // A server of files may say only when a file is closed that its disk is full.
  if (const int copy = dup(descriptor_); copy >= 0 && close(copy) != 0 && error_ == 0) error_ = errno;
  return error_;
}

StandardStreams::StandardStreams() : out_(STDOUT_FILENO, false), error_(STDERR_FILENO, true), before_() {
  keep_standard_descriptors();
  std::ios::sync_with_stdio(false);  // gives the streams new buffers, so before they get these
  std::signal(SIGXFSZ, SIG_IGN);     // a limit of size is told like a full disk
  before_ = {std::cout.rdbuf(&out_), std::cerr.rdbuf(&error_)};
  std::cerr.unsetf(std::ios::unitbuf);
}

StandardStreams::~StandardStreams() {
  std::cout.rdbuf(before_[0]);
  std::cerr.rdbuf(before_[1]);
}

int StandardStreams::ended(int code) {
  const int written = out_.finish();
  const int error = written == 0 && std::cout.bad() ? ENOMEM : written;  // streams keep exceptions to themselves
  if (error != 0 && error != EPIPE) {
    std::cerr << "podwright: standard output cannot be written: " << std::generic_category().message(error)
              << ". The answer is lost or incomplete.\n";
    code = kEnvironment;
  }
  error_.finish();
  return code;
}

}  // namespace podwright::cli
