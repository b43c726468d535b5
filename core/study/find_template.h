#pragma once
/// The templates of all topics.
#include <span>
#include <string_view>

#include "study/template.h"

namespace podwright {

/// All templates, topic after topic.
std::span<const Template> question_templates();
/// Null where no template has the id.
const Template* find_template(std::string_view id);

}  // namespace podwright
