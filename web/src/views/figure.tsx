/** One number of the answer. It is a button: pressing it opens the explanation. Absent numbers render nothing. */
import { figureText, keyOf, phrase } from "../format.ts";
import { numberAt } from "../json.ts";
import { fill, messages } from "../messages.ts";
import { usePage } from "../page.ts";

interface FigureProps {
  /** JSON Pointer into the answer; its last word decides the unit. */
  place: string;
  /** Text to show in place of the usual one, e.g. a part rounded so that parts add up. */
  text?: string;
  /** Leaves the unit out where a label beside the figure already says it. */
  bare?: boolean;
}

export function Figure({ place, text, bare }: FigureProps) {
  const { state, controller } = usePage();
  const value = numberAt(state.answer.value, place);
  if (value === undefined) return null;
  const figure = figureText(keyOf(place), value, state.memoryUnit.value);
  const open = state.explaining.value?.place === place;
  return (
    <button
      type="button"
      class="figure"
      data-place={place}
      aria-haspopup="dialog"
      aria-expanded={open}
      onClick={() => controller.explain(place)}
    >
      <span class="value">{text ?? figure.value}</span>
      {bare || figure.unit === "" ? null : <span class="unit"> {figure.unit}</span>}
    </button>
  );
}

/** "was 42 ms", while the number differs from the one before the last edits, which may have stood at another place. */
export function Was({ place, placeBefore = place, bare }: { place: string; placeBefore?: string; bare?: boolean }) {
  const { state } = usePage();
  const now = numberAt(state.answer.value, place);
  const before = numberAt(state.before.value, placeBefore);
  if (now === undefined || before === undefined) return null;
  const text = (value: number) => {
    const figure = figureText(keyOf(place), value, state.memoryUnit.value);
    return bare ? figure.value : phrase(figure);
  };
  return text(now) === text(before) ? null : <span class="was">{fill(messages.was, { value: text(before) })}</span>;
}
