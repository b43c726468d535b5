/** The equations that the page can print of an answer with its trace, as lines of text. */
import { renderToString } from "preact-render-to-string";
import type { PlanAnswer, TraceEntry } from "../../web/src/contract.ts";
import { figureText, keyOf, type MemoryUnit, traceText } from "../../web/src/format.ts";
import { numberAt } from "../../web/src/json.ts";
import { beforeConversion, indexTrace, inputsOf, type TraceIndex } from "../../web/src/trace.ts";
import { EquationValues, shownInYear } from "../../web/src/views/equation_values.tsx";
import { linear } from "./printed_equations.ts";

function printed(
  index: TraceIndex,
  entry: TraceEntry,
  shown: ReturnType<typeof traceText>,
  memory: MemoryUnit,
): string {
  const inputs = inputsOf(index, entry).map(({ name, entry: { value, unit } }) => ({ name, value, unit }));
  return linear(
    renderToString(
      <EquationValues equation={entry.equation ?? ""} result={entry} shown={shown} inputs={inputs} memory={memory} />,
    ),
  );
}

/** The equations of an answer as one walks to them, and as numbers of the page open them. */
export function equationsOf(answer: PlanAnswer, memory: MemoryUnit): Set<string> {
  const index = indexTrace(answer.trace);
  const all = new Set<string>();
  if (index === undefined) return all;
  for (const entry of index.byId.values()) {
    const explained = beforeConversion(index, entry);
    if ((explained.equation ?? "") === "") continue;
    if (explained === entry) all.add(printed(index, entry, traceText(entry.value, entry.unit, memory), memory));
    for (const place of entry.at ?? []) {
      const told = numberAt(answer, place);
      if (told === undefined) continue;
      all.add(printed(index, explained, shownInYear(figureText(keyOf(place), told, memory), entry), memory));
    }
  }
  return all;
}
