#include "catalog/training_support.h"

#include "catalog/architecture_word.h"
#include "catalog/table_reader.h"

namespace podwright {

void read_training_support(const std::string& path, std::string_view text, std::vector<TrainingSupport>& support,
                           Errors& errors) {
  TableReader table(path, text,
                    {"framework", "period", "gpu", "precision", "architecture", "hidden_size", "rows", "sequence_least",
                     "sequence_most", "gpus_least", "gpus_most", "source"},
                    errors);
  std::vector<TrainingSupport> read;
  while (table.next()) {
    TrainingSupport entry;
    entry.framework = table.text("framework");
    entry.period = table.text("period");
    entry.gpu = table.needed_text("gpu");
    entry.precision = table.needed_text("precision");
    entry.architecture = table.needed_text("architecture");
    if (entry.architecture != architecture_word(false) && entry.architecture != architecture_word(true))
      table.error("out-of-range", "The kind of model \"" + entry.architecture + "\" is not known.", "dense or moe");
    const std::string name = entry.framework + "/" + entry.period + "/" + entry.gpu;
    table.head(entry, name, name);
    entry.hidden_size = table.needed("hidden_size", 1);
    entry.rows = table.needed("rows", 1);
    entry.sequence_least = table.needed("sequence_least", 1);
    entry.sequence_most = table.needed("sequence_most", entry.sequence_least);
    entry.gpus_least = table.needed("gpus_least", 1);
    entry.gpus_most = table.needed("gpus_most", entry.gpus_least);
    read.push_back(std::move(entry));
  }
  support = std::move(read);
}

}  // namespace podwright
