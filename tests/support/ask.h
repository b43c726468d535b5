#pragma once
/// Requests and their answers as trees, for tests that link the whole engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "api/answer.h"
#include "base/json_read.h"

namespace podwright {

/// A run for which every part of a training answer is known.
inline const std::string kTrainingRun =
    R"({"kind":"training","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":64,"system":"dgx-h100",
        "sequence_length":8192,"global_batch_size":512,"parallelism":{"tensor":2,"data":32},
        "activation_recompute":"full","framework":"megatron-core"})";

struct Reply {
  JsonNode answer;
  Outcome outcome;
};

inline Reply ask(const std::string& request) {
  const Answer answer = answer_request(embedded_catalog_facts(), request);
  const auto node = parse_json(answer.text);
  EXPECT_TRUE(node) << answer.text;
  return {node ? *node : JsonNode{}, answer.outcome};
}

/// The request changed by a merge patch.
inline Reply ask(const std::string& request, const std::string& patch) {
  return ask(json_text(merged(*parse_json(request), *parse_json(patch))));
}

/// The number at a JSON Pointer, whose steps need no escapes; a failure and 0 where it is not there.
inline double number_at(const JsonNode& node, std::string_view pointer) {
  const JsonNode* here = &node;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    const std::string step(pointer.substr(begin, end - begin));
    if (here->is_list()) {
      const auto index = static_cast<std::size_t>(std::stoul(step));
      here = index < here->items.size() ? &here->items[index] : nullptr;
    } else {
      here = here->find(step);
    }
    if (here == nullptr) {
      ADD_FAILURE() << pointer << " is not there";
      return 0;
    }
    begin = end + 1;
  }
  return here->number;
}

/// A member of the first error, such as its path; empty where there is none.
inline std::string first_error(const JsonNode& answer, std::string_view member) {
  const JsonNode* error = answer.find("error");
  return error == nullptr ? "" : error->find(member)->text;
}

}  // namespace podwright
