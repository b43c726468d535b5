#include "cli/print_topic.h"

#include "base/number_text.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kTopicIndent = 4;

std::string topic_text(const JsonNode& node, std::string_view key) {
  const JsonNode* member = node.find(key);
  if (member == nullptr) return "";
  return member->is_number() ? shortest_number(member->number) : member->text;
}

std::string paragraph(std::string_view text) {
  return std::string(kTopicIndent, ' ') + wrapped(text, kTextWidth, kTopicIndent) + "\n";
}

/// "largest NVLink domain: 72 GPUs, claimed 256 GPUs"
std::string values_of(const JsonNode& claim) {
  if (claim.find("verified_value") == nullptr) return "";
  const std::string unit = topic_text(claim, "unit") == "ratio" ? "" : " " + topic_text(claim, "unit");
  std::string text = topic_text(claim, "quantity") + ": " + topic_text(claim, "verified_value") + unit;
  if (claim.find("claimed_value") != nullptr) text += ", claimed " + topic_text(claim, "claimed_value") + unit;
  return text;
}

std::string claim_text(const JsonNode& claim) {
  std::string out = topic_text(claim, "number") + ". " + topic_text(claim, "verdict") + "\n";
  out += paragraph("Said: " + topic_text(claim, "claim") + " (" + topic_text(claim, "document") + ")");
  out += paragraph("Documents: " + topic_text(claim, "verified"));
  if (const std::string values = values_of(claim); !values.empty()) out += paragraph(values);
  return out + paragraph("[" + topic_text(claim, "source") + "]");
}

/// "16 to 64 GPUs: BasePOD"
std::string size_text(const JsonNode& size) {
  const std::string to = topic_text(size, "max_gpus");
  const std::string name = topic_text(size, "name");
  std::string out = topic_text(size, "min_gpus") + (to.empty() ? " GPUs and more: " : " to " + to + " GPUs: ") +
                    (name.empty() ? "no name" : name) + "\n";
  out += paragraph("Said: " + topic_text(size, "statement"));
  return out + paragraph("Documents: " + topic_text(size, "correction")) +
         paragraph("[" + topic_text(size, "source") + "]");
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

}  // namespace podwright::cli
