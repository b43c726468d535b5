/** Texts of calculators and sliders of the study tool. */
import { followLanguage } from "../../language.ts";

export const calculatorTexts = {
  slider: "{label}, slider",
  less: "Decrease {label}",
  more: "Increase {label}",
  outOfRange: "Enter a number from {min} to {max}.",
  notWhole: "Enter a whole number.",
  absent: "not part of this answer",
  refused: "The engine rejects these inputs. The values below are for the last valid ones.",
  failed: "The engine gave no answer.",
  asking: "The engine is working…",
  reset: "Reset",
};

followLanguage("calculatorTexts", calculatorTexts);
