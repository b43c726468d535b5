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

/// The same for training.
struct TrainingNames {
  std::string data;         ///< prefix of the files that Megatron-LM's tools/preprocess_data.py wrote
  std::string tokenizer;    ///< folder or Hugging Face name
  std::string megatron_lm;  ///< folder of Megatron-LM
  std::string checkpoints;  ///< folder that all nodes share
  std::string image;        ///< of the container, with its tag
  std::string name_space;   ///< of Kubernetes; empty: none is written
  std::string runtime;      ///< a ClusterTrainingRuntime of Kubeflow; empty: that of PyTorch, which comes with it
  std::string partition;    ///< of Slurm; empty: the default one
  std::string account;      ///< of Slurm; empty: the user's
};

}  // namespace podwright::sizing
