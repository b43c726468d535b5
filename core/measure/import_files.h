#pragma once
/// Files that a person hands over, of any known program and of one machine: distinguished, read, and joined.
/// docs/method/probes.md#imports.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "measure/foreign_file.h"
#include "measure/identifiers.h"
#include "measure/profile_file.h"

namespace podwright {

struct FileText {
  std::string name;
  std::string text;
};

struct ImportedFile {
  std::string name;
  FileFormat format = FileFormat::profile;
  FileFields fields;
  std::vector<IdentifierCount> identifiers;
  std::optional<ServingMeasurement> serving;  ///< of a load generator; such a file does not describe a machine
  std::optional<EngineFacts> engine;          ///< of a serving engine; neither does such a file
};

struct ImportedFiles {
  std::vector<ImportedFile> files;
  /// Of all files that tell of a machine. Devices have the catalog's keys. What may name the machine is left out of it,
  /// so that the digest of a profile which held such is another one.
  std::optional<ReadProfile> profile;
  /// Of all logs and metrics of an engine.
  std::optional<EngineFacts> engine;
};

/// Errors: those of the readers with "/<place>/text" in front, "missing" for no file, "wrong-type" for a text of no
/// known program with what it looks like instead, "conflict" where files are of different machines or engines.
Result<ImportedFiles> import_files(const Catalog& catalog, std::span<const FileText> files, const std::string& version);

}  // namespace podwright
