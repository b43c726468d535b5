#pragma once
/// What a training run costs from its arithmetic, and whether it can be over in the time that is claimed for it.
#include <optional>
#include <string>

#include "base/arithmetic.h"
#include "base/number_text.h"
#include "base/trace.h"
#include "cost/work.h"

namespace podwright {

template <class Tracer>
struct TrainingPriceTerms {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<Flops> work;           ///< of the whole run
  Known<double> mfu;           ///< share of the peak that is reached
  Known<FlopsPerSecond> peak;  ///< of one GPU, dense
  Known<double> gpu_count;
  Known<UsdPerSecond> price;  ///< of one GPU-hour
  std::optional<Known<Seconds>> claimed_time;
};

/// A run that would need more than the peak has no price, only the reason.
template <class Tracer>
struct TrainingPrice {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  std::optional<Known<Seconds>> gpu_time;
  std::optional<Known<Seconds>> wall_time;
  std::optional<Known<Usd>> price;
  std::optional<Known<double>> needed_mfu;  ///< for the claimed time
  std::string refusal;                      ///< empty where the run is possible
};

template <class Tracer>
TrainingPrice<Tracer> training_price(const TrainingPriceTerms<Tracer>& terms) {
  TrainingPrice<Tracer> answer;
  if (value_of(terms.mfu) > 1) {
    answer.refusal = "An MFU of " + human_number(value_of(terms.mfu)) + " is above the peak of the GPU.";
    return answer;
  }
  if (terms.claimed_time) {
    answer.needed_mfu =
        named("cost.needed_mfu", podwright::needed_mfu(terms.work, *terms.claimed_time, terms.gpu_count, terms.peak));
    if (value_of(*answer.needed_mfu) > 1) {
      answer.refusal = "The claimed time needs an MFU of " + human_number(value_of(*answer.needed_mfu)) +
                       ", more than the peak of the GPUs.";
      return answer;
    }
  }
  answer.gpu_time = named("cost.training_gpu_time", training_gpu_time(terms.work, terms.mfu, terms.peak));
  answer.wall_time = named("cost.training_wall_time", *answer.gpu_time / terms.gpu_count);
  answer.price = named("cost.training_price", *answer.gpu_time * terms.price);
  return answer;
}

}  // namespace podwright
