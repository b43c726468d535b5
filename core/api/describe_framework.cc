#include "api/describe_framework.h"

#include "base/nearest.h"

namespace podwright {
namespace {

std::string version_hint(const TrainingFramework& framework) {
  std::vector<std::string> versions;
  for (const FrameworkVersion& known : framework.versions) versions.push_back(known.version);
  if (versions.empty()) return "No version of " + framework.name + " is distinguished: leave it out.";
  return "Legal: " + joined(versions) + "; left out, it is any.";
}

}  // namespace

void describe_framework(FieldVisitor& v, const Catalog& catalog, TrainingRun& run) {
  std::vector<std::string> ids;
  for (const TrainingFramework& framework : catalog.training_frameworks) ids.push_back(framework.id);
  v.word({.key = "framework",
          .help = "Training framework",
          .default_source = "convention of Podwright; set it when yours differs",
          .aliases = "frameworks"},
         run.framework, ids);
  v.text({.key = "framework_version", .help = "Version of the framework; absent: any"}, run.framework_version);
  const TrainingFramework* framework = find_training_framework(catalog.training_frameworks, run.framework);
  if (framework == nullptr || run.framework_version.empty()) return;
  const FrameworkVersion* version = find_version(*framework, run.framework_version);
  v.rule(version != nullptr, "framework_version",
         "The catalog has no version \"" + run.framework_version.substr(0, 60) + "\" of " + framework->name + ".",
         version_hint(*framework));
  if (version != nullptr) run.framework_version = version->version;
}

}  // namespace podwright
