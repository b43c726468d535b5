/// Any text as a request of any kind: the answer is JSON, and a refusal says what and where.
#include <cstddef>
#include <cstdint>

#include "api/answer.h"
#include "fuzz/fuzz_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  podwright::fuzz::expect_answer(podwright::answer(podwright::fuzz::text_of(data, size)));
  return 0;
}
