/** What the files say of each device: its verdict in a sentence, what to do, and a select where the GPU was taken for another one. */
import { useEffect, useState } from "preact/hooks";
import type { CatalogItem, Message } from "../contract.ts";
import { isObject, type JsonObject } from "../json.ts";
import { fill } from "../messages.ts";
import { catalogList } from "../screens/catalog_lists.ts";
import { translated } from "../translation.ts";
import { Disclosure } from "../views/fold.tsx";
import { chooseGpu, gpuOf, listOf, verified } from "./host_state.ts";
import { LightShape } from "./light.tsx";
import { devicesName } from "./names.ts";
import { Card, CommandLine } from "./parts.tsx";
import { hostTexts } from "./texts.ts";

type State = keyof typeof hostTexts.machineStates;
const kStates: readonly State[] = ["service", "impossible", "look", "fine", "unjudged"];
const kLights = { service: "bad", impossible: "bad", look: "watch", fine: "good", unjudged: "open" } as const;
/** More devices of one state than these wait in a fold: nobody reads seventy lines that say the same. */
const kMostOpen = { service: 8, impossible: 8, look: 8, fine: 2, unjudged: 2 } as const;

function saidIn(value: unknown): string {
  return isObject(value) ? translated(value as unknown as Message) : "";
}

function saidAll(device: JsonObject, key: string): string {
  return listOf(device, key).map(saidIn).join(", ");
}

export function stateOf(device: JsonObject): State {
  return kStates.find((state) => state === device.state) ?? "unjudged";
}

export function MachinePart() {
  const answer = verified.value;
  const devices = listOf(answer, "devices");
  if (answer === undefined || devices.length === 0) return null;
  return (
    <Card id="host-machine" title={hostTexts.machineTitle}>
      <p class="machine-summary" role="status">
        <b>{saidIn(answer.verdict_of_all)}</b>
      </p>
      {kStates.map((state) => (
        <Devices key={state} state={state} devices={devices.filter((device) => stateOf(device) === state)} />
      ))}
      <Chooser devices={devices} />
    </Card>
  );
}

function Devices({ state, devices }: { state: State; devices: readonly JsonObject[] }) {
  const rows = () => (
    <ul>
      {devices.map((device) => (
        <DeviceRow key={String(device.device)} device={device} state={state} />
      ))}
    </ul>
  );
  if (devices.length <= kMostOpen[state]) return devices.length === 0 ? null : rows();
  return (
    <Disclosure
      summary={fill(hostTexts.machineAlike, {
        state: hostTexts.machineStates[state],
        devices: devicesName(devices.map(({ device }) => String(device))),
      })}
    >
      {rows}
    </Disclosure>
  );
}

function DeviceRow({ device, state }: { device: JsonObject; state: State }) {
  const steps = listOf(device, "next_steps");
  const lists = [
    { title: hostTexts.machineChecked, items: saidAll(device, "checks_made") },
    { title: hostTexts.machineNotChecked, items: saidAll(device, "checks_missing") },
  ].filter(({ items }) => items !== "");
  return (
    <li class={`light ${kLights[state]}`}>
      <LightShape light={kLights[state]} />
      <div>
        <p>
          <b>{saidIn(device.says)}</b>
        </p>
        {steps.length === 0 ? null : (
          <>
            <p>{hostTexts.machineSteps}:</p>
            <ol class="steps">
              {steps.map((step, i) => (
                <li key={i}>
                  {saidIn(step.what_to_do)}{" "}
                  {typeof step.command !== "string" ? null : (
                    <CommandLine command={step.command} label={hostTexts.copyCommand} />
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
        {lists.map(({ title, items }) => (
          <p key={title} class="note">
            {title}: {items}.
          </p>
        ))}
      </div>
    </li>
  );
}

/** GPUs of one name that were taken for the same item of the catalog. */
interface Alike {
  name: string;
  gpu: string;
  match: keyof typeof hostTexts.chooserMatches;
  devices: string[];
}

export function alikeGpus(devices: readonly JsonObject[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const { device, name, gpu, key_match } of devices) {
    if (typeof name !== "string" || device === "host") continue;
    const key = `${name} ${String(gpu)}`;
    const match = Object.keys(hostTexts.chooserMatches).find((word) => word === key_match) ?? "none";
    const group = groups.get(key) ?? { name, gpu: String(gpu ?? ""), match: match as Alike["match"], devices: [] };
    group.devices.push(String(device));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function Chooser({ devices }: { devices: readonly JsonObject[] }) {
  const [gpus, setGpus] = useState<readonly CatalogItem[]>([]);
  useEffect(() => void catalogList("gpus").then(setGpus, () => undefined), []);
  const alike = alikeGpus(devices.filter(({ device }) => gpuOf(String(device))));
  if (alike.length === 0) return null;
  return (
    <>
      <h3>{hostTexts.chooserTitle}</h3>
      {alike.map((group, i) => (
        <Choice key={`${group.name} ${group.devices[0]}`} id={`host-gpu-${i}`} group={group} gpus={gpus} />
      ))}
    </>
  );
}

function Choice({ id, group, gpus }: { id: string; group: Alike; gpus: readonly CatalogItem[] }) {
  const { name, gpu, match, devices } = group;
  return (
    <div class="gpu-choice">
      <label for={id}>{fill(hostTexts.chooserLabel, { name, devices: devicesName(devices) })}</label>
      <select
        id={id}
        aria-describedby={`${id}-note`}
        value={gpu}
        onChange={({ currentTarget }) => void chooseGpu(devices, currentTarget.value)}
      >
        <option value="">{hostTexts.chooserAuto}</option>
        {gpus.some((item) => item.id === gpu) || gpu === "" ? null : <option value={gpu}>{gpu}</option>}
        {gpus.map((item) => (
          <option key={item.id} value={item.id}>
            {item.name}
          </option>
        ))}
      </select>
      <p class="note" id={`${id}-note`}>
        {hostTexts.chooserMatches[match]}
      </p>
    </div>
  );
}
