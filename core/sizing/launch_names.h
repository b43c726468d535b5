#pragma once
/// What the user calls the things that a deployment's files name.
#include <string>

namespace podwright::sizing {

/// Where one is empty, the file says in angle brackets what belongs there.
struct LaunchNames {
  std::string engine_version;  ///< whose options are written; empty: the newest that is listed
  std::string model;           ///< Hugging Face id, folder or GGUF file
  std::string draft_model;
  std::string image;       ///< of the engine, with its tag
  std::string name_space;  ///< of Kubernetes; empty: none is written
  std::string claim;       ///< persistent volume claim, or volume of Docker, with the models
};

}  // namespace podwright::sizing
