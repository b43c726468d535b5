#pragma once
/// A whole practice exam: fifty questions by the weights of the exam's domains, generated and written ones mixed.
#include <cstdint>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "study/question.h"
#include "study/written.h"

namespace podwright {

inline constexpr std::size_t kExamQuestions = 50;
/// Weights of the three domains, from the exam's study guide.
inline constexpr double kExamDomainWeights[] = {0.38, 0.40, 0.22};

/// Objectives of the exam in their order, from its study guide.
inline constexpr std::string_view kExamObjectives[] = {"1.1", "1.2",  "1.3", "1.4", "1.5", "1.6", "1.7", "1.8",
                                                       "2.1", "2.2",  "2.3", "2.4", "2.5", "2.6", "2.7", "2.8",
                                                       "2.9", "2.10", "3.1", "3.2", "3.3", "3.4"};

/// Questions of each domain: 19, 20 and 11.
std::vector<std::size_t> exam_questions_of_domains();

/// The exam of this seed. No template and no written question comes twice. In each domain the objectives take turns, in
/// an order of the seed, each with one of its written questions or templates, so that every objective comes while it
/// has any. Where a domain has too few, the exam is shorter.
std::vector<Question> make_exam(const Catalog& catalog, const std::vector<WrittenQuestion>& written,
                                std::uint64_t seed);

}  // namespace podwright
