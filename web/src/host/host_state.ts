/** The machine on show: files as they were given, and what the engine says of them. Kept while other screens are shown. */
import { batch, signal } from "@preact/signals";
import type { RequestError } from "../contract.ts";
import { isObject, type JsonObject } from "../json.ts";
import { askEngine } from "../pages.ts";
import { readReply } from "../replies.ts";

export interface HostFile {
  name: string;
  text: string;
}

/** What was given. A file that cannot be read stays here, so that nobody has to give it twice. */
export const given = signal<readonly HostFile[]>([]);
export const pasted = signal("");
export const isSample = signal(false);

/** Answers of the kinds import, verify and calibrate, as they come. */
export const imported = signal<JsonObject | undefined>(undefined);
export const verified = signal<JsonObject | undefined>(undefined);
export const calibrated = signal<JsonObject | undefined>(undefined);
export const errors = signal<readonly RequestError[]>([]);
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

/** Reads files: first what they are, then the verdicts and the rates of the machine. The newest call wins. */
export async function readFiles(files: readonly HostFile[], sample = false): Promise<void> {
  asked += 1;
  const mine = asked;
  batch(() => {
    given.value = files;
    isSample.value = sample;
    imported.value = verified.value = calibrated.value = undefined;
    errors.value = [];
    engineGone.value = false;
    busy.value = true;
  });
  try {
    const names = files.map(({ name, text }) => ({ name, text }));
    const read = await answerTo({ kind: "import", files: names });
    if (mine !== asked) return;
    imported.value = read;
    const profile = profileOf(read);
    if (profile === undefined) return;
    const verdicts = await answerTo({ kind: "verify", profile });
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

export async function readSample(): Promise<void> {
  const { default: profile } = await import("./sample_profile.json");
  await readFiles([{ name: "sample_profile.json", text: JSON.stringify(profile, null, 1) }], true);
}

/** Takes everything away. */
export function forget(): void {
  asked += 1;
  batch(() => {
    given.value = [];
    pasted.value = "";
    isSample.value = engineGone.value = busy.value = false;
    imported.value = verified.value = calibrated.value = undefined;
    errors.value = [];
  });
}
