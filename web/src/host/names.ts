/** What a profile calls by a key, in the words of the verdicts: "GPU 3" for `d3`, "Products in bf16" for `gemm.bf16`. */
import { signal } from "@preact/signals";
import { fill } from "../messages.ts";
import { catalogList } from "../screens/catalog_lists.ts";
import { translated } from "../translation.ts";
import { hostTexts } from "./texts.ts";

/** Names of probes by `probe/<key>` and of GPUs by `<id>`, once they have been loaded. */
const names = signal<Readonly<Record<string, string>>>({});

/** Loads what names are made of: the engine's own words for its probes, and the catalog. */
export async function loadNames(): Promise<void> {
  if (Object.keys(names.peek()).length > 0) return;
  const [{ default: templates }, gpus] = await Promise.all([
    import("../../../core/base/data/messages.json?en"),
    catalogList("gpus"),
  ]);
  const ofProbes = Object.entries(templates as Record<string, string>).filter(([code]) => code.startsWith("probe/"));
  names.value = Object.fromEntries([...ofProbes, ...gpus.map(({ id, name }) => [id, name])]);
}

/** "GPU 3" for `d3`; another device by its key. */
export function deviceName(device: string): string {
  const index = /^d(\d+)$/.exec(device)?.[1];
  if (index !== undefined) return translated({ code: "device/gpu", message: `GPU ${index}`, values: { index } });
  return device === "host" ? hostTexts.theMachine : device;
}

/** The GPUs of a list, each run of neighbours as one: "GPU 0–2, 4–7". */
export function devicesName(devices: readonly string[]): string {
  const numbers = devices.flatMap((device) => /^d(\d+)$/.exec(device)?.[1] ?? []).map(Number);
  if (numbers.length < devices.length || numbers.length < 2) return devices.map(deviceName).join(", ");
  const sorted = [...numbers].sort((a, b) => a - b);
  const ends = sorted.filter((number) => !sorted.includes(number + 1));
  const runs = sorted
    .filter((number) => !sorted.includes(number - 1))
    .map((first, i) => (first === ends[i] ? String(first) : `${first}–${ends[i]}`));
  return `GPU ${runs.join(", ")}`;
}

/** The engine's name of a probe, or ours where its verdicts never name it; its key where nobody does. */
export function probeName(probe: string): string {
  const own: Record<string, string> = hostTexts.probes;
  const english = names.value[`probe/${probe}`];
  return english === undefined ? (own[probe] ?? probe) : translated({ code: `probe/${probe}`, message: english });
}

const kProbe = /\b(?:coll|cpu|decode|gemm|hbm|launch|mem|p2p|pcie)\.[a-z0-9_]+(?:\.[a-z0-9_]+)*/g;
/** Ids of the sources of a norm, which the profile keeps. */
const kSources = / \((?:[a-z0-9]+-)+[a-z0-9]+(?: and \d+ more)?\)/g;
const kSlowdown = /\b(?:hw|sw)_[a-z_]+\b/g;

/** A sentence of the engine with names for the keys in it. */
export function inNames(sentence: string): string {
  const operations: Record<string, string> = hostTexts.operations;
  const slowdowns: Record<string, string> = hostTexts.slowdowns;
  const isOperation = new RegExp(`\\b(?:${Object.keys(operations).join("|")})\\b(?![.])`, "g");
  const named = sentence
    .replaceAll(kSources, "")
    .replaceAll(kProbe, probeName)
    .replaceAll(/\bd\d+\b/g, deviceName)
    .replaceAll(kSlowdown, (key) => slowdowns[key] ?? key)
    .replaceAll(/(?<![\w-])[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?![\w-])/g, (id) => names.value[id] ?? id)
    .replaceAll(isOperation, (key) => (operations[key] ?? key).toLowerCase());
  return named;
}

/** What was fitted: `coll.allreduce/8` is of eight GPUs. */
export function fitName(parameter: string): string {
  const [, probe = "", ranks = ""] = /^(coll\..*)\/(\d+)$/.exec(parameter) ?? [];
  return ranks === ""
    ? inNames(parameter.replace(/\/\d+$/, ""))
    : `${probeName(probe)}, ${fill(hostTexts.ranks, { ranks })}`;
}
