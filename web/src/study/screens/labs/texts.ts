/** Texts of the labs. */
import { followLanguage } from "../../../language.ts";

export const labTexts = {
  lead: "Predict a number first, then let the engine answer. Within {share} counts as right. Your first prediction is the one that counts.",
  unknown: "There is no lab of this name.",
  all: "All labs",
  minutes: "{count} min",
  untried: "not tried yet",
  within: "within {share}",
  missed: "missed",
  hint: "Hint {place}",
  prediction: "Your prediction",
  reads: "That is {value}.",
  reveal: "Reveal",
  asking: "The engine is computing …",
  result: "The engine says {actual}",
  yours: "You predicted {predicted}: {error}.",
  exact: "exactly right",
  tooLow: "{error} too low",
  tooHigh: "{error} too high",
  tooLowFactor: "too low by a factor of {factor}",
  tooHighFactor: "too high by a factor of {factor}",
  counts: "This counts as right: within {share}.",
  countsNot: "More than {share} off: try again another day.",
  why: "Why",
  explore: "Try it yourself",
  sources: "Sources",
  earlier: "Earlier predictions",
  next: "Next lab: {title}",
};

followLanguage("labTexts", labTexts);
