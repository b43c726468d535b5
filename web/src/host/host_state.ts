/** The machine on show: files as they were given, and what the engine says of them. Kept while other screens are shown. */
import { batch, signal } from "@preact/signals";
import type { RequestError } from "../contract.ts";
import { isObject, type JsonObject } from "../json.ts";
import { askEngine } from "../pages.ts";
import { readReply } from "../replies.ts";
import { loadNames } from "./names.ts";

export interface HostFile {
  name: string;
  text: string;
  /** What a person says that the file is: a word of the engine's `read_as`. */
  readAs?: string;
}

/** A person's word on which GPU of the catalog a device is. */
export interface ChosenGpu {
  device: string;
  gpu: string;
}

/** What was given. A file that cannot be read stays here, so that nobody has to give it twice. */
export const given = signal<readonly HostFile[]>([]);
export const chosenGpus = signal<readonly ChosenGpu[]>([]);
export const pasted = signal("");
export const isSample = signal(false);

/** Answers of the kinds import, verify and calibrate, as they come. */
export const imported = signal<JsonObject | undefined>(undefined);
export const verified = signal<JsonObject | undefined>(undefined);
export const calibrated = signal<JsonObject | undefined>(undefined);
export const errors = signal<readonly RequestError[]>([]);
/** Why files that were given last could not be taken. */
export const unread = signal<readonly string[]>([]);
export const busy = signal(false);
export const engineGone = signal(false);

export function listOf(answer: JsonObject | undefined, key: string): JsonObject[] {
  const list = answer?.[key];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export function textsOf(answer: JsonObject | undefined, key: string): string[] {
  const list = answer?.[key];
  return Array.isArray(list) ? list.map(String) : [];
}

/** The profile as the engine joined it; undefined where the files tell of no machine. */
export function profileOf(answer: JsonObject | undefined): JsonObject | undefined {
  return isObject(answer?.profile) ? answer.profile : undefined;
}

/** A profile of many devices and sizes takes seconds to read and to fit. */
export const kHostWithinMs = 120_000;

let asked = 0;

/** An answer of the engine, or undefined where it found faults, which are then on show. */
async function answerTo(request: JsonObject): Promise<JsonObject | undefined> {
  const reply = readReply(await askEngine(request, kHostWithinMs));
  if (reply.kind === "answer") return reply.answer as unknown as JsonObject;
  if (reply.kind === "errors") errors.value = reply.errors;
  else engineGone.value = true;
  return undefined;
}

/** The request that reads files, with a person's words on them. */
export function importRequest(files: readonly HostFile[], gpus: readonly ChosenGpu[]): JsonObject {
  const request: JsonObject = { kind: "import" };
  request.files = files.map(({ name, text, readAs }): JsonObject => {
    const file: JsonObject = { name, text };
    if (readAs) file.read_as = readAs;
    return file;
  });
  if (gpus.length > 0) request.gpus = gpus.map(({ device, gpu }): JsonObject => ({ device, gpu }));
  return request;
}

/** Reads files: first what they are, then the verdicts and the rates of the machine. The newest call wins. */
export async function readFiles(
  files: readonly HostFile[],
  sample = false,
  gpus: readonly ChosenGpu[] = [],
): Promise<void> {
  asked += 1;
  const mine = asked;
  batch(() => {
    given.value = files;
    chosenGpus.value = gpus;
    isSample.value = sample;
    imported.value = verified.value = calibrated.value = undefined;
    errors.value = [];
    unread.value = [];
    engineGone.value = false;
    busy.value = true;
  });
  try {
    const read = await answerTo(importRequest(files, gpus));
    if (mine !== asked) return;
    imported.value = read;
    const profile = profileOf(read);
    if (profile === undefined) return;
    const [verdicts] = await Promise.all([answerTo({ kind: "verify", profile }), loadNames().catch(() => undefined)]);
    if (mine !== asked) return;
    verified.value = verdicts;
    const rates = await answerTo({ kind: "calibrate", profile });
    if (mine === asked) calibrated.value = rates;
  } catch {
    if (mine === asked) engineGone.value = true;
  } finally {
    if (mine === asked) busy.value = false;
  }
}

/** Reads the files again with a person's word on what the file at this place is; "" takes the word back. */
export async function sayWhatItIs(place: number, readAs: string): Promise<void> {
  const files = given.peek().map((file, i) => (i === place ? { ...file, readAs } : file));
  await readFiles(files, isSample.peek(), chosenGpus.peek());
}

/** Reads the files again with a person's word on which GPU these devices are; "" leaves it to their name. */
export async function chooseGpu(devices: readonly string[], gpu: string): Promise<void> {
  const others = chosenGpus.peek().filter(({ device }) => !devices.includes(device));
  const chosen = gpu === "" ? [] : devices.map((device) => ({ device, gpu }));
  await readFiles(given.peek(), isSample.peek(), [...others, ...chosen]);
}

/** Is this device of the profile on show a GPU? */
export function gpuOf(device: string): boolean {
  return listOf(profileOf(imported.value), "devices").some(({ id, kind }) => id === device && kind === "gpu");
}

/** A file that was left out, with what is wrong with it and what it could be. */
export interface RefusedFile {
  place: number;
  errors: readonly RequestError[];
  couldBe: readonly string[];
}

const kCollectives = ["all_reduce", "all_gather", "reduce_scatter", "alltoall", "sendrecv", "broadcast"];

/** Of errors where no file could be read: those of each file, with the words that the engine gives where one can. */
export function refusedIn(faults: readonly RequestError[], words: readonly string[]): RefusedFile[] {
  const files = new Map<number, RequestError[]>();
  for (const fault of faults) {
    const place = /^\/files\/(\d+)\/text/.exec(fault.path)?.[1];
    if (place !== undefined) files.set(Number(place), [...(files.get(Number(place)) ?? []), fault]);
  }
  return [...files].map(([place, errors]) => {
    const { code, path } = errors[0] as RequestError;
    const isUnknown = (code === "wrong-type" && path.endsWith("/text")) || given.value[place]?.readAs !== undefined;
    return { place, errors, couldBe: path.endsWith("/collective") ? kCollectives : isUnknown ? words : [] };
  });
}

/** The engine's list of files that it left out while it read others. */
export function refusedOf(answer: JsonObject | undefined): RefusedFile[] {
  return listOf(answer, "refused").map((file) => ({
    place: Number(file.place),
    errors: listOf(file, "errors") as unknown as RequestError[],
    couldBe: textsOf(file, "could_be"),
  }));
}

export async function readSample(): Promise<void> {
  const { default: profile } = await import("./sample_profile.json");
  await readFiles([{ name: "sample_profile.json", text: JSON.stringify(profile, null, 1) }], true);
}

/** Takes everything away. */
export function forget(): void {
  asked += 1;
  batch(() => {
    given.value = [];
    chosenGpus.value = [];
    pasted.value = "";
    isSample.value = engineGone.value = busy.value = false;
    unread.value = [];
    imported.value = verified.value = calibrated.value = undefined;
    errors.value = [];
  });
}
