/** Machines that are kept in this browser: opened again, compared, carried away as files, removed. */
import { useEffect, useState } from "preact/hooks";
import { figureText, numberText, phrase } from "../format.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";
import { language } from "../language.ts";
import { fill } from "../messages.ts";
import { askEngine } from "../pages.ts";
import { readReply } from "../replies.ts";
import { NumbersTable } from "../screens/charts/chart_table.tsx";
import { flagText } from "../screens/words.ts";
import { keepFile } from "../tools/keep_file.ts";
import { imported, isSample, kHostWithinMs, listOf, profileOf, readFiles, textsOf } from "./host_state.ts";
import { devicesText, fileText, hostOf, hosts, type KeptHost, keepHost, loadHosts, removeHost } from "./hosts_store.ts";
import { devicesName, probeName } from "./names.ts";
import { Card, Sentences } from "./parts.tsx";
import { hostTexts } from "./texts.ts";

export function HostsPart() {
  useEffect(() => void loadHosts(), []);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const shown = picked.filter((name) => hosts.value.some((host) => host.name === name));
  const pair = shown.map((name) => hosts.value.find((host) => host.name === name)).filter((host) => host !== undefined);
  const [before, after] = pair;
  return (
    <Card id="host-kept" title={hostTexts.hostsTitle}>
      <KeepThis />
      {hosts.value.length === 0 ? <p>{hostTexts.noHosts}</p> : null}
      <ul class="scenarios">
        {hosts.value.map((host) => (
          <HostRow
            key={host.name}
            host={host}
            isPicked={shown.includes(host.name)}
            pick={(on) =>
              setPicked(on ? [...shown, host.name].slice(-2) : shown.filter((other) => other !== host.name))
            }
          />
        ))}
      </ul>
      <p class="note">{hostTexts.hostsNote}</p>
      {before === undefined || after === undefined ? null : (
        <Compared key={`${before.digest} ${after.digest}`} before={before} after={after} />
      )}
    </Card>
  );
}

function KeepThis() {
  const profile = profileOf(imported.value);
  const [said, setSaid] = useState("");
  const [name, setName] = useState<string>();
  if (profile === undefined) return null;
  const suggested = name ?? `${devicesText(profile)}${isSample.value ? `, ${hostTexts.sampleBadge}` : ""}`;
  return (
    <form
      class="save-here"
      onSubmit={(event) => {
        event.preventDefault();
        void keepHost(hostOf(suggested, profile)).then((isKept) =>
          setSaid(isKept ? fill(hostTexts.kept, { name: suggested }) : hostTexts.notKept),
        );
      }}
    >
      <label>
        <span>{hostTexts.keepAs}</span>
        <input
          type="text"
          required
          title={suggested}
          value={suggested}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit">{hostTexts.keep}</button>
      <output aria-live="polite">{said}</output>
    </form>
  );
}

const kDayMs = 86_400_000;

/** A day as its distance from today: "3 days ago". */
export function ageText(day: string, now: number): string {
  const then = Date.parse(day);
  if (Number.isNaN(then)) return hostTexts.unknownDate;
  const days = Math.floor((now - then) / kDayMs);
  if (days <= 0) return hostTexts.today;
  const words = new Intl.RelativeTimeFormat(language.value);
  return `${day}, ${days < 60 ? words.format(-days, "day") : words.format(-Math.floor(days / 30), "month")}`;
}

interface HostRowProps {
  host: KeptHost;
  isPicked: boolean;
  pick: (on: boolean) => void;
}

function HostRow({ host, isPicked, pick }: HostRowProps) {
  const { name, digest, measured, devices, profile } = host;
  return (
    <li class="row">
      <label class="check">
        <input
          type="checkbox"
          checked={isPicked}
          aria-label={fill(hostTexts.pick, { name })}
          onChange={({ currentTarget }) => pick(currentTarget.checked)}
        />
        <span>{name}</span>
      </label>
      <span class="note">
        {fill(hostTexts.hostFacts, {
          devices,
          measured: ageText(measured, Date.now()),
          digest: digest.slice(0, 8),
        })}
      </span>
      <button
        type="button"
        class="small"
        aria-label={fill(hostTexts.openHost, { name })}
        onClick={() => void readFiles([{ name: `${name}.json`, text: fileText(profile) }])}
      >
        {hostTexts.open}
      </button>
      <button
        type="button"
        class="small"
        aria-label={fill(hostTexts.fileOf, { name })}
        onClick={() => keepFile("profile.json", fileText(profile), "application/json")}
      >
        {hostTexts.file}
      </button>
      <button
        type="button"
        class="small"
        aria-label={fill(hostTexts.removeHost, { name })}
        onClick={() => void removeHost(name)}
      >
        {hostTexts.remove}
      </button>
    </li>
  );
}

function Differences({ items }: { items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{hostTexts.notes}</h3>
      <Sentences items={items} />
    </>
  );
}

/** What changed from one profile to another, as the engine compares them. */
function Compared({ before, after }: { before: KeptHost; after: KeptHost }) {
  const [changes, setChanges] = useState<JsonObject>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const files = [{ name: after.name, text: fileText(after.profile) }];
    askEngine({ kind: "import", files, before: before.profile }, kHostWithinMs).then(
      (text) => {
        const reply = readReply(text);
        if (reply.kind === "errors") setProblem(reply.errors[0]?.message ?? "");
        const answer = reply.kind === "answer" ? (reply.answer as unknown as JsonObject) : undefined;
        if (isObject(answer?.changes)) setChanges(answer.changes);
      },
      () => setProblem(hostTexts.engineGone),
    );
  }, [before, after]);
  if (problem !== "") return <p class="notice">{problem}</p>;
  if (changes === undefined) return <p role="status">{hostTexts.working}</p>;
  const all = listOf(changes, "results");
  const beyond = all.filter((one) => one.beyond_noise === true);
  const rows = (beyond.length > 0 ? beyond : all).map((one, i) => ({
    key: String(i),
    cells: [
      [probeName(String(one.probe)), String(one.mode), devicesName(textsOf(one, "devices"))].join(", "),
      String(one.size ?? ""),
      phrase(figureText("ratio", Number(one.time_ratio))),
      flagText(one.beyond_noise === true),
    ],
  }));
  return (
    <>
      <h3>{fill(hostTexts.comparedTitle, { after: after.name, before: before.name })}</h3>
      <p role="status">
        {beyond.length === 0 ? `${hostTexts.comparedSame} ` : ""}
        {fill(hostTexts.comparedCounts, {
          beyond: numberText(beyond.length),
          all: numberText(all.length),
          only_before: numberText(Number(changes.only_before)),
          only_after: numberText(Number(changes.only_after)),
        })}
      </p>
      <Differences items={textsOf(changes, "differences")} />
      <NumbersTable
        columns={[hostTexts.result, hostTexts.size, hostTexts.timeRatio, hostTexts.beyondNoise]}
        rows={rows}
      />
    </>
  );
}
