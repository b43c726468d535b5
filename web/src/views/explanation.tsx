/** Where a number comes from: its equation, the values in it, each leading on to its own explanation, and the source. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { TraceEntry } from "../contract.ts";
import { type FigureText, figureText, keyOf, phrase, traceText } from "../format.ts";
import { numberAt } from "../json.ts";
import { humanize, inSentence, labelOf, messages } from "../messages.ts";
import { usePage } from "../page.ts";
import { beforeConversion, inputsOf, originOf, sourcesOf, type TraceIndex, titleOf } from "../trace.ts";
import { Equation } from "./equation.tsx";
import { EquationValues, shownInYear } from "./equation_values.tsx";
import { explanationTexts } from "./explanation_texts.ts";
import { SourceList } from "./sources.tsx";

/** Names of an equation that say less than the title of what stands for them. */
const kPlainNames = new Set(["parts", "amount", "first", "second", "count", "each", "a", "b"]);

export function Explanation() {
  const { state, controller } = usePage();
  const explaining = state.explaining.value;
  const isOpen = explaining !== undefined;
  const title = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element | null>(null);
  const depth = explaining?.path.length;
  const names = [...state.initial.gpus, ...state.initial.models];

  // Before the panel is seen: Escape closes it from then on.
  useLayoutEffect(() => {
    if (!isOpen) return;
    opener.current = document.activeElement;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") controller.closeExplanation();
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
      const back = opener.current;
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      else document.getElementById("headline")?.focus();
    };
  }, [isOpen, controller]);

  useEffect(() => {
    title.current?.focus();
  }, [explaining?.place, depth]);

  if (explaining === undefined) return null;
  const index = state.trace.value;
  const entry = index === undefined ? undefined : entryAt(index, explaining.place, explaining.path);
  return (
    <dialog open class="explanation" aria-labelledby="explanation-title">
      <div class="bar-row">
        <h2 id="explanation-title" tabIndex={-1} ref={title}>
          <span class="hidden">{explanationTexts.title}: </span>
          {entry === undefined
            ? labelOf(keyOf(explaining.place))
            : explaining.path.length === 0
              ? labelOf(keyOf(explaining.place))
              : titleOf(entry, names)}
        </h2>
        {depth === 0 ? null : (
          <button type="button" onClick={() => controller.walkBack()}>
            {explanationTexts.back}
          </button>
        )}
        <button type="button" onClick={() => controller.closeExplanation()}>
          {messages.explainClose}
        </button>
      </div>
      {entry === undefined || index === undefined ? (
        <Unexplained index={index} place={explaining.place} />
      ) : (
        <Entry index={index} entry={entry} place={depth === 0 ? explaining.place : undefined} />
      )}
    </dialog>
  );
}

/** A number that the answer only repeats is the user's own. */
function Unexplained({ index, place }: { index: TraceIndex | undefined; place: string }) {
  const { state } = usePage();
  const value = numberAt(state.answer.value, place);
  const isRepeated = index !== undefined && value !== undefined && numberAt(state.answered.value, place) === value;
  if (!isRepeated) return <p>{absentText(index, value)}</p>;
  return (
    <>
      <Result text={figureText(keyOf(place), value, state.memoryUnit.value)} />
      <h3>{explanationTexts.source}</h3>
      <p class="source">{explanationTexts.origins.input}</p>
    </>
  );
}

function Result({ text }: { text: FigureText }) {
  return (
    <p class="result">
      <strong>{phrase(text)}</strong>
      <span class="note">
        {explanationTexts.exactValue}: {text.exact}
      </span>
    </p>
  );
}

function absentText(index: TraceIndex | undefined, value: number | undefined): string {
  if (value === undefined) return explanationTexts.gone;
  return index === undefined ? explanationTexts.pending : explanationTexts.missing;
}

/** The entry at the end of the walk; the walk stops early where a new answer no longer has the next step. */
function entryAt(index: TraceIndex, place: string, path: readonly string[]): TraceEntry | undefined {
  let entry = index.byPlace.get(place);
  for (const id of path) entry = index.byId.get(id) ?? entry;
  return entry && beforeConversion(index, entry);
}

/** At the head of the walk the value reads as it does in the page. */
function Entry({ index, entry, place }: { index: TraceIndex; entry: TraceEntry; place: string | undefined }) {
  const { state, controller } = usePage();
  const unit = state.memoryUnit.value;
  const inputs = inputsOf(index, entry);
  const names = [...state.initial.gpus, ...state.initial.models];
  const told = place === undefined ? undefined : numberAt(state.answer.value, place);
  const own =
    place === undefined || told === undefined
      ? traceText(entry.value, entry.unit, unit)
      : figureText(keyOf(place), told, unit);
  const titles = inputs.filter(({ name }) => name === "parts").map((input) => inSentence(titleOf(input.entry, names)));
  const namesOf = (name: string) => (name === "parts" && titles.length > 1 ? titles : [inSentence(humanize(name))]);
  const origin = originOf(entry);
  const sources = sourcesOf(entry);
  return (
    <>
      <Result text={own} />
      {entry.equation === undefined || entry.equation === "" ? null : (
        <>
          <h3>{explanationTexts.equation}</h3>
          <div class="equation-box">
            <Equation text={entry.equation} naming={namesOf} />
          </div>
          <h3>{explanationTexts.values}</h3>
          <div class="equation-box">
            <EquationValues
              equation={entry.equation}
              result={entry}
              shown={place === undefined ? own : shownInYear(own, index.byPlace.get(place))}
              inputs={inputs.map(({ name, entry: { value, unit } }) => ({ name, value, unit }))}
              memory={unit}
            />
          </div>
        </>
      )}
      {inputs.length === 0 ? null : (
        <>
          <h3>{explanationTexts.inputs}</h3>
          <ul class="trace-inputs">
            {inputs.map((input, i) => (
              <li key={`${input.entry.id}-${i}`}>
                <button type="button" class="link" onClick={() => controller.walkInto(input.entry.id)}>
                  <span>{kPlainNames.has(input.name) ? titleOf(input.entry, names) : humanize(input.name)}</span>{" "}
                  <span class="value">{phrase(traceText(input.entry.value, input.entry.unit, unit))}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{explanationTexts.source}</h3>
      <p class="source">
        {explanationTexts.origins[origin]}
        {sources.length === 0 ? null : (
          <>
            {": "}
            <SourceList sources={sources} />
          </>
        )}
      </p>
    </>
  );
}
