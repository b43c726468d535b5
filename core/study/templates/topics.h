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
std::span<const Template> training_templates();
std::span<const Template> cost_templates();
std::span<const Template> reliability_templates();
std::span<const Template> operation_templates();

inline constexpr std::array kTemplateTopics{memory_templates, rate_templates,        collective_templates,
                                            fabric_templates, site_templates,        training_templates,
                                            cost_templates,   reliability_templates, operation_templates};

}  // namespace podwright
