#pragma once
/// Written questions: those that no formula can make. A pack is one JSON text for each objective,
/// core/study/data/written/<objective>.json.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"
#include "base/result.h"
#include "study/question.h"

namespace podwright {

/// A question as its file has it: options in the file's order, steps and pairs in their right order.
struct WrittenQuestion {
  Question question;                   ///< `answer` is empty: the order shown depends on the seed
  std::vector<std::string> like = {};  ///< ids of questions that it gives away, or that give it away
  std::string also;                    ///< objective of another exam under which it is asked too, or empty
};

/// Reads a pack. Errors name the JSON Pointer inside it; ids must begin with the objective.
Result<std::vector<WrittenQuestion>> read_written_pack(const JsonNode& pack);

/// The question with its options in the order that the seed gives.
Question shown_question(const WrittenQuestion& written, std::uint64_t seed);

/// The one that the seed chooses among those of the objective; null where there is none.
const WrittenQuestion* written_of_objective(const std::vector<WrittenQuestion>& written, std::string_view objective,
                                            std::uint64_t seed);

}  // namespace podwright
