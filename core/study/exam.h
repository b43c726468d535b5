#pragma once
/// A whole practice exam: fifty questions by the weights of the exam's domains. docs/method/study.md#exam.
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "study/question.h"
#include "study/written.h"

namespace podwright {

inline constexpr std::size_t kExamQuestions = 50;
/// Weights of the three domains, from the exam's study guide.
inline constexpr double kExamDomainWeights[] = {0.38, 0.40, 0.22};
/// Sums of an exam at most. Public samples of the exam hardly contain any.
inline constexpr std::size_t kExamCalculations = 3;

/// Objectives of the exam in their order, from its study guide.
inline constexpr std::string_view kExamObjectives[] = {"1.1", "1.2",  "1.3", "1.4", "1.5", "1.6", "1.7", "1.8",
                                                       "2.1", "2.2",  "2.3", "2.4", "2.5", "2.6", "2.7", "2.8",
                                                       "2.9", "2.10", "3.1", "3.2", "3.3", "3.4"};

/// exam: questions of the associate level with options to choose from, nearly all conceptual, as the exam asks them.
/// challenge: generated and written questions of every level and kind.
enum class ExamForm { exam, challenge };
inline constexpr std::array<std::string_view, 2> kExamFormWords{"exam", "challenge"};

struct ExamWish {
  std::uint64_t seed = 0;
  ExamForm form = ExamForm::challenge;
  std::set<std::string, std::less<>> seen = {};  ///< ids that come only where an objective has nothing else
};

/// Questions of each domain: 19, 20 and 11.
std::vector<std::size_t> exam_questions_of_domains();

/// The exam of a wish. No template and no written question comes twice, and none with one that gives it away. In each
/// domain the objectives take turns, in an order of the seed, each with one of its written questions or templates, so
/// that every objective comes while it has any. Where a domain has too few, the exam is shorter.
std::vector<Question> make_exam(const Catalog& catalog, const std::vector<WrittenQuestion>& written,
                                const ExamWish& wish);

}  // namespace podwright
