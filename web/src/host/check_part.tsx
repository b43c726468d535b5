/** Verdicts on the rates of a machine as a list of lights with their words. */
import type { ComponentChildren } from "preact";
import type { JsonObject } from "../json.ts";
import { fill } from "../messages.ts";
import { Disclosure } from "../views/fold.tsx";
import { listOf, textsOf, verified } from "./host_state.ts";
import { type Light, LightShape } from "./light.tsx";
import { deviceName, devicesName, inNames, probeName } from "./names.ts";
import { Card, CommandLine, Sentences } from "./parts.tsx";
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

/** Verdicts of one probe that came out alike; each is of another device. */
export function alikeVerdicts(verdicts: readonly JsonObject[]): JsonObject[][] {
  const groups = new Map<string, JsonObject[]>();
  for (const verdict of verdicts) {
    const key = `${String(verdict.verdict)} ${String(verdict.probe)} ${String(verdict.mode)}`;
    groups.set(key, [...(groups.get(key) ?? []), verdict]);
  }
  return [...groups.values()];
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
  const sorted = kOrder.flatMap((light) =>
    alikeVerdicts(verdicts.filter((one) => one.light === light).map(({ verdict }) => verdict)).map((group) => ({
      group,
      light,
    })),
  );
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
        {sorted.map(({ group, light }, i) => (
          <VerdictRow key={i} group={group} light={light} />
        ))}
      </ul>
      {notes.length === 0 ? null : (
        <Disclosure summary={fill(hostTexts.notesOf, { count: notes.length })}>
          {() => <Sentences items={notes} />}
        </Disclosure>
      )}
    </Card>
  );
}

function VerdictRow({ group, light }: { group: readonly JsonObject[]; light: Light }) {
  const words: Record<string, string> = hostTexts.verdictWords;
  const [first] = group;
  const word = String(first?.verdict);
  const title = (
    <b>
      {hostTexts.lights[light]}
      {word === "ok" ? "" : ` (${words[word] ?? word})`}
    </b>
  );
  return (
    <li class={`light ${light}`}>
      <LightShape light={light} />
      {group.length > 1 ? (
        <div>
          <p>
            {title}{" "}
            {fill(hostTexts.rateAlike, {
              devices: devicesName(group.map(({ device }) => String(device))),
              probe: probeName(String(first?.probe)),
            })}
          </p>
          <Disclosure summary={hostTexts.rateEach}>
            {() => group.map((verdict, i) => <Judged key={i} verdict={verdict} />)}
          </Disclosure>
        </div>
      ) : (
        <div>{first === undefined ? null : <Judged verdict={first} title={title} />}</div>
      )}
    </li>
  );
}

function Judged({ verdict, title }: { verdict: JsonObject; title?: ComponentChildren }) {
  const causes = listOf(verdict, "causes");
  return (
    <>
      <p>
        {title} {deviceName(String(verdict.device))}: {inNames(String(verdict.sentence))}
      </p>
      {causes.length === 0 ? null : (
        <p>
          {hostTexts.causes}:{" "}
          {causes.map(({ cause, evidence }) => `${String(cause)} (${inNames(String(evidence))})`).join(", ")}
        </p>
      )}
      {typeof verdict.next_command !== "string" ? null : (
        <p>
          {hostTexts.nextCommand}: <CommandLine command={verdict.next_command} label={hostTexts.copyCommand} />
        </p>
      )}
    </>
  );
}
