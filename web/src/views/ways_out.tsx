/** What would make an impossible request possible: each way is a button that changes the request. */
import type { Reason } from "../contract.ts";
import { changesBetween, type JsonObject, mergePatch } from "../json.ts";
import { fill, labelOf, messages } from "../messages.ts";
import { nameOf, type State, usePage } from "../state.ts";

export function WaysOut({ reason }: { reason: Reason | undefined }) {
  const { state, controller } = usePage();
  const ways = (reason?.ways_out ?? []).map((patch) => ({ patch, text: changeText(state, patch) }));
  const useful = ways.filter(({ text }) => text !== "");
  if (useful.length === 0) return null;
  return (
    <ul class="ways" aria-label={messages.waysOut}>
      {useful.map(({ patch, text }) => (
        <li key={text}>
          <button type="button" onClick={() => controller.applyWayOut(patch)}>
            {fill(messages.wayOut, { change: text })}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The patch in words; empty where it would change nothing. */
function changeText(state: State, patch: JsonObject): string {
  const request = state.request.value;
  return changesBetween(request, mergePatch(request, patch))
    .map(([pointer, value]) => {
      const words = pointer.split("/").filter((word) => !/^\d+$/.test(word));
      const name = labelOf(words.at(-1) ?? "");
      if (value === undefined) return fill(messages.wayOutRemove, { name });
      const items = (Array.isArray(value) ? value : [value]).map((item) =>
        typeof item === "string"
          ? nameOf([...state.initial.gpus, ...state.initial.models], item)
          : JSON.stringify(item),
      );
      return `${name} ${items.join(", ")}`;
    })
    .join("; ");
}
