/** Where a number comes from: its equation, the values in it, each leading on to its own explanation, and the source. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Source, TraceEntry } from "../contract.ts";
import { phrase, traceText } from "../format.ts";
import { numberAt } from "../json.ts";
import { humanize, labelOf, messages } from "../messages.ts";
import { usePage } from "../state.ts";
import { bareId, inputsOf, originOf, type TraceIndex } from "../trace.ts";
import { Equation } from "./equation.tsx";
import { keyOf } from "./figure.tsx";

export function Explanation() {
  const { state, controller } = usePage();
  const explaining = state.explaining.value;
  const isOpen = explaining !== undefined;
  const title = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element | null>(null);
  const depth = explaining?.path.length;

  useEffect(() => {
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
          <span class="hidden">{messages.explainTitle}: </span>
          {entry === undefined
            ? labelOf(keyOf(explaining.place))
            : entryTitle(entry, explaining.path.length === 0 ? explaining.place : undefined)}
        </h2>
        {depth === 0 ? null : (
          <button type="button" onClick={() => controller.walkBack()}>
            {messages.explainBack}
          </button>
        )}
        <button type="button" onClick={() => controller.closeExplanation()}>
          {messages.explainClose}
        </button>
      </div>
      {entry === undefined || index === undefined ? (
        <p>{absentText(index, numberAt(state.answer.value, explaining.place))}</p>
      ) : (
        <Entry index={index} entry={entry} />
      )}
    </dialog>
  );
}

function absentText(index: TraceIndex | undefined, value: number | undefined): string {
  if (value === undefined) return messages.explainGone;
  return index === undefined ? messages.explainPending : messages.explainMissing;
}

/** The entry at the end of the walk; the walk stops early where a new answer no longer has the next step. */
function entryAt(index: TraceIndex, place: string, path: readonly string[]): TraceEntry | undefined {
  let entry = index.byPlace.get(place);
  for (const id of path) entry = index.byId.get(id) ?? entry;
  return entry;
}

function entryTitle(entry: TraceEntry, place?: string): string {
  if (place !== undefined) return labelOf(keyOf(place));
  return labelOf(bareId(entry.id).split(/[/.]/).at(-1) ?? "");
}

function Entry({ index, entry }: { index: TraceIndex; entry: TraceEntry }) {
  const { state, controller } = usePage();
  const unit = state.memoryUnit.value;
  const inputs = inputsOf(index, entry);
  const own = traceText(entry.value, entry.unit, unit);
  const valuesOf = (name: string) => {
    const texts = inputs
      .filter((input) => input.name === name)
      .map((input) => phrase(traceText(input.entry.value, input.entry.unit, unit)));
    return texts.length === 0 ? [humanize(name).toLowerCase()] : texts;
  };
  const origin = originOf(entry);
  return (
    <>
      <p class="result">
        <strong>{phrase(own)}</strong>
        <span class="note">
          {messages.exactValue}: {own.exact}
        </span>
      </p>
      {entry.equation === undefined || entry.equation === "" ? null : (
        <>
          <h3>{messages.explainEquation}</h3>
          <Wide label={messages.explainEquation}>
            <Equation text={entry.equation} naming={(name) => [humanize(name).toLowerCase()]} />
          </Wide>
          <h3>{messages.explainValues}</h3>
          <Wide label={messages.explainValues}>
            <Equation text={entry.equation} naming={valuesOf} left={phrase(own)} />
          </Wide>
        </>
      )}
      {inputs.length === 0 ? null : (
        <>
          <h3>{messages.explainInputs}</h3>
          <ul class="trace-inputs">
            {inputs.map((input, i) => (
              <li key={`${input.entry.id}-${i}`}>
                <button type="button" class="link" onClick={() => controller.walkInto(input.entry.id)}>
                  <span>{inputName(input.name, input.entry)}</span>{" "}
                  <span class="value">{phrase(traceText(input.entry.value, input.entry.unit, unit))}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{messages.explainSource}</h3>
      <p class="source">
        {messages.origins[origin]}
        {origin === "input" || entry.source === undefined || entry.source === "" ? null : (
          <>
            {": "}
            <SourceText text={entry.source.replace(/^assumed: /, "")} />
          </>
        )}
      </p>
    </>
  );
}

/** The parts of a sum all have one name in the equation; their own names tell more. */
function inputName(name: string, entry: TraceEntry): string {
  return name === "parts" ? entryTitle(entry) : humanize(name);
}

/** A source text is a list of ids of the catalog's sources, each perhaps with a place in it after `#`, or plain words. */
function SourceText({ text }: { text: string }) {
  const { state } = usePage();
  const parts = text.split("; ");
  return (
    <>
      {parts.map((part, i) => {
        const source = state.sources.value.get(part) ?? state.sources.value.get(part.split("#")[0] ?? part);
        return (
          <span key={part}>
            {i === 0 ? "" : "; "}
            {source === undefined ? <Linked text={part} url={part} /> : <KnownSource source={source} id={part} />}
          </span>
        );
      })}
    </>
  );
}

function KnownSource({ source, id }: { source: Source; id: string }) {
  const about = [
    source.publisher,
    source.date,
    source.kind === undefined ? undefined : humanize(source.kind).toLowerCase(),
  ];
  return (
    <>
      <Linked text={source.title ?? id} url={source.url} />
      <span class="note"> {about.filter((item) => item !== undefined && item !== "").join(", ")}</span>
    </>
  );
}

function Linked({ text, url }: { text: string; url: string | undefined }) {
  if (url === undefined || !/^https?:\/\/\S+$/.test(url)) return <>{text}</>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** Equations may be wider than a phone: they scroll in place, also by keyboard. */
function Wide({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must take the focus
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
