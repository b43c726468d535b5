#include "golden/question_digest.h"

#include <gtest/gtest.h>

#include "support/test_data.h"

namespace podwright::golden {
namespace {

/// A difference names the templates whose questions changed.
TEST(Questions, OfAThousandSeedsAreTheSameEverywhere) {
  EXPECT_EQ(question_digests(), podwright_test_data("questions/digests.csv"));
}

}  // namespace
}  // namespace podwright::golden
