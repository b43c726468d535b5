#include "export/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/characters.h"
#include "base/result.h"

namespace podwright {
namespace {

constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr std::string_view kSans = "Arial,'Liberation Sans','DejaVu Sans',sans-serif";
constexpr std::string_view kMono = "monospace";

/// Bytes of the first character, broken ones counting one by one.
std::size_t step_of(std::string_view text) { return std::max<std::size_t>(1, character_length(text)); }

bool one_of(char letter, std::string_view letters) { return letters.find(letter) != std::string_view::npos; }

/// Width of a character in a sans font of size 1. DejaVu Sans is the widest that is usual.
double sans_advance(std::string_view character) {
  const char c = character.front();
  if (character.size() > 1) return character == "\xC2\xB7" ? 0.42 : 1.05;
  if (one_of(c, " .,:;'|!iIjl")) return 0.36;
  if (one_of(c, "-/()[]ftr")) return 0.45;
  if (one_of(c, "mwMW@%")) return 1.02;
  if (c >= 'A' && c <= 'Z') return 0.80;
  return one_of(c, "+=<>_~#&") ? 0.85 : 0.66;
}

/// From the middle of a line down to where its letters stand: 0.35 of the size in DejaVu Sans, 0.39 in Noto Sans.
double baseline(double middle, double size) { return middle + size * 0.37; }

}  // namespace

std::string svg_font(const SvgFont& font) {
  return svg_attribute("font-size", font.size) + (font.mono ? svg_attribute("font-family", kMono) : "") +
         (font.bold ? " font-weight=\"bold\"" : "");
}

std::string svg_escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0)
      escaped += kReplacement;
    else if (text.front() == '&')
      escaped += "&amp;";
    else if (text.front() == '<')
      escaped += "&lt;";
    else if (text.front() == '>')
      escaped += "&gt;";
    else if (text.front() == '"')
      escaped += "&quot;";
    // Readers of XML would make other spaces of them.
    else if (one_of(text.front(), "\t\n\r"))
      escaped += "&#" + std::to_string(static_cast<int>(text.front())) + ";";
    else
      escaped += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return escaped;
}

std::string svg_number(double x) {
  PODWRIGHT_ASSERT(std::fabs(x) < 1e9);
  const auto hundredths = static_cast<std::int64_t>(std::floor(x * 100 + 0.5));
  const std::int64_t size = hundredths < 0 ? -hundredths : hundredths;
  std::string text = (hundredths < 0 ? "-" : "") + std::to_string(size / 100);
  if (size % 100 == 0) return text;
  text += '.';
  text += static_cast<char>('0' + size % 100 / 10);
  if (size % 10 != 0) text += static_cast<char>('0' + size % 10);
  return text;
}

std::string svg_attribute(std::string_view name, std::string_view value) {
  std::string text = " ";
  text += name;
  text += "=\"";
  text += svg_escaped(value);
  text += '"';
  return text;
}

std::string svg_attribute(std::string_view name, double value) { return svg_attribute(name, svg_number(value)); }

double svg_text_width(std::string_view text, const SvgFont& font) {
  double width = 0;
  while (!text.empty()) {
    const std::size_t length = step_of(text);
    const std::string_view character = character_length(text) == 0 ? kReplacement : text.substr(0, length);
    // Other scripts come from other fonts, where a character may be as wide as it is high.
    width += !font.mono ? sans_advance(character) : character.size() == 1 || character == kEllipsis ? 0.61 : 1.05;
    text.remove_prefix(length);
  }
  return width * font.size * (font.bold && !font.mono ? 1.14 : 1.0);
}

std::string svg_fitted(std::string_view text, double width, const SvgFont& font) {
  if (svg_text_width(text, font) <= width) return std::string(text);
  std::vector<std::string_view> characters;
  for (std::string_view rest = text; !rest.empty();) {
    characters.push_back(rest.substr(0, step_of(rest)));
    rest.remove_prefix(characters.back().size());
  }
  for (std::size_t kept = characters.size(); kept-- > 0;) {
    std::string shorter;
    for (std::size_t i = 0; i < (kept + 1) / 2; ++i) shorter += characters[i];
    shorter += kEllipsis;
    for (std::size_t i = characters.size() - kept / 2; i < characters.size(); ++i) shorter += characters[i];
    if (svg_text_width(shorter, font) <= width) return shorter;
  }
  return {};
}

