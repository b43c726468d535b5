/** All places of an exam: which are answered, flagged, open, and which is on show; by signs and by words. */
import { fill } from "../../../messages.ts";
import type { PlaceState } from "../../exam_run.ts";
import { examTexts } from "./texts.ts";

interface MapProps {
  states: readonly PlaceState[];
  current: number;
  onPlace: (place: number) => void;
}

const kSigns = { answered: "✓", open: "○", flagged: "⚑", current: "▸" };

export function QuestionMap({ states, current, onPlace }: MapProps) {
  const answered = states.filter((one) => one.answered).length;
  const flagged = states.filter((one) => one.flagged).length;
  return (
    <nav class="exam-map" aria-label={examTexts.map}>
      <h2>{examTexts.map}</h2>
      <p class="note">{fill(examTexts.mapCounts, { answered, count: states.length, flagged })}</p>
      <ol class="row exam-places">
        {states.map((state) => (
          <li key={state.place}>
            <PlaceButton state={state} isCurrent={state.place === current} onPlace={onPlace} />
          </li>
        ))}
      </ol>
      <ul class="row exam-legend" aria-hidden="true">
        {(["answered", "open", "flagged", "current"] as const).map((key) => (
          <li key={key}>
            {kSigns[key]} {examTexts[key]}
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface PlaceProps {
  state: PlaceState;
  isCurrent: boolean;
  onPlace: (place: number) => void;
}

function PlaceButton({ state: { place, name, answered, flagged }, isCurrent, onPlace }: PlaceProps) {
  const words = [
    answered ? examTexts.answered : examTexts.open,
    ...(flagged ? [examTexts.flagged] : []),
    ...(isCurrent ? [examTexts.current] : []),
  ];
  return (
    <button
      type="button"
      class={answered ? "exam-place answered" : "exam-place"}
      aria-current={isCurrent ? "true" : undefined}
      aria-label={fill(examTexts.mapPlace, { place: name, state: words.join(", ") })}
      onClick={() => onPlace(place)}
    >
      <span aria-hidden="true">
        {isCurrent ? kSigns.current : ""}
        {name}
        <span class="exam-signs">
          {answered ? kSigns.answered : kSigns.open}
          {flagged ? kSigns.flagged : ""}
        </span>
      </span>
    </button>
  );
}
