#pragma once
/// What a profile says, for people.
#include <string>

#include "calibration/judge_profile.h"
#include "measure/import_foreign.h"
#include "measure/profile.h"
#include "measure/training_measurement.h"

namespace podwright::cli {

/// Devices, one line for each result with its interval, what was left out and why.
std::string profile_summary(const HardwareProfile& profile);

/// Each verdict with its sentence; what explains it where it is not ok; notes.
/// The machine in a sentence, then each device with what to do, those that are alike in one line.
std::string device_verdict_lines(const ProfileJudgement& judgement);

std::string verdict_lines(const ProfileJudgement& judgement);

/// What a load generator measured.
std::string serving_summary(const ServingMeasurement& measured);
std::string training_summary(const TrainingMeasurement& measured);

}  // namespace podwright::cli
