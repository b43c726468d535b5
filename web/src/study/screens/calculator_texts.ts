/** Texts of calculators and sliders of the study tool. */
import { followLanguage } from "../../language.ts";

export const calculatorTexts = {
  slider: "{label}, slider",
  less: "Less: {label}",
  more: "More: {label}",
  outOfRange: "Enter a number from {min} to {max}.",
  notWhole: "Enter a whole number.",
  absent: "not part of this answer",
  refused: "The engine refuses these inputs. The values below belong to the last ones that it took.",
  failed: "The engine did not answer.",
  asking: "Asking the engine …",
  reset: "Back to the start",
};

followLanguage("calculatorTexts", calculatorTexts);
