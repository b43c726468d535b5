#pragma once
/// What an exam is made of, as its publisher says. The exams themselves are data: core/study/data/blueprints.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

struct BlueprintDomain {
  std::string_view id;  ///< "2"; its objectives are "2.1", "2.2"
  double weight = 0;    ///< share of the exam's questions; those of all domains make 1
};

struct Blueprint {
  std::string_view id;           ///< "nca-aiio"
  std::size_t questions = 0;     ///< of one exam
  std::size_t calculations = 0;  ///< of these at most
  bool every_level = false;      ///< professional questions too
  std::span<const BlueprintDomain> domains;
  std::string_view objectives;  ///< "1.1 1.2 2.1"

  bool has(std::string_view objective) const;
};

/// Words between spaces.
std::vector<std::string> spaced_words(std::string_view text);

inline std::vector<std::string> objectives_of(const Blueprint& blueprint) { return spaced_words(blueprint.objectives); }

/// "2" of "2.7".
std::string_view domain_of(std::string_view objective);

/// Questions of each domain: whole numbers nearest to the weights that make the exam together (largest remainders).
std::vector<std::size_t> questions_of_domains(const Blueprint& blueprint);

}  // namespace podwright
