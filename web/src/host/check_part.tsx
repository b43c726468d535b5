/** Verdicts on the rates of a machine as a list of lights with their words. */
import type { JsonObject } from "../json.ts";
import { fill } from "../messages.ts";
import { TextBlock } from "../views/fold.tsx";
import { listOf, textsOf, verified } from "./host_state.ts";
import { type Light, LightShape } from "./light.tsx";
import { Card, CommandLine } from "./parts.tsx";
import { hostTexts } from "./texts.ts";

const kLights: Record<string, Light> = {
  ok: "good",
  high: "watch",
  low: "watch",
  limited: "watch",
  uncertain: "watch",
  bad: "bad",
  failed: "bad",
  invalid: "bad",
  impossible: "bad",
};
/** What asks for attention first stands first. */
const kOrder: readonly Light[] = ["bad", "watch", "open", "good"];

export function lightOf(verdict: string): Light {
  return kLights[verdict] ?? "open";
}

/** `d3: power_limit: ...`, a fault of a device's state. */
const kOfDevice = /^\S+: [a-z_]+: /;

export function CheckPart() {
  const answer = verified.value;
  if (answer === undefined) return null;
  // Faults of a device's state are in its own verdict.
  const verdicts = listOf(answer, "verdicts")
    .filter(({ probe }) => probe !== "health")
    .map((verdict) => ({ verdict, light: lightOf(String(verdict.verdict)) }));
  const notes = [...textsOf(answer, "notes"), ...textsOf(answer, "limits")].filter((note) => !kOfDevice.test(note));
  const sorted = kOrder.flatMap((light) => verdicts.filter((one) => one.light === light));
  const counts = kOrder.map((light) => ({ light, count: verdicts.filter((one) => one.light === light).length }));
  const parts = counts.filter(({ count }) => count > 0);
  return (
    <Card id="host-check" title={hostTexts.checkTitle}>
      <p>
        <b>
          {parts.length === 0
            ? hostTexts.checkNothing
            : `${parts.map(({ light, count }) => fill(hostTexts.checkParts[light], { count })).join(", ")}.`}
        </b>{" "}
        {fill(hostTexts.checkCounts, { usable: Number(answer.usable_results), results: Number(answer.results) })}
      </p>
      {answer.complete === false ? <p class="notice">{hostTexts.checkUnfinished}</p> : null}
      <ul>
        {sorted.map(({ verdict, light }, i) => (
          <VerdictRow key={i} verdict={verdict} light={light} />
        ))}
      </ul>
      <TextBlock title={hostTexts.notes} items={notes} />
    </Card>
  );
}

function VerdictRow({ verdict, light }: { verdict: JsonObject; light: Light }) {
  const causes = listOf(verdict, "causes");
  const words: Record<string, string> = hostTexts.verdictWords;
  const word = String(verdict.verdict);
  return (
    <li class={`light ${light}`}>
      <LightShape light={light} />
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
