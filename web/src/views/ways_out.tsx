/** What would make an impossible request possible: each way is a button that changes the request. */
import type { Rejected } from "../contract.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { patchText, wholePatch } from "../patch_text.ts";
import { nameOf } from "../state.ts";
import { choiceName } from "./names.ts";

export function WaysOut({ reason }: { reason: Rejected }) {
  const { state, controller } = usePage();
  const request = state.request.value;
  const nameOfWord = (word: string) => {
    const name = nameOf([...state.initial.gpus, ...state.initial.models], word);
    return name === word ? choiceName(word) : name;
  };
  const ways = (reason.ways_out ?? []).flatMap((patch) => {
    const whole = wholePatch(request, reason, patch);
    return whole === undefined ? [] : [{ whole, text: patchText(request, whole, nameOfWord) }];
  });
  const useful = ways.filter(({ text }) => text !== "");
  if (useful.length === 0) return null;
  return (
    <ul class="row ways" aria-label={messages.waysOut}>
      {useful.map(({ whole, text }) => (
        <li key={text}>
          <button type="button" onClick={() => controller.applyWayOut(whole)}>
            {fill(messages.wayOut, { change: text })}
          </button>
        </li>
      ))}
    </ul>
  );
}
