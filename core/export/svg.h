#pragma once
/// SVG as text, the same bytes on every platform: elements, escaped text, short numbers, and how wide a text becomes.
/// How shapes look is in their attributes, not in a style sheet, so that a drawing inside a page obeys policies
/// that forbid inline styles. docs/method/drawings.md.
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

/// Text as character data and attribute value; what XML does not allow (control characters, broken UTF-8) becomes
/// U+FFFD.
std::string svg_escaped(std::string_view text);
/// At most two decimals, none where they are zero. `x` must be finite and below 1e9.
std::string svg_number(double x);
/// ` name="value"`, escaped.
std::string svg_attribute(std::string_view name, std::string_view value);
std::string svg_attribute(std::string_view name, double value);

struct SvgFont {
  double size = 10;
  bool mono = false;
  bool bold = false;
};

std::string svg_font(const SvgFont& font);

/// From one line of text to the next, in whole units: as far as lines are high in Noto Sans, the tallest of the usual
/// fonts, and a little more.
constexpr double svg_line_pitch(const SvgFont& font) { return static_cast<int>(font.size * 1.42 + 0.5); }

/// An upper bound for the width of a text: advances of the widest of the usual fonts, rounded up.
double svg_text_width(std::string_view text, const SvgFont& font);
/// The text, with its middle left out where it is wider.
std::string svg_fitted(std::string_view text, double width, const SvgFont& font);
/// Broken at spaces into lines that fit.
std::vector<std::string> svg_wrapped(std::string_view text, double width, const SvgFont& font);

struct SvgBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  double middle() const { return y + height / 2; }
};

enum class SvgAnchor { start, middle, end };

/// Elements one after the other. Coordinates run right and down. `look` is attribute text: ` fill="#fff"`.
class SvgWriter {
 public:
  void open(std::string_view element, std::string_view attributes = {});
  void close();
  void element(std::string_view name, std::string_view attributes);
  /// The tooltip of the element that is open.
  void title(std::string_view text) { body_ += "<title>" + svg_escaped(text) + "</title>\n"; }
  void rect(const SvgBox& box, std::string_view look, double radius = 0);
  void line(double x1, double y1, double x2, double y2, std::string_view look) { polyline({x1, y1, x2, y2}, look); }
  /// Through the points, `points` as x, y, x, y ...
  void polyline(const std::vector<double>& points, std::string_view look);
  void dot(double x, double y, double radius);
  /// One line whose middle height is `y`.
  void text(double x, double y, std::string_view text, const SvgFont& font, SvgAnchor anchor = SvgAnchor::start,
            std::string_view look = {});
  /// Lines one below the other, the first at `y`; gives the height of the one that would follow.
  double lines(double x, double y, const std::vector<std::string>& lines, const SvgFont& font,
               std::string_view look = {});
  /// A text whose font and anchor stand in an element around it; `size` is that of the font.
  void bare_text(double x, double y, std::string_view text, double size);
  void raw(std::string_view markup) { body_ += markup; }

  /// The elements so far as a document of this size. `name` begins the ids of its title and description.
  std::string document(double width, double height, std::string_view name, std::string_view title,
                       std::string_view description, std::string_view attributes) const;

 private:
  std::string body_;
  std::vector<std::string> open_;
};

inline constexpr std::string_view kSvgInk = "#1a1a1a";
/// Text of the second rank: 4.5 to 1 and more on white.
inline constexpr std::string_view kSvgMuted = " fill=\"#4d4d4d\"";

}  // namespace podwright
