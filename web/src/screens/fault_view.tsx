/** A complaint in words of the form, with a button for each way to mend it. Mending is an edit like any other, so it can be undone. */
import type { RequestError } from "../contract.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { faultTexts } from "./fault_texts.ts";
import { placeText, sayFault } from "./faults.ts";

interface FaultViewProps {
  error: RequestError;
  /** It stands apart from the field that it names, so it says which it is. */
  apart: boolean;
}

export function FaultView({ error, apart }: FaultViewProps) {
  const { state, controller } = usePage();
  const { text, hint, mends } = sayFault(error, state.request.value, state.initial.preset);
  const place = apart ? placeText(error.path) : "";
  return (
    <>
      <p>
        {place === "" || text.includes(place) ? null : <b>{place} </b>}
        {text} {hint === undefined ? null : fill(messages.hint, { hint })}
      </p>
      {mends.length === 0 ? null : (
        <ul class="row mends" aria-label={faultTexts.mends}>
          {mends.map(({ text: mend, request }) => (
            <li key={mend}>
              <button type="button" class="small" onClick={() => controller.edit("", request)}>
                {mend}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
