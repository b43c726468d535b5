#include "cli/internal_error.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>

#include "api/outcome.h"
#include "base/broken_promise.h"
#include "cli/exit_codes.h"
#include "cli/output.h"

namespace podwright::cli {
namespace {

Reader reader_of_answers = Reader::person;
bool has_begun = false;

/// A text of fixed size: memory may have run out.
class Report {
 public:
  void add(const char* text) { add(text, false); }
  /// As a part of a JSON string.
  void add_quoted(const char* text) { add(text, true); }
  const char* text() const { return text_; }
  void write_to(int descriptor) const {
    const char* from = text_;
    while (from < text_ + size_) {
      const ssize_t size = write(descriptor, from, static_cast<std::size_t>(text_ + size_ - from));
      if (size <= 0) return;
      from += size;
    }
  }

 private:
  static constexpr std::size_t kSize = 8192;

  void add(const char* text, bool quoted) {
    for (; *text != '\0' && size_ + 2 < kSize; ++text) {
      const bool plain = (*text >= ' ' && *text <= '~') || (*text == '\n' && !quoted);
      if (quoted && (*text == '"' || *text == '\\')) text_[size_++] = '\\';
      text_[size_++] = plain ? *text : '?';
    }
  }

  char text_[kSize] = {};
  std::size_t size_ = 0;
};

constexpr const char* kPleaseReport =
    "This is a fault of the program, not of the input. Please report it with the command, its input and the version.";

/// What happened, where, in which version.
void describe(char* message, std::size_t size, const char* what, const char* file, int line) {
  const std::string_view now = version();
  if (file == nullptr)
    std::snprintf(message, size, "podwright %.*s stopped: %s.", static_cast<int>(now.size()), now.data(), what);
  else
    std::snprintf(message, size, "podwright %.*s stopped at %s:%d, where this does not hold: %s.",
                  static_cast<int>(now.size()), now.data(), file, line, what);
}

constexpr const char* kMoreMemory = "Give it more memory, or a smaller input.";

void print_report(const char* what, const char* file, int line, const char* hint) {
  char message[1024];
  describe(message, sizeof message, what, file, line);
  Report text;
  for (const char* part : {"podwright: internal error: ", static_cast<const char*>(message), "\n", hint, "\n"})
    text.add(part);
  text.write_to(STDERR_FILENO);
  // One document is not followed by another.
  const auto* output = dynamic_cast<const VisibleOutput*>(std::cout.rdbuf());
  const bool is_first = output == nullptr || output->is_untouched();
  if (reader_of_answers == Reader::person || (reader_of_answers == Reader::program && !is_first)) return;
  Report error;
  error.add("{\"code\":\"internal\",\"path\":\"\",\"message\":\"");
  error.add_quoted(message);
  error.add("\",\"hint\":\"");
  error.add_quoted(hint);
  error.add("\"}");
  Report answer;
  answer.add("{\"errors\":[");
  answer.add(error.text());
  answer.add("],\"error\":");
  answer.add(error.text());
  answer.add("}\n");
  answer.write_to(STDOUT_FILENO);
}

[[noreturn]] void end_reported(const char* what, const char* file, int line, const char* hint) {
  if (!has_begun) {
    has_begun = true;
    try {
      std::cout.flush();
      std::cerr.flush();
    } catch (...) {
      // What was printed before is lost; the report does not depend on it.
    }
    print_report(what, file, line, hint);
  }
  std::_Exit(kInternal);
}

void end_with_promise(const char* expression, const char* file, int line) {
  end_reported(expression, file, line, kPleaseReport);
}

/// A stack that cannot grow ends a program by a signal. Where memory is limited, it grows before the work begins.
void grow_stack() {
  constexpr std::size_t kStack = std::size_t{1} << 20;
  constexpr std::size_t kPage = 4096;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  void* const room = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  munmap(room, kStack);
  [[maybe_unused]] volatile char stack[kStack];
  for (std::size_t end = kStack; end > 0; end -= kPage) stack[end - 1] = 0;
}

}  // namespace

void end_with_exception() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    end_reported("the memory that this process may use is full", nullptr, 0, kMoreMemory);
  } catch (const std::exception& thrown) {
    end_reported(thrown.what(), nullptr, 0, kPleaseReport);
  } catch (...) {
    end_reported("something was thrown that is no exception", nullptr, 0, kPleaseReport);
  }
}

void report_internal_errors(Reader reader) {
  reader_of_answers = reader;
  report_broken_promises(end_with_promise);
  std::set_terminate([] {
    if (std::current_exception() != nullptr) end_with_exception();
    end_reported("it was terminated without an exception", nullptr, 0, kPleaseReport);
  });
  try {
    grow_stack();
  } catch (...) {
    end_with_exception();
  }
}

}  // namespace podwright::cli
