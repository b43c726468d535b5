/** What is looked at before an exam is handed in: places without a whole answer, and flagged ones. */
import { useEffect, useRef } from "preact/hooks";
import { fill } from "../../../messages.ts";
import type { PlaceState } from "../../exam_run.ts";
import { examTexts } from "./texts.ts";

interface CheckProps {
  states: readonly PlaceState[];
  onPlace: (place: number) => void;
  onBack: () => void;
  onHandIn: () => void;
}

export function SubmitCheck({ states, onPlace, onBack, onHandIn }: CheckProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const unanswered = states.filter((one) => !one.answered);
  const flagged = states.filter((one) => one.flagged);
  return (
    <section class="exam-check" aria-labelledby="exam-check">
      <h2 id="exam-check" tabIndex={-1} ref={heading}>
        {examTexts.checkTitle}
      </h2>
      {unanswered.length === 0 ? (
        <p>{examTexts.allAnswered}</p>
      ) : (
        <Places
          title={fill(examTexts.unanswered, { count: unanswered.length })}
          places={unanswered}
          onPlace={onPlace}
        />
      )}
      {flagged.length === 0 ? (
        <p>{examTexts.noneFlagged}</p>
      ) : (
        <Places title={fill(examTexts.flaggedPlaces, { count: flagged.length })} places={flagged} onPlace={onPlace} />
      )}
      {unanswered.length < states.length ? null : <p class="notice">{examTexts.blank}</p>}
      <p class="row exam-actions">
        <button type="button" class="primary" onClick={onHandIn}>
          {examTexts.handIn}
        </button>
        <button type="button" onClick={onBack}>
          {examTexts.back}
        </button>
      </p>
    </section>
  );
}

interface PlacesProps {
  title: string;
  places: readonly PlaceState[];
  onPlace: (place: number) => void;
}

function Places({ title, places, onPlace }: PlacesProps) {
  return (
    <>
      <h3>{title}</h3>
      <ul class="row exam-places">
        {places.map(({ place, name }) => (
          <li key={place}>
            <button
              type="button"
              class="exam-place"
              aria-label={fill(examTexts.goTo, { place: name })}
              onClick={() => onPlace(place)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