std::vector<std::string> svg_wrapped(std::string_view text, double width, const SvgFont& font) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word = svg_fitted(text.substr(0, end), width, font);
    if (!lines.empty() && svg_text_width(lines.back() + " " + word, font) <= width)
      lines.back() += " " + word;
    else
      lines.push_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void SvgWriter::open(std::string_view element, std::string_view attributes) {
  body_ += '<';
  body_ += element;
  body_ += attributes;
  body_ += ">\n";
  open_.emplace_back(element);
}

void SvgWriter::close() {
  PODWRIGHT_ASSERT(!open_.empty());
  body_ += "</" + open_.back() + ">\n";
  open_.pop_back();
}

void SvgWriter::element(std::string_view name, std::string_view attributes) {
  body_ += '<';
  body_ += name;
  body_ += attributes;
  body_ += "/>\n";
}

void SvgWriter::rect(const SvgBox& box, std::string_view look, double radius) {
  std::string attributes = svg_attribute("x", box.x) + svg_attribute("y", box.y) + svg_attribute("width", box.width) +
                           svg_attribute("height", box.height);
  if (radius > 0) attributes += svg_attribute("rx", radius);
  attributes += look;
  element("rect", attributes);
}

void SvgWriter::polyline(const std::vector<double>& points, std::string_view look) {
  std::string data;
  for (std::size_t i = 0; i + 1 < points.size(); i += 2)
    data += (i == 0 ? "M" : "L") + svg_number(points[i]) + " " + svg_number(points[i + 1]);
  element("path", svg_attribute("d", data) + " fill=\"none\"" + std::string(look));
}

void SvgWriter::dot(double x, double y, double radius) {
  element("circle", svg_attribute("cx", x) + svg_attribute("cy", y) + svg_attribute("r", radius) +
                        svg_attribute("fill", kSvgInk));
}

void SvgWriter::text(double x, double y, std::string_view text, const SvgFont& font, SvgAnchor anchor,
                     std::string_view look) {
  body_ += "<text" + svg_attribute("x", x) + svg_attribute("y", baseline(y, font.size)) + svg_font(font);
  if (anchor != SvgAnchor::start) body_ += svg_attribute("text-anchor", anchor == SvgAnchor::middle ? "middle" : "end");
  body_ += look;
  body_ += ">" + svg_escaped(text) + "</text>\n";
}

double SvgWriter::lines(double x, double y, const std::vector<std::string>& lines, const SvgFont& font,
                        std::string_view look) {
  for (const std::string& line : lines) {
    text(x, y, line, font, SvgAnchor::start, look);
    y += svg_line_pitch(font);
  }
  return y;
}

void SvgWriter::bare_text(double x, double y, std::string_view text, double size) {
  body_ +=
      "<text" + svg_attribute("x", x) + svg_attribute("y", baseline(y, size)) + ">" + svg_escaped(text) + "</text>\n";
}

std::string SvgWriter::document(double width, double height, std::string_view name, std::string_view title,
                                std::string_view description, std::string_view attributes) const {
  PODWRIGHT_ASSERT(open_.empty());
  const std::string prefix(name);
  std::string text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\"" + svg_attribute("width", width) + svg_attribute("height", height) +
      svg_attribute("viewBox", "0 0 " + svg_number(width) + " " + svg_number(height)) +
      svg_attribute("class", "drawing " + prefix) + " role=\"graphics-document document\"" +
      svg_attribute("aria-labelledby", prefix + "-title") + svg_attribute("aria-describedby", prefix + "-description") +
      svg_attribute("font-family", kSans) + svg_attribute("fill", kSvgInk);
  text += attributes;
  text += ">\n<title" + svg_attribute("id", prefix + "-title") + ">" + svg_escaped(title) + "</title>\n<desc" +
          svg_attribute("id", prefix + "-description") + ">" + svg_escaped(description) + "</desc>\n";
  text += body_;
  text += "</svg>\n";
  return text;
}

}  // namespace podwright
