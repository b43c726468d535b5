#pragma once
/// Wrong input as a value. Infeasible is not an error but an answer; a bug is PODWRIGHT_ASSERT.
#include <cstddef>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace podwright {

/// One problem of an input. `path` is a JSON Pointer that names the key itself, also when it is missing;
/// `hint` names the nearest key or id, or the legal values.
struct Error {
  std::string code;  ///< not-json, unknown-key, wrong-type, out-of-range, missing, unknown-id, duplicate-key, conflict,
                     ///< too-large, not-built, more-errors
  std::string path;
  std::string message;
  std::string hint;
};
using Errors = std::vector<Error>;

/// Of more problems than this, the first are told and how many there are.
inline constexpr std::size_t kMostErrors = 200;
/// At most kMostErrors of them, and where `all` is more than these, a last one with the code "more-errors" that says
/// so.
Errors shortened(Errors errors, std::size_t all);

template <class T>
using Result = tl::expected<T, Errors>;

inline tl::unexpected<Errors> failure(Error error) { return tl::unexpected<Errors>(Errors{std::move(error)}); }
inline tl::unexpected<Errors> failure(Errors errors) { return tl::unexpected<Errors>(std::move(errors)); }

/// Reports the broken promise and stops the program (a trap in the browser, where the worker starts a fresh module).
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace podwright

#define PODWRIGHT_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::podwright::assertion_failed(#condition, PODWRIGHT_FILE, __LINE__))

#if defined(__FILE_NAME__)
#define PODWRIGHT_FILE __FILE_NAME__
#else
#define PODWRIGHT_FILE __FILE__
#endif
