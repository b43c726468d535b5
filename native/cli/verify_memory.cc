#include "cli/verify_memory.h"

#include <iostream>

#include "api/memory_proof.h"
#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::string gib_text(const std::optional<Bytes>& value) { return value ? human_number(*value / gib(1), 4) : "-"; }
std::string figure_text(const ProofFigure& figure) {
  return gib_text(figure.value) +
         (figure.low ? " (" + gib_text(figure.low) + " to " + gib_text(figure.high) + ")" : "");
}

/// What the comparison says, a sentence.
std::string proof_sentence(const MemoryProof& proof) {
  switch (proof.state) {
    case ProofState::within:
      return "The estimate holds: the measured peak is within its interval.";
    case ProofState::above:
      return "The estimate does not hold: the layout takes more memory than its interval.";
    case ProofState::below:
      return "The estimate does not hold: the layout takes less memory than its interval.";
    case ProofState::out_of_memory:
      return "The layout does not fit: the log ends where the memory of the GPU ran out.";
  }
  return "";
}

std::string proof_text(const MemoryProof& proof, const std::string& file) {
  std::string text = file + ": rank " + human_number(proof.rank, 9) + " of " + human_number(proof.ranks, 9) +
                     ", pipeline stage " + human_number(proof.stage) + " (from 0) of " + human_number(proof.stages) +
                     ", on " + proof.gpu + "\n";
  text += text_table({{"memory", "measured, GiB", "estimate, GiB (90 %)"},
                      {"allocated", gib_text(proof.allocated), figure_text(proof.estimated_allocated)},
                      {"in use", gib_text(proof.in_use), figure_text(proof.estimated_in_use)},
                      {"of the GPU", gib_text(proof.capacity), ""}});
  if (proof.theory)
    text += "By Megatron-LM's own formula " + gib_text(proof.theory->total) + " GiB, of which " +
            gib_text(proof.theory->weights_and_optimizer) + " GiB weights and optimizer.\n";
  text += paragraph(proof_sentence(proof));
  if (proof.in_use)
    text += paragraph(proof.fits() ? "It fits: what the allocator reserved and the process together leave " +
                                         gib_text(proof.capacity - *proof.in_use) + " GiB."
                                   : "It does not fit: what the allocator reserved and the process together are " +
                                         gib_text(*proof.in_use - proof.capacity) + " GiB too much.");
  for (const std::string& note : proof.notes) text += labelled("note", note, 6);
  return text;
}

}  // namespace

int verify_memory(const Catalog& catalog, const std::string& plan, const std::string& file, const std::string& text,
                  bool json) {
  const auto request = read_document(plan);
  if (!request) return kWrongInput;
  const auto log = import_megatron_log(text);
  if (!log) {
    print_errors(log.error(), file + " is not a usable measurement");
    return kWrongInput;
  }
  const auto proof = memory_proof(catalog, *request, *log);
  if (!proof) {
    print_errors(proof.error(), file + " is not compared");
    return kWrongInput;
  }
  std::cout << (json ? memory_proof_json(*proof) + "\n" : proof_text(*proof, file));
  return proof->holds() ? kAnswer : kInfeasible;
}

}  // namespace podwright::cli
