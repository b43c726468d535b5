#include "cli/internal_error.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "base/result.h"

namespace podwright::cli {
namespace {

constexpr int kInternalCode = 5;

void throw_one() { throw std::length_error("vector::reserve"); }
void where_none_may_leave(void (*work)()) noexcept { work(); }

TEST(InternalErrorDeathTest, APromiseThatDoesNotHoldEndsWithFive) {
  const auto broken = [] {
    report_internal_errors(Reader::person);
    PODWRIGHT_ASSERT(1 == 2);
  };
  EXPECT_EXIT(broken(), testing::ExitedWithCode(kInternalCode),
              "internal error: podwright [0-9.]+ stopped at internal_error_test.cc:[0-9]+, where this does not hold: "
              "1 == 2.\n.*report it with the command, its input and the version");
}

TEST(InternalErrorDeathTest, AnExceptionThatNobodyMayCatchEndsWithFive) {
  const auto thrown = [] {
    report_internal_errors(Reader::program);
    where_none_may_leave(throw_one);
  };
  EXPECT_EXIT(thrown(), testing::ExitedWithCode(kInternalCode), "podwright [0-9.]+ stopped: vector::reserve");
}

TEST(InternalErrorDeathTest, FullMemoryIsNoFaultOfTheProgram) {
  const auto full = [] {
    report_internal_errors(Reader::person);
    try {
      throw std::bad_alloc();
    } catch (...) {
      end_with_exception();
    }
  };
  EXPECT_EXIT(full(), testing::ExitedWithCode(kInternalCode),
              "memory that this process may use is full.\nGive it more");
}

}  // namespace
}  // namespace podwright::cli
