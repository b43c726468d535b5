#include <string>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/print_answer.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kStudyIndent = 4;

std::string indented(std::string_view text) { return labelled("", text, kStudyIndent); }

/// "largest NVLink domain: 72 GPUs, claimed 256 GPUs"
std::string values_of(const JsonNode& claim) {
  if (claim.find("verified_value") == nullptr) return "";
  const std::string unit = member_text(claim, "unit") == "ratio" ? "" : " " + member_text(claim, "unit");
  std::string text = member_text(claim, "quantity") + ": " + member_text(claim, "verified_value") + unit;
  if (claim.find("claimed_value") != nullptr) text += ", claimed " + member_text(claim, "claimed_value") + unit;
  return text;
}

std::string claim_text(const JsonNode& claim) {
  std::string out = member_text(claim, "number") + ". " + member_text(claim, "verdict") + "\n";
  out += indented("Said: " + member_text(claim, "claim") + " (" + member_text(claim, "document") + ")");
  out += indented("Documents: " + member_text(claim, "verified"));
  if (const std::string values = values_of(claim); !values.empty()) out += indented(values);
  return out + indented("[" + member_text(claim, "source") + "]");
}

/// "16 to 64 GPUs: BasePOD"
std::string size_text(const JsonNode& size) {
  const std::string to = member_text(size, "max_gpus");
  const std::string name = member_text(size, "name");
  std::string out = member_text(size, "min_gpus") + (to.empty() ? " GPUs and more: " : " to " + to + " GPUs: ") +
                    (name.empty() ? "no name" : name) + "\n";
  out += indented("Said: " + member_text(size, "statement"));
  return out + indented("Documents: " + member_text(size, "correction")) +
         indented("[" + member_text(size, "source") + "]");
}

std::string letter(std::size_t index) { return std::string(1, static_cast<char>('A' + index)); }

/// "B", "B, D", "first B, then A", "1 B, 2 A"
std::string answer_text_of(const JsonNode& question) {
  const JsonNode& answer = *question.find("answer");
  if (const JsonNode* number = answer.find("number")) {
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
  if (const JsonNode* drawing = question.find("drawing")) out += drawing->text + "\n\n";
  if (const JsonNode* picture = question.find("picture"))
    out += "[A drawing belongs here, " + picture->text + ": the study tool of the site shows it.]\n\n";
  out += wrapped(question.find("prompt")->text, kTextWidth, 0) + "\n\n";
  if (const std::vector<JsonNode>& lefts = items_of(question, "lefts"); !lefts.empty()) {
    std::size_t place = 0;
    for (const JsonNode& left : lefts) out += labelled(std::to_string(++place) + ".", left.text, kStudyIndent);
    out += "\n";
  }
  const std::vector<JsonNode>& options = question.find("options")->items;
  for (std::size_t i = 0; i < options.size(); ++i)
    out += labelled(letter(i) + ".", options[i].find("text")->text, kStudyIndent);
  return out + (options.empty() ? "" : "\n");
}

/// The answer, why, and how one gets there.
std::string answered_text(const JsonNode& question) {
  std::string out = "Answer: " + answer_text_of(question) + "\n";
  const std::vector<JsonNode>& options = question.find("options")->items;
  for (std::size_t i = 0; i < options.size(); ++i)
    if (!options[i].find("why")->text.empty())
      out += labelled(letter(i) + ".", options[i].find("why")->text, kStudyIndent);
  out += "\nSolution\n";
  for (const JsonNode& step : question.find("solution")->items)
    out += labelled("-", step.find("text")->text, kStudyIndent);
  return out + "\n" + labelled("Source:", question.find("source")->text, 8);
}

std::string head_text(const JsonNode& question) {
  return question.find("id")->text + ", objective " + question.find("objective")->text + "\n\n";
}

}  // namespace

std::string topic_text(const JsonNode& answer) {
  std::string out;
  for (const JsonNode& claim : answer.find("claims")->items) out += (out.empty() ? "" : "\n") + claim_text(claim);
  if (out.empty()) out = "No statement matches.\n";
  if (const JsonNode* sizes = answer.find("sizes"); sizes != nullptr) {
    out += "\nWhat the material calls a number of GPUs\n";
    for (const JsonNode& size : sizes->items) out += "\n" + size_text(size);
  }
  return out;
}

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
