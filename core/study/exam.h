#pragma once
/// A whole practice exam: questions by the weights of the domains of its blueprint. docs/method/study.md#exam.
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "study/blueprint_table.h"
#include "study/question.h"
#include "study/written.h"

namespace podwright {

/// exam: questions of the exam's level with options to choose from, nearly all conceptual, as the exam asks them.
/// challenge: generated and written questions of every level and kind.
enum class ExamForm { exam, challenge };
inline constexpr std::array<std::string_view, 2> kExamFormWords{"exam", "challenge"};

struct ExamWish {
  const Blueprint* blueprint = &kBlueprints.front();
  std::uint64_t seed = 0;
  ExamForm form = ExamForm::challenge;
  std::set<std::string, std::less<>> seen = {};  ///< ids that come only where an objective has nothing else
};

/// The exam of a wish. No template and no written question comes twice, and none with one that gives it away. In each
/// domain the objectives take turns, in an order of the seed, each with one of its written questions or templates, so
/// that every objective comes while it has any. Where a domain has too few, the exam is shorter.
std::vector<Question> make_exam(const Catalog& catalog, const std::vector<WrittenQuestion>& written,
                                const ExamWish& wish);

}  // namespace podwright
