/** Predictions of a lab before this visit. */
import { fill } from "../../../messages.ts";
import { kRightWithin, type Lab } from "../../labs.ts";
import type { Review } from "../../log.ts";
import { dateText } from "../exam/date.ts";
import { shareText } from "../exam/percent.ts";
import { numberShown } from "../shown_value.ts";
import { labTexts } from "./texts.ts";

export function Earlier({ lab, predictions }: { lab: Lab; predictions: readonly Review[] }) {
  if (predictions.length === 0) return null;
  const shown = { pointer: lab.answer_pointer, unit: lab.unit };
  return (
    <details class="lab-earlier">
      <summary>{labTexts.earlier}</summary>
      <ul>
        {predictions.map(({ id, time, answer, right }) => (
          <li key={id}>
            {dateText(time)}: {typeof answer === "number" ? numberShown(answer, shown) : "–"}{" "}
            <span class="note">
              {right ? `✓ ${fill(labTexts.within, { share: shareText(kRightWithin) })}` : `✗ ${labTexts.missed}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
