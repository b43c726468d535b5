/** The keys of an exam, and the switch for those that are letters. */
import { chooseSingleKeys, singleKeys } from "../single_keys.ts";
import { examTexts } from "./texts.ts";

const kKeys = ["choose", "strike", "next", "previous", "flag", "time"] as const;

export function ExamKeys() {
  return (
    <details class="exam-keys">
      <summary>{examTexts.keysTitle}</summary>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={({ currentTarget }) => chooseSingleKeys(currentTarget.checked)}
        />
        <span>{examTexts.letterKeys}</span>
      </label>
      <dl>
        {kKeys.map((key) => (
          <div key={key}>
            <dt>
              <kbd>{examTexts.keyNames[key]}</kbd>
            </dt>
            <dd>{examTexts.keys[key]}</dd>
          </div>
        ))}
      </dl>
      <p class="note">{examTexts.keysNote}</p>
    </details>
  );
}
