#pragma once
/// Short formulas that only questions ask for; all others are those of the rooms that plan and estimate.
#include <cmath>
#include <tuple>

#include "base/formula.h"
#include "base/units.h"
#include "perf/roofline.h"

namespace podwright {

/// GPUs whose memories together hold what is spread evenly over them.
inline double gpus_for_memory(Bytes needed, Bytes memory) { return std::ceil(needed / memory); }
inline constexpr Formula<gpus_for_memory> kGpusForMemory{.id = "study.gpus_for_memory",
                                                         .inputs = {"needed", "memory"},
                                                         .equation = "ceil(needed / memory)",
                                                         .source = "GPUs are bought whole"};

/// Dense peak of the tensor cores; one multiply-add is two FLOP.
constexpr FlopsPerSecond tensor_peak(double sms, double multiply_adds, PerSecond clock) {
  return FlopsPerSecond(2.0 * sms * multiply_adds * clock.base_units());
}
inline constexpr Formula<tensor_peak> kTensorPeak{.id = "study.tensor_peak",
                                                  .inputs = {"sms", "multiply_adds", "clock"},
                                                  .equation = "2 * sms * multiply_adds * clock",
                                                  .source = "docs/method/roofline.md"};

/// Structured 2:4 sparsity doubles what the data sheet prints.
constexpr FlopsPerSecond dense_of_sparse(FlopsPerSecond sparse) { return sparse / 2.0; }
inline constexpr Formula<dense_of_sparse> kDenseOfSparse{
    .id = "study.dense_of_sparse", .inputs = {"sparse"}, .equation = "sparse / 2", .source = "arXiv 2104.08378"};

constexpr FlopsPerSecond peak_of_gpus(double gpus, FlopsPerSecond peak) { return gpus * peak; }
inline constexpr Formula<peak_of_gpus> kPeakOfGpus{
    .id = "study.peak_of_gpus", .inputs = {"gpus", "peak"}, .equation = "gpus * peak", .source = "definition"};

/// Sequences of a decode step at which reading the weights takes as long as computing with them, 2 FLOP each.
constexpr double batch_at_ridge(FlopsPerSecond peak, BytesPerSecond bandwidth, Bytes weight) {
  return peak.base_units() / bandwidth.base_units() * weight.base_units() / 2.0;
}
inline constexpr Formula<batch_at_ridge> kBatchAtRidge{.id = "study.batch_at_ridge",
                                                       .inputs = {"peak", "bandwidth", "weight"},
                                                       .equation = "peak / bandwidth * weight / 2",
                                                       .source = "docs/method/roofline.md"};

/// Line rates are given in bits.
constexpr BytesPerSecond bytes_of_line_rate(double bits_per_second) { return BytesPerSecond(bits_per_second / 8.0); }
inline constexpr Formula<bytes_of_line_rate> kBytesOfLineRate{.id = "study.bytes_of_line_rate",
                                                              .inputs = {"bits_per_second"},
                                                              .equation = "bits_per_second / 8",
                                                              .source = "definition of the byte"};

/// Sum of both directions of a link.
constexpr BytesPerSecond both_directions(BytesPerSecond one_way) { return 2.0 * one_way; }
inline constexpr Formula<both_directions> kBothDirections{
    .id = "study.both_directions", .inputs = {"one_way"}, .equation = "2 * one_way", .source = "definition"};
constexpr BytesPerSecond one_direction(BytesPerSecond both_ways) { return both_ways / 2.0; }
inline constexpr Formula<one_direction> kOneDirection{
    .id = "study.one_direction", .inputs = {"both_ways"}, .equation = "both_ways / 2", .source = "definition"};

/// How many times the smaller the larger is.
constexpr double times_as_large(double larger, double smaller) { return larger / smaller; }
inline constexpr Formula<times_as_large> kTimesAsLarge{.id = "study.times_as_large",
                                                       .inputs = {"larger", "smaller"},
                                                       .equation = "larger / smaller",
                                                       .source = "definition"};

/// Pods of `each` GPUs that the free GPUs of one node take; a pod does not span nodes.
inline double pods_on_node(double free, double each) { return std::floor(free / each); }
inline constexpr Formula<pods_on_node> kPodsOnNode{.id = "study.pods_on_node",
                                                   .inputs = {"free", "each"},
                                                   .equation = "floor(free / each)",
                                                   .source = "a pod runs on one node"};

/// GPUs that hold `copies` slices of which one GPU takes `instances`.
inline double gpus_for_slices(double copies, double instances) { return std::ceil(copies / instances); }
inline constexpr Formula<gpus_for_slices> kGpusForSlices{.id = "study.gpus_for_slices",
                                                         .inputs = {"copies", "instances"},
                                                         .equation = "ceil(copies / instances)",
                                                         .source = "docs/method/mig.md"};

/// What one of several parties gets of a whole.
constexpr double weighted_share(double whole, double weight, double weights) { return whole * weight / weights; }
inline constexpr Formula<weighted_share> kWeightedShare{.id = "study.weighted_share",
                                                        .inputs = {"whole", "weight", "weights"},
                                                        .equation = "whole * weight / weights",
                                                        .source = "definition"};

/// Questions of an exam that a domain of this weight has.
constexpr double questions_of_domain(double questions, double weight) { return questions * weight; }
inline constexpr Formula<questions_of_domain> kQuestionsOfDomain{.id = "study.questions_of_domain",
                                                                 .inputs = {"questions", "weight"},
                                                                 .equation = "questions * weight",
                                                                 .source = "weights of the exam's study guide"};

inline constexpr auto kStudyFormulas = std::make_tuple(
    kGpusForMemory, kTensorPeak, kDenseOfSparse, kPeakOfGpus, kBatchAtRidge, kBytesOfLineRate, kBothDirections,
    kOneDirection, kTimesAsLarge, kPodsOnNode, kGpusForSlices, kWeightedShare, kQuestionsOfDomain);

}  // namespace podwright
