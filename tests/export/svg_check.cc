#include "export/svg_check.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

#include "export/svg.h"

namespace podwright::test {
namespace {

class Parser {
 public:
  Parser(std::string_view text, std::string& fault) : text_(text), fault_(fault) {}

  SvgElement document() {
    SvgElement root = element();
    skip_space();
    if (!text_.empty()) fail("text after the root");
    return root;
  }

 private:
  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = what + " before: " + std::string(text_.substr(0, 60));
    text_ = {};
  }
  bool take(std::string_view token) {
    if (text_.substr(0, token.size()) != token) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  void skip_space() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) text_.remove_prefix(1);
  }
  std::string name() {
    std::size_t end = 0;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '-'))
      ++end;
    if (end == 0) fail("no name");
    const std::string found(text_.substr(0, end));
    text_.remove_prefix(std::min(end, text_.size()));
    return found;
  }
  /// Up to one of `ends`, escapes resolved.
  std::string characters(std::string_view ends) {
    std::string found;
    while (!text_.empty() && ends.find(text_.front()) == std::string_view::npos) {
      const auto letter = static_cast<unsigned char>(text_.front());
      if (letter < 0x20 && letter != '\n' && letter != '\t' && letter != '\r') fail("a control character");
      if (take("&amp;"))
        found += '&';
      else if (take("&lt;"))
        found += '<';
      else if (take("&gt;"))
        found += '>';
      else if (take("&quot;"))
        found += '"';
      else if (letter == '&' || letter == '<')
        fail("a bare & or <");
      else if (!text_.empty()) {
        found += text_.front();
        text_.remove_prefix(1);
      }
    }
    return found;
  }
  SvgElement element() {
    SvgElement found;
    if (!take("<")) fail("no element");
    found.name = name();
    for (skip_space(); !text_.empty() && text_.front() != '>' && text_.front() != '/'; skip_space()) {
      const std::string key = name();
      if (!take("=\"")) fail("no value");
      const std::string value = characters("\"");
      if (!take("\"")) fail("no end of a value");
      if (!found.attributes.emplace(key, value).second) fail("twice " + key);
      if (key == "id" && !ids_.insert(value).second) fail("two of the id " + value);
    }
    if (take("/>")) return found;
    if (!take(">")) fail("no end of a tag");
    while (!text_.empty() && text_.substr(0, 2) != "</") {
      if (text_.front() == '<')
        found.children.push_back(element());
      else
        found.text += characters("<");
    }
    if (!take("</" + found.name + ">")) fail("no end of " + found.name);
    return found;
  }

  std::string_view text_;
  std::string& fault_;
  std::set<std::string> ids_;
};

struct Seen {
  std::string text;
  double left = 0, right = 0, top = 0, bottom = 0;
};

struct Inherited {
  SvgFont font;
  std::string anchor = "start";
};

/// A quarter of a unit is nothing that an eye sees.
constexpr double kSlack = 0.25;

void collect(const SvgElement& element, Inherited style, std::vector<Seen>& texts, std::vector<SvgBox>& boxes) {
  if (element.name == "pattern") return;
  if (element.attributes.count("font-size") != 0) style.font.size = element.number("font-size");
  if (element.attributes.count("font-family") != 0)
    style.font.mono = element.attribute("font-family").find("mono") != std::string::npos;
  if (element.attributes.count("font-weight") != 0) style.font.bold = true;
  if (element.attributes.count("text-anchor") != 0) style.anchor = element.attribute("text-anchor");
  if (element.name == "rect")
    boxes.push_back({element.number("x"), element.number("y"), element.number("width"), element.number("height")});
  if (element.name == "text") {
    const double width = svg_text_width(element.text, style.font);
    const double x = element.number("x");
    const double y = element.number("y");
    const double left = style.anchor == "start" ? x : style.anchor == "end" ? x - width : x - width / 2;
    // A line of Noto Sans, the tallest of the usual fonts.
    texts.push_back({element.text, left, left + width, y - style.font.size * 1.069, y + style.font.size * 0.293});
  }
  for (const SvgElement& child : element.children) collect(child, style, texts, boxes);
}

bool around(const SvgBox& box, double x, double y) {
  return box.x <= x && x <= box.right() && box.y <= y && y <= box.bottom();
}

bool leaves(const Seen& text, const SvgBox& box) {
  return text.left < box.x - kSlack || text.right > box.right() + kSlack || text.top < box.y - kSlack ||
         text.bottom > box.bottom() + kSlack;
}

}  // namespace

std::string SvgElement::attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? std::string() : found->second;
}

double SvgElement::number(const std::string& key) const { return std::strtod(attribute(key).c_str(), nullptr); }

SvgElement parse_svg(std::string_view text, std::string& fault) { return Parser(text, fault).document(); }

std::vector<const SvgElement*> of_class(const SvgElement& root, std::string_view name) {
  std::vector<const SvgElement*> found;
  const std::string words = " " + root.attribute("class") + " ";
  if (words.find(" " + std::string(name) + " ") != std::string::npos) found.push_back(&root);
  for (const SvgElement& child : root.children)
    for (const SvgElement* element : of_class(child, name)) found.push_back(element);
  return found;
}

double sum_of(const std::vector<const SvgElement*>& elements, const std::string& key) {
  double sum = 0;
  for (const SvgElement* element : elements) sum += element->number(key);
  return sum;
}

std::vector<std::string> texts_of(const SvgElement& root) {
  std::vector<std::string> found;
  if (root.name == "text") found.push_back(root.text);
  for (const SvgElement& child : root.children)
    for (std::string& text : texts_of(child)) found.push_back(std::move(text));
  return found;
}

std::vector<std::string> label_faults(const SvgElement& root) {
  std::vector<Seen> texts;
  const SvgBox page{0, 0, root.number("width"), root.number("height")};
  std::vector<SvgBox> boxes;
  collect(root, {}, texts, boxes);
  std::sort(texts.begin(), texts.end(), [](const Seen& a, const Seen& b) { return a.top < b.top; });
  std::sort(boxes.begin(), boxes.end(),
            [](const SvgBox& a, const SvgBox& b) { return a.width * a.height < b.width * b.height; });
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Seen& text = texts[i];
    for (std::size_t j = i + 1; j < texts.size() && texts[j].top < text.bottom - kSlack; ++j)
      if (texts[j].left < text.right - kSlack && text.left < texts[j].right - kSlack)
        faults.push_back("'" + text.text + "' over '" + texts[j].text + "'");
    if (leaves(text, page)) faults.push_back("'" + text.text + "' leaves the drawing");
    for (const SvgBox& box : boxes)
      if (around(box, (text.left + text.right) / 2, (text.top + text.bottom) / 2)) {
        if (leaves(text, box)) faults.push_back("'" + text.text + "' leaves its box");
        break;
      }
  }
  return faults;
}

}  // namespace podwright::test
