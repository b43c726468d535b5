#include "api/answer_writer.h"

namespace podwright {

void AnswerWriter::write_texts(std::string_view key, const std::vector<std::string>& values) {
  if (values.empty()) return;
  out_.begin_list(key);
  for (const std::string& value : values) out_.text(value);
  out_.end_list();
}

}  // namespace podwright
