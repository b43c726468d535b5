#include "cli/answer_format.h"

#include <utility>

namespace podwright::cli {

void add_format(CLI::App& command, FormatOption& format) {
  command
      .add_option("--format", format.word,
                  "How the answer is printed; csv has a row for each plan, candidate or estimate")
      ->check(CLI::IsMember({"text", "json", "csv", "markdown"}))
      ->default_str("text");
  command.add_flag("--json", format.json, "The same as --format json: the answer for programs");
}

std::function<void(Page&, const JsonNode&)> as_page(std::function<std::string(const JsonNode&)> text) {
  return [text = std::move(text)](Page& page, const JsonNode& answer) { page.code(text(answer)); };
}

int show_answer(const Answer& answer, const FormatOption& format, const AnswerForms& forms, const PathNotes& notes) {
  return show_answer(
      answer, format.is_json(),
      [&](const JsonNode& shown) {
        if (format.word == "csv") return forms.csv(shown);
        Page page(format.word == "markdown" ? Page::Form::markdown : Page::Form::terminal);
        forms.page(page, shown);
        return page.take();
      },
      notes);
}

}  // namespace podwright::cli
