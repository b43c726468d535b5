/** How requests come, in three controls: a published trace, what prompts share, the hours of the day. Each only fills in the request. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CatalogItem } from "../contract.ts";
import { isObject, type JsonObject, numberAt, textAt, valueAt } from "../json.ts";
import { usePage } from "../page.ts";
import { isWithin } from "../views/field.tsx";
import { catalogList } from "./catalog_lists.ts";
import { FaultsElsewhere } from "./faults_elsewhere.tsx";
import { Fields } from "./form.tsx";
import { HourBars } from "./hour_bars.tsx";
import { WithPlanRequests } from "./plan_requests.tsx";
import { formOf } from "./requests.ts";
import {
  type DayId,
  dayOf,
  hoursOf,
  kDays,
  kSharings,
  type SharingId,
  sharingOf,
  withHours,
  withPreset,
  withSharing,
} from "./traffic_choices.ts";
import { trafficTexts } from "./traffic_texts.ts";
import "./screens.css";

const kWorkload = "/workloads/0";
const kTraffic = `${kWorkload}/traffic`;

export function PlanTraffic() {
  const { state } = usePage();
  const workload = valueAt(state.request.value, kWorkload);
  if (!isObject(workload) || workload.type !== "serving") return <p class="note">{trafficTexts.notServing}</p>;
  return (
    <WithPlanRequests>
      {({ schema }) => {
        const form = schema.properties?.workloads?.items;
        const field = form === undefined ? undefined : formOf(form, workload).properties?.traffic;
        if (field === undefined) return null;
        return (
          <div class="schema-fields">
            <Preset hasField={field.properties?.preset !== undefined} />
            <SharingChoice />
            <DayChoice />
            <FaultsElsewhere schema={schema} among={(error) => isWithin(error, kTraffic)} />
            <Fields schema={field} pointer={kTraffic} skip={["hours", "preset"]} />
          </div>
        );
      }}
    </WithPlanRequests>
  );
}

/** The first workload, and what puts another in its place. */
function useWorkload() {
  const { state, controller } = usePage();
  const given = valueAt(state.request.value, kWorkload);
  return {
    workload: isObject(given) ? given : {},
    preset: textAt(given, "/traffic/preset"),
    change: (workload: JsonObject) => controller.edit(kWorkload, workload),
  };
}

interface ChoiceProps {
  id: string;
  label: string;
  help: string;
  value: string;
  options: readonly (readonly [id: string, name: string])[];
  choose: (id: string) => void;
  children?: ComponentChildren;
}

function Choice({ id, label, help, value, options, choose, children }: ChoiceProps) {
  return (
    <div class="field schema-field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-help`}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option} selected={option === value}>
            {name}
          </option>
        ))}
      </select>
      <p class="help" id={`${id}-help`}>
        {help}
      </p>
      {children}
    </div>
  );
}

const kLengths = ["input_tokens", "output_tokens"];

/** Traces of the catalog; hidden where it has none. */
function Preset({ hasField }: { hasField: boolean }) {
  const { state } = usePage();
  const { workload, preset, change } = useWorkload();
  const [presets, setPresets] = useState<readonly CatalogItem[]>([]);
  useEffect(() => {
    if (hasField) void catalogList("traffic-presets").then(setPresets, () => undefined);
  }, [hasField]);
  if (presets.length === 0) return null;
  // A workload without a trace needs lengths of its own: those that the page was opened with.
  const lengths = Object.fromEntries(
    kLengths.map((key) => [key, numberAt(state.initial.preset, `${kWorkload}/${key}`) ?? 1000]),
  );
  return (
    <Choice
      id="traffic-preset"
      label={trafficTexts.preset}
      help={trafficTexts.presetHelp}
      value={preset ?? ""}
      options={[["", trafficTexts.noPreset], ...presets.map(({ id, name }) => [id, name] as const)]}
      choose={(id) => change(withPreset(workload, id === "" ? undefined : id, lengths))}
    />
  );
}

function SharingChoice() {
  const { workload, preset, change } = useWorkload();
  const chosen = sharingOf(workload);
  const { published } = trafficTexts;
  const names = preset === undefined ? trafficTexts.sharings : { ...trafficTexts.sharings, nothing: published };
  const ids = Object.keys(kSharings) as SharingId[];
  return (
    <Choice
      id="traffic-sharing"
      label={trafficTexts.sharing}
      help={trafficTexts.sharingHelp}
      value={chosen ?? "own"}
      options={[
        ...ids.map((id) => [id, names[id]] as const),
        ...(chosen === undefined ? [["own", names.own] as const] : []),
      ]}
      choose={(id) => {
        if (id !== "own") change(withSharing(workload, id as SharingId));
      }}
    />
  );
}

function DayChoice() {
  const { workload, preset, change } = useWorkload();
  const hours = hoursOf(workload);
  const chosen = dayOf(workload);
  const { published } = trafficTexts;
  const names = preset === undefined ? trafficTexts.days : { ...trafficTexts.days, same: published };
  const ids = Object.keys(kDays) as DayId[];
  return (
    <Choice
      id="traffic-day"
      label={trafficTexts.day}
      help={trafficTexts.dayHelp}
      value={chosen}
      options={[
        ...(chosen === "mean" ? [["mean", names.mean] as const] : []),
        ["same", names.same],
        ...ids.map((id) => [id, names[id]] as const),
        ["own", names.own],
      ]}
      choose={(id) => {
        if (id === "same") change(withHours(workload, undefined));
        else if (id === "own") change(withHours(workload, hours ?? new Array(24).fill(5)));
        else if (id !== "mean") change(withHours(workload, kDays[id as DayId]));
      }}
    >
      {hours === undefined ? null : (
        <HourBars hours={hours} change={(changed) => change(withHours(workload, changed))} />
      )}
    </Choice>
  );
}
