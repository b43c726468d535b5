/** How sure the learner is, said before the solution shows. */
import { figureText } from "../../../format.ts";
import { kConfidences } from "../../confidence.ts";
import { sessionTexts } from "./texts.ts";

/** The first digit, and 0 for the last. */
export const kConfidenceKeys: Record<number, string> = { 0.5: "5", 0.6: "6", 0.7: "7", 0.8: "8", 0.9: "9", 0.99: "0" };

export const percentText = (share: number) => figureText("fraction", share).value;

interface ConfidenceProps {
  value: number | undefined;
  /** Undefined where it is taken back. */
  choose: (confidence: number | undefined) => void;
}

export function Confidence({ value, choose }: ConfidenceProps) {
  return (
    <fieldset class="session-choices">
      <legend>{sessionTexts.confidence}</legend>
      <div class="row choice-row">
        {kConfidences.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === value}
            onClick={() => choose(one === value ? undefined : one)}
          >
            {percentText(one)} <kbd>{kConfidenceKeys[one]}</kbd>
          </button>
        ))}
      </div>
      <p class="note">{sessionTexts.confidenceNote}</p>
    </fieldset>
  );
}
