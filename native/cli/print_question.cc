#include "cli/print_question.h"

#include "base/number_text.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kChoiceIndent = 4;

std::string letter(std::size_t index) { return std::string(1, static_cast<char>('A' + index)); }

std::string line(const std::string& mark, std::string_view text) {
  const std::string first = (mark + std::string(kChoiceIndent, ' ')).substr(0, kChoiceIndent);
  return first + wrapped(text, kTextWidth, kChoiceIndent) + "\n";
}

/// "B", "B, D", "first B, then A", "1 B, 2 A"
std::string answer_text_of(const JsonNode& question) {
  const JsonNode& answer = *question.find("answer");
  if (const JsonNode* number = answer.find("number"); number != nullptr) {
    const std::string unit = answer.find("unit")->text;
    const double tolerance = answer.find("tolerance")->number;
    return human_number(number->number, 4) + (unit == "1" ? "" : " " + unit) +
           (tolerance > 0 ? " (within " + shortest_number(tolerance * 100) + " %)" : "");
  }
  const bool match = question.find("lefts") != nullptr;
  std::string text;
  std::size_t place = 0;
  for (const JsonNode& index : answer.find("options")->items) {
    text += (text.empty() ? "" : ", ") + (match ? shortest_number(static_cast<double>(place + 1)) + " " : "") +
            letter(static_cast<std::size_t>(index.number));
    ++place;
  }
  return text;
}

/// What is asked.
std::string asked_text(const JsonNode& question) {
  std::string out;
  if (const JsonNode* drawing = question.find("drawing"); drawing != nullptr) out += drawing->text + "\n\n";
  out += wrapped(question.find("prompt")->text, kTextWidth, 0) + "\n\n";
  if (const JsonNode* lefts = question.find("lefts"); lefts != nullptr) {
    std::size_t place = 0;
    for (const JsonNode& left : lefts->items)
      out += line(shortest_number(static_cast<double>(++place)) + ".", left.text);
    out += "\n";
  }
  const std::vector<JsonNode>& options = question.find("options")->items;
  for (std::size_t i = 0; i < options.size(); ++i) out += line(letter(i) + ".", options[i].find("text")->text);
  return out + (options.empty() ? "" : "\n");
}

/// The answer, why, and how one gets there.
std::string answered_text(const JsonNode& question) {
  std::string out = "Answer: " + answer_text_of(question) + "\n";
  const std::vector<JsonNode>& options = question.find("options")->items;
  for (std::size_t i = 0; i < options.size(); ++i)
    if (!options[i].find("why")->text.empty()) out += line(letter(i) + ".", options[i].find("why")->text);
  out += "\nSolution\n";
  for (const JsonNode& step : question.find("solution")->items) out += line("-", step.find("text")->text);
  return out + "\nSource: " + wrapped(question.find("source")->text, kTextWidth, 8) + "\n";
}

std::string head_text(const JsonNode& question) {
  return question.find("id")->text + ", objective " + question.find("objective")->text + "\n\n";
}

}  // namespace

std::string question_text(const JsonNode& question) {
  return head_text(question) + asked_text(question) + answered_text(question);
}

std::string exam_text(const JsonNode& answer) {
  std::string asked;
  std::string answered = "Answers\n";
  double number = 0;
  for (const JsonNode& question : answer.find("questions")->items) {
    const std::string mark = "Question " + shortest_number(++number);
    asked += mark + "\n\n" + asked_text(question) + "\n";
    answered += "\n" + mark + ": " + head_text(question) + answered_text(question);
  }
  return asked + answered;
}

}  // namespace podwright::cli
