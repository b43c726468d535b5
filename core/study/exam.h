#pragma once
/// A whole practice exam: fifty questions by the weights of the exam's domains, generated and written ones mixed.
#include <cstdint>
#include <vector>

#include "catalog/catalog.h"
#include "study/question.h"
#include "study/written.h"

namespace podwright {

inline constexpr std::size_t kExamQuestions = 50;
/// Weights of the three domains, from the exam's study guide.
inline constexpr double kExamDomainWeights[] = {0.38, 0.40, 0.22};

/// Questions of each domain: 19, 20 and 11.
std::vector<std::size_t> exam_questions_of_domains();

/// The exam of this seed. No template and no written question comes twice. In each domain the objectives take turns, in
/// an order of the seed, each with one of its written questions or templates, so that every objective comes while it
/// has any. Where a domain has too few, the exam is shorter.
std::vector<Question> make_exam(const Catalog& catalog, const std::vector<WrittenQuestion>& written,
                                std::uint64_t seed);

}  // namespace podwright
