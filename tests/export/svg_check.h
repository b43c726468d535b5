#pragma once
/// Drawings read back, for tests.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace podwright::test {

struct SvgElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;
  std::vector<SvgElement> children;

  std::string attribute(const std::string& key) const;
  /// Of a number; 0 where it is absent.
  double number(const std::string& key) const;
};

/// The root of a well-formed document; `fault` says what is wrong otherwise. Knows what drawings use: elements,
/// attributes in double quotes and the four escapes; ids must be unique.
SvgElement parse_svg(std::string_view text, std::string& fault);

/// The elements of a class, at any depth.
std::vector<const SvgElement*> of_class(const SvgElement& root, std::string_view name);
/// The sum of a numeric attribute over them.
double sum_of(const std::vector<const SvgElement*>& elements, const std::string& key);

/// The texts that are seen, at any depth.
std::vector<std::string> texts_of(const SvgElement& root);

/// What is wrong with the places of texts, by their greatest width: one over another, one outside the view box, one
/// over the edge of the smallest box around its middle.
std::vector<std::string> label_faults(const SvgElement& root);

}  // namespace podwright::test
