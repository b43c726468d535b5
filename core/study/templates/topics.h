#pragma once
/// The templates, a file for each topic.
#include <array>
#include <span>

#include "study/template.h"

namespace podwright {

std::span<const Template> memory_templates();
std::span<const Template> rate_templates();
std::span<const Template> collective_templates();
std::span<const Template> fabric_templates();
std::span<const Template> site_templates();

inline constexpr std::array kTemplateTopics{memory_templates, rate_templates, collective_templates, fabric_templates,
                                            site_templates};

}  // namespace podwright
