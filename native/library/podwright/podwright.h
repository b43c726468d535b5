#pragma once
/* Podwright in a program of your own: a request in, its answer out, both as JSON text. Usable from C; C++ has the
 * functions of namespace podwright at the end, unless PODWRIGHT_C_ONLY is defined. `podwright schema KIND` prints what
 * a request of a kind may say, and `podwright schema KIND --answer` what its answer has. The catalog is asked the same
 * way: {"kind": "catalog", "list": "gpus"}.
 *
 * No function throws, prints, reads files or uses the network. Several threads may call at once; they are answered one
 * after another. */
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As the exit codes of the program. */
enum podwright_outcome {
  PODWRIGHT_ANSWER = 0,
  PODWRIGHT_INFEASIBLE = 1,  /* an answer with reasons, shortfall and ways out */
  PODWRIGHT_WRONG_INPUT = 2, /* every problem of the request, each with its path and a hint */
  PODWRIGHT_FAILED = 5       /* there is no answer, because memory ran out */
};

/* "1.0.0" */
const char* podwright_version(void);

/* The answer to the JSON text `request`, which names its "kind"; the same bytes as the program's `--json`, without the
 * line break at the end. Give it to podwright_free(). NULL where there is none. `outcome` may be NULL. */
char* podwright_answer(const char* request, int* outcome);

/* The same for the `size` bytes from `request` on, which need no zero at their end and may hold some. `answer_size`, if
 * not NULL, is set to the bytes of the answer, without the zero that follows them. */
char* podwright_answer_sized(const char* request, size_t size, int* outcome, size_t* answer_size);

/* JSON Schema (2020-12) of requests of a kind, or of their answers; NULL for a kind that has none. Give it to
 * podwright_free(). */
char* podwright_schema(const char* kind, int of_answer);

/* Takes what another function returned; NULL does nothing. */
void podwright_free(char* text);

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && !defined(PODWRIGHT_C_ONLY)
#include <string>
#include <string_view>

namespace podwright {
// Keeps these apart from names of the same words inside the library.
inline namespace library {

enum class Outcome {
  answer = PODWRIGHT_ANSWER,
  infeasible = PODWRIGHT_INFEASIBLE,
  wrong_input = PODWRIGHT_WRONG_INPUT,
  failed = PODWRIGHT_FAILED
};

struct Answer {
  std::string text;  ///< JSON; empty when `outcome` is failed
  Outcome outcome = Outcome::failed;
};

/// Answers a request, JSON text that names its "kind".
inline Answer answer(std::string_view request) {
  int outcome = PODWRIGHT_FAILED;
  size_t size = 0;
  char* const text = podwright_answer_sized(request.data(), request.size(), &outcome, &size);
  if (text == nullptr) return {};
  struct Owner {
    char* text;
    ~Owner() { podwright_free(text); }
  } const owner{text};
  return {std::string(text, size), static_cast<Outcome>(outcome)};
}

/// The JSON Schema of requests of a kind, or of their answers; empty for a kind that has none.
inline std::string schema(const std::string& kind, bool of_answer = false) {
  char* const text = podwright_schema(kind.c_str(), of_answer ? 1 : 0);
  if (text == nullptr) return {};
  struct Owner {
    char* text;
    ~Owner() { podwright_free(text); }
  } const owner{text};
  return text;
}

inline std::string_view version() { return podwright_version(); }

}  // namespace library
}  // namespace podwright
#endif
