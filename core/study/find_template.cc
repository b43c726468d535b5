#include "study/template.h"

#include <vector>

#include "study/templates/topics.h"

namespace podwright {

std::span<const Template> question_templates() {
  static const std::vector<Template> templates = [] {
    std::vector<Template> all;
    for (const auto topic : kTemplateTopics)
      for (const Template& one : topic()) all.push_back(one);
    return all;
  }();
  return templates;
}

const Template* find_template(std::string_view id) {
  for (const Template& one : question_templates())
    if (one.id == id) return &one;
  return nullptr;
}

}  // namespace podwright
