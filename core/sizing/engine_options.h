#pragma once
/// Options of serving engines by version: core/sizing/data/engines. docs/method/serving_launch.md#versions.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/embedded.h"
#include "sizing/launch_options.h"

namespace podwright::sizing {

struct EngineVersion {
  std::string name;  ///< of the engine: "vLLM"
  std::string version;
  std::string image_tag;
  std::string dynamo;  ///< release of Dynamo that runs this version; empty: none is listed
};

/// The files of core/sizing/data/engines.
std::span<const EmbeddedText> engine_tables();

/// Versions whose options are listed, the oldest first; empty for an engine without a list.
std::vector<EngineVersion> engine_versions(std::string_view engine);

/// Whether the version has an option. `where`: "argument", "file", "variable", "router" or "router-file".
bool has_option(std::string_view engine, std::string_view version, std::string_view option, std::string_view where);

/// Brings programs and their files of options to a version that is listed: older names in place of those that it does
/// not have yet, and what it needs in addition. Gives what it cannot express; empty where it can express everything.
std::vector<std::string> fit_to_version(std::string_view engine, std::string_view version,
                                        std::vector<LaunchArguments>& launches);

/// An option of a line of arguments, "--name value", and its value.
struct OptionAndValue {
  std::string_view option;
  std::string_view value;
};
OptionAndValue split_option(std::string_view argument);

}  // namespace podwright::sizing
