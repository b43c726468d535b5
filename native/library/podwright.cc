// The C++ part of the header has the same words as the engine, which are meant here.
#define PODWRIGHT_C_ONLY
#include "podwright/podwright.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include "api/answer.h"
#include "api/schema.h"

namespace podwright {
namespace {

static_assert(static_cast<int>(Outcome::answer) == PODWRIGHT_ANSWER);
static_assert(static_cast<int>(Outcome::infeasible) == PODWRIGHT_INFEASIBLE);
static_assert(static_cast<int>(Outcome::wrong_input) == PODWRIGHT_WRONG_INPUT);

/// The engine works out some tables when they are first asked for, and knows no threads.
std::mutex& engine() {
  static std::mutex one;
  return one;
}

/// A copy that C code frees; null where there is no memory.
char* copy_for_c(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

/// What `work` returns; null where it throws. The engine throws nothing of its own, but memory may run out.
template <class Work>
char* without_exceptions(Work work) noexcept {
  try {
    const std::lock_guard<std::mutex> alone(engine());
    return work();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace
}  // namespace podwright

extern "C" {

const char* podwright_version(void) { return podwright::version().data(); }

char* podwright_answer(const char* request, int* outcome) {
  return podwright_answer_sized(request, request == nullptr ? 0 : std::strlen(request), outcome, nullptr);
}

char* podwright_answer_sized(const char* request, size_t size, int* outcome, size_t* answer_size) {
  int end = PODWRIGHT_FAILED;
  size_t length = 0;
  char* const text = podwright::without_exceptions([&] {
    const std::string_view asked = request == nullptr ? std::string_view() : std::string_view(request, size);
    const podwright::Answer answer = podwright::answer_request(podwright::embedded_catalog_facts(), asked);
    char* const copy = podwright::copy_for_c(answer.text);
    if (copy == nullptr) return copy;
    end = static_cast<int>(answer.outcome);
    length = answer.text.size();
    return copy;
  });
  if (outcome != nullptr) *outcome = end;
  if (answer_size != nullptr) *answer_size = length;
  return text;
}

char* podwright_schema(const char* kind, int of_answer) {
  if (kind == nullptr) return nullptr;
  return podwright::without_exceptions([&]() -> char* {
    const std::string text = of_answer != 0 ? podwright::answer_schema(kind)
                                            : podwright::request_schema(podwright::embedded_catalog_facts(), kind);
    return text.empty() ? nullptr : podwright::copy_for_c(text);
  });
}

void podwright_free(char* text) { std::free(text); }

}  // extern "C"
