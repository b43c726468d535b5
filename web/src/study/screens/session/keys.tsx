/** The keys of a session, and whether single ones count. */
import { cardTexts } from "../cards/texts.ts";
import { chooseSingleKeys, singleKeys } from "../single_keys.ts";
import { sessionTexts } from "./texts.ts";

export function SessionKeys() {
  const { keys } = sessionTexts;
  const rows: readonly [string, string][] = [
    ["a – e", keys.choose],
    ["5 6 7 8 9 0", keys.sure],
    ["Enter", keys.check],
    ["n", keys.unknown],
    ["1 2 3 4", keys.grade],
    ["k r m", keys.why],
    ["Enter, Space", cardTexts.keyTurn],
    ["b", cardTexts.keyBookmark],
    ["u", keys.undo],
  ];
  return (
    <details class="sub-fold">
      <summary>{sessionTexts.keysTitle}</summary>
      <table class="plain keys">
        <tbody>
          {rows.map(([key, does]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={({ currentTarget }) => chooseSingleKeys(currentTarget.checked)}
        />{" "}
        {sessionTexts.singleKeys}
      </label>
    </details>
  );
}
