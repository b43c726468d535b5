#include "golden/question_digest.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "support/test_data.h"

namespace podwright::question_digest_test {
namespace {

/// A difference names the templates whose questions changed.
TEST(Questions, OfAThousandSeedsAreTheSameEverywhere) {
  std::istringstream kept{std::string(podwright_test_data("tests/golden/questions/digests.csv"))};
  std::istringstream now{golden::question_digests()};
  std::string was;
  std::string is;
  while (std::getline(now, is)) {
    std::getline(kept, was);
    EXPECT_EQ(is, was);
  }
  EXPECT_FALSE(std::getline(kept, was)) << was;
}

}  // namespace
}  // namespace podwright::question_digest_test
