#include <set>
#include <string>

#include "equations/registry_check.h"
#include "memory/formulas_serving.h"
#include "memory/formulas_training.h"

TEST(Equations, OfMemory) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kServingMemoryFormulas, "memory", ids);
  equations::check_registry(podwright::kTrainingMemoryFormulas, "memory", ids);
}
