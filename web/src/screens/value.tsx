/** One value of an answer: a number with its interval and percentiles, a flag, a word, or sources. */
import { figureText, keyOf, phrase } from "../format.ts";
import { type Json, numberAt, pointerToken, valueAt } from "../json.ts";
import { fill } from "../messages.ts";
import { usePage } from "../page.ts";
import { AgeBadge } from "../views/age_badge.tsx";
import { Figure } from "../views/figure.tsx";
import { Said } from "../views/sentence.tsx";
import { SourceList } from "../views/sources.tsx";
import { texts } from "./texts.ts";
import { flagText, type NumberGroup, wordText } from "./words.ts";

export interface PlaceProps {
  /** JSON Pointer into the answer. */
  place: string;
}

/** Rules are called by numbers in their documents, which have no explanation. */
const kTold = /\/rules_fired\/\d+\/rule$/;

/** A number: a button where the engine explains numbers of this kind, else plain. */
interface AmountProps extends PlaceProps {
  bare?: boolean;
  /** The whole text, unit included. */
  text?: string;
}

export function Amount({ place, bare, text }: AmountProps) {
  const { state } = usePage();
  const isExplained = state.asking.explain !== "never" && !kTold.test(place);
  if (isExplained) return <Figure place={place} bare={bare || text !== undefined} text={text} />;
  const value = valueAt(state.answer.value, place);
  if (typeof value !== "number") return null;
  const figure = figureText(keyOf(place), value, state.memoryUnit.value);
  return <span class="told">{text ?? (bare ? figure.value : phrase(figure))}</span>;
}

export function Scalar({ place, value }: { place: string; value: Json }) {
  const { state } = usePage();
  const key = keyOf(place);
  if (typeof value === "number") return <Amount place={place} />;
  if (typeof value === "boolean") return <>{flagText(value)}</>;
  if (typeof value !== "string") return null;
  if (key === "as_of")
    return (
      <>
        {value} <AgeBadge asOf={value} />
      </>
    );
  if (key === "create") return <code>{value}</code>;
  if (key === "source" || key === "url") return <SourceList sources={value.split("; ")} />;
  return <Said text={wordText(state, value, key)} />;
}

/** The number, its interval, and its percentiles. */
export function GroupedNumber({ place, group }: PlaceProps & { group: NumberGroup }) {
  const { state } = usePage();
  const inside = (key: string) => `${place}/${pointerToken(key)}`;
  const unit = (key: string | undefined) =>
    key === undefined ? "" : figureText(key, numberAt(state.answer.value, inside(key)) ?? 0).unit;
  const isAlike = unit(group.low) === unit(group.key) && unit(group.high) === unit(group.key);
  return (
    <>
      <Amount place={inside(group.key)} />
      {group.low === undefined || group.high === undefined ? null : (
        <span class="interval">
          <Amount place={inside(group.low)} bare={isAlike} /> – <Amount place={inside(group.high)} bare={isAlike} />
        </span>
      )}
      {group.percentiles.length === 0 ? null : (
        <span class="row percentiles">
          {group.percentiles.map((key) => (
            <span key={key}>
              <abbr title={fill(texts.percentile, { number: key.split("_p").at(-1) ?? "" })}>
                {key.split("_").at(-1)}
              </abbr>{" "}
              <Amount place={inside(key)} />
            </span>
          ))}
        </span>
      )}
    </>
  );
}
