/** What to read after an exam: the sections that teach what was missed. */
import { fill } from "../../../messages.ts";
import { Disclosure } from "../../../views/fold.tsx";
import type { Blueprint } from "../../blueprint.ts";
import { type Missed, minutesToRead, readNext, type ToRead } from "../../taught.ts";
import { placeAddress, placeText } from "../read_link.tsx";
import { useTaught } from "../use_taught.ts";
import { resultTexts } from "./result_texts.ts";
import "./objectives.css";

interface ReadNextProps {
  missed: readonly Missed[];
  blueprint: Blueprint;
}

/** More than these are a day's work; the others open on demand. */
const kFirst = 8;

export function ReadNext({ missed, blueprint }: ReadNextProps) {
  const taught = useTaught();
  if (taught === undefined || missed.length === 0) return null;
  const places = readNext(taught, blueprint, missed);
  if (places.length === 0) return null;
  const further = places.slice(kFirst);
  const minutes = minutesToRead(places);
  return (
    <section class="exam-part exam-read" aria-labelledby="exam-read">
      <h2 id="exam-read">{minutes === 1 ? resultTexts.readNextOne : fill(resultTexts.readNext, { minutes })}</h2>
      <p class="note">{resultTexts.readNextNote}</p>
      <Places places={places.slice(0, kFirst)} />
      {further.length === 0 ? null : (
        <Disclosure summary={fill(resultTexts.readMore, { count: further.length, minutes: minutesToRead(further) })}>
          {() => <Places places={further} />}
        </Disclosure>
      )}
    </section>
  );
}

function Places({ places }: { places: readonly ToRead[] }) {
  return (
    <ol class="read-places">
      {places.map((place) => (
        <li key={placeAddress(place)}>
          <a href={placeAddress(place)} lang="en">
            {placeText(place)}
          </a>{" "}
          <span class="note">
            {fill(place.questions.length === 1 ? resultTexts.readForOne : resultTexts.readForMany, {
              minutes: minutesToRead([place]),
              questions: place.questions.join(", "),
            })}
          </span>
        </li>
      ))}
    </ol>
  );
}
