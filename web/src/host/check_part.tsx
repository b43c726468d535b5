/** Verdicts on a machine as a list of lights: each has a shape and a word, so that colour is never alone. */
import type { JsonObject } from "../json.ts";
import { fill } from "../messages.ts";
import { TextBlock } from "../views/fold.tsx";
import { listOf, textsOf, verified } from "./host_state.ts";
import { Card, CommandLine } from "./parts.tsx";
import { hostTexts } from "./texts.ts";

export type Light = "bad" | "watch" | "open" | "good";

const kLights: Record<string, Light> = {
  ok: "good",
  high: "good",
  low: "watch",
  limited: "watch",
  uncertain: "watch",
  bad: "bad",
  failed: "bad",
  invalid: "bad",
};
/** What asks for attention first stands first. */
const kOrder: readonly Light[] = ["bad", "watch", "open", "good"];

export function lightOf(verdict: string): Light {
  return kLights[verdict] ?? "open";
}

const kShapes: Record<Light, string> = {
  good: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z",
  watch: "M8 2 15 14H1Z",
  bad: "M5 1h6l4 4v6l-4 4H5l-4-4V5Z",
  open: "M3 7h10v2H3Z",
};

export function CheckPart() {
  const answer = verified.value;
  if (answer === undefined) return null;
  const verdicts = listOf(answer, "verdicts").map((verdict) => ({ verdict, light: lightOf(String(verdict.verdict)) }));
  const sorted = kOrder.flatMap((light) => verdicts.filter((one) => one.light === light));
  const count = (light: Light) => verdicts.filter((one) => one.light === light).length;
  return (
    <Card id="host-check" title={hostTexts.checkTitle}>
      <p>
        <b>
          {fill(hostTexts.checkSummary, {
            good: count("good"),
            watch: count("watch"),
            bad: count("bad"),
            open: count("open"),
          })}
        </b>{" "}
        {fill(hostTexts.checkCounts, { usable: Number(answer.usable_results), results: Number(answer.results) })}
      </p>
      {answer.complete === false ? <p class="notice">{hostTexts.checkUnfinished}</p> : null}
      <ul>
        {sorted.map(({ verdict, light }, i) => (
          <VerdictRow key={i} verdict={verdict} light={light} />
        ))}
      </ul>
      <TextBlock title={hostTexts.notes} items={[...textsOf(answer, "notes"), ...textsOf(answer, "limits")]} />
    </Card>
  );
}

function VerdictRow({ verdict, light }: { verdict: JsonObject; light: Light }) {
  const causes = listOf(verdict, "causes");
  const words: Record<string, string> = hostTexts.verdictWords;
  const word = String(verdict.verdict);
  return (
    <li class={`light ${light}`}>
      <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
        <path d={kShapes[light]} />
      </svg>
      <div>
        <p>
          <b>
            {hostTexts.lights[light]}
            {word === "ok" ? "" : ` (${words[word] ?? word})`}
          </b>{" "}
          {String(verdict.device)}: {String(verdict.sentence)}
        </p>
        {causes.length === 0 ? null : (
          <p>
            {hostTexts.causes}:{" "}
            {causes.map(({ cause, evidence }) => `${String(cause)} (${String(evidence)})`).join(", ")}
          </p>
        )}
        {typeof verdict.next_command !== "string" ? null : (
          <p>
            {hostTexts.nextCommand}: <CommandLine command={verdict.next_command} label={hostTexts.copyCommand} />
          </p>
        )}
      </div>
    </li>
  );
}
